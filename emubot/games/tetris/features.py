"""Named features of a lock and of the board it leaves; knows no reach, no search and no weights.

Board features look at the visible rows after lock and clears; hidden rows count for nothing. Heights count from 1 at
the floor. Definitions change only together with FEATURE_VERSION. Those that begin with `mf_` follow the Go and Lua bots
of meatfighter (2014, 2019) with their quirks.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board import FULL_ROW, POPCOUNT, Rows
from emubot.games.tetris.rules import COLUMNS, DY, HIDDEN_ROWS, ROWS
from emubot.jit import Scalar, kernel

FEATURE_VERSION: Final = 1
# Of one lock; over several placements they add up.
PLACEMENT_FEATURES: Final = (
    "landing_height",  # middle of the placed piece: mean of its lowest and highest row, the floor row being 0
    "rows_removed",
    "eroded_cells",  # rows removed times the piece's own cells in them
    "scoring_lines",  # rows removed beyond the first
    "tetrises",  # 1 if four rows were removed at once
    "burned_lines",  # rows removed if fewer than four
    "landing_top_row",  # row of the placed piece's highest cell, counted from the top, 0 to 19: larger is lower
    "mf_lock_height",  # rows between the pivot and the lowest row it can have in this orientation
)
BOARD_FEATURES: Final = (
    "row_transitions",  # filled/empty changes along each of the 20 rows, walls filled: an empty row has 2
    "column_transitions",  # the same down each column, the floor filled, nothing above row 0
    "holes",  # empty cells with a filled one anywhere above in their column
    "cumulative_wells",  # a run of d empty cells with both sides filled (walls are) adds 1 + .. + d
    "hole_depth",  # filled cells in the unbroken run right above each hole, summed
    "rows_with_holes",
    "pattern_diversity",  # different values of height(j) - height(j + 1), of those from -2 to 2
    "max_height",
    "total_height",  # sum of the column heights
    "height_squares",  # sum of their squares
    "bumpiness",  # sum of the absolute differences of neighbouring column heights
    "has_valley",  # columns at least 3 lower than their neighbours (walls are high): none 0, exactly one 1, more -1
    "right_column",  # filled cells of the rightmost column
    "ready_rows",  # rows full but for the rightmost column, which is open above them
    "mf_wells",  # cells not covered from above, the topmost filled one included, with both sides filled
    "mf_holes",  # empty cells right below a filled one
    "mf_column_transitions",  # from the topmost filled cell of each column down, the floor not counted
    "mf_row_transitions",  # as row_transitions, of rows with a filled cell only
)
FEATURE_NAMES: Final = PLACEMENT_FEATURES + BOARD_FEATURES
FEATURES: Final = len(FEATURE_NAMES)
FIRST_BOARD_FEATURE: Final = len(PLACEMENT_FEATURES)

_HEIGHT_BITS = 6
_HEIGHT_MASK = (1 << _HEIGHT_BITS) - 1
# Each of the ten columns' bits, spread to its own counter of six bits.
_SPREAD: Final = np.array(
    [sum((mask >> c & 1) << (_HEIGHT_BITS * c) for c in range(COLUMNS)) for mask in range(FULL_ROW + 1)], dtype=np.int64
)
_TOP, _BOTTOM = DY.min(axis=1), DY.max(axis=1)
_RIGHT = 1 << (COLUMNS - 1)
_WALLS = 1 | 1 << (COLUMNS + 1)
_WALL_HEIGHT = ROWS + 3


@kernel
def placement_features(
    orientation: Scalar, row: Scalar, removed: Scalar, own_cells: Scalar, features: NDArray[np.float64]
) -> None:
    """Write the features of one lock into features (FEATURES,), leaving those of the board alone.

    `row` is the pivot's, `removed` the rows counted, `own_cells` the piece's cells in them.
    """
    highest, lowest = row + int(_TOP[orientation]), row + int(_BOTTOM[orientation])
    features[0] = (ROWS - 1) - (highest + lowest) / 2
    features[1] = removed
    features[2] = removed * own_cells
    features[3] = max(removed - 1, 0)
    features[4] = 1 if removed >= 4 else 0
    features[5] = removed if removed < 4 else 0
    features[6] = max(highest, 0)
    features[7] = ROWS - 1 - lowest


@kernel
def board_features(rows: Rows, features: NDArray[np.float64]) -> None:
    """Write the features of the board uint16[22] into features (FEATURES,), leaving those of the lock alone."""
    row_changes = column_changes = holes = wells = depth = hole_rows = 0
    highest = total = squares = bumps = right = ready = 0
    mf_wells = mf_holes = mf_column_changes = mf_row_changes = 0
    heights = np.int64(0)
    above, cover = 0, 0
    for index in range(HIDDEN_ROWS, HIDDEN_ROWS + ROWS):
        row = int(rows[index])
        if row == 0 and cover == 0:
            row_changes += 2
            continue
        height = HIDDEN_ROWS + ROWS - index
        walled = row << 1 | _WALLS
        changes = int(POPCOUNT[(walled ^ walled >> 1) & (FULL_ROW << 1 | 1)])
        row_changes += changes
        if row:
            mf_row_changes += changes
        different = row ^ above
        column_changes += int(POPCOUNT[different])
        mf_column_changes += int(POPCOUNT[different & cover])
        mf_holes += int(POPCOUNT[above & ~row])
        enclosed = walled & walled >> 2 & FULL_ROW
        mf_wells += int(POPCOUNT[enclosed & ~cover])
        wells += _well_cells(rows, index, enclosed & ~row)
        covered = cover & ~row
        if covered:
            holes += int(POPCOUNT[covered])
            hole_rows += 1
            depth += _run_above(rows, index, covered)
        cover |= row
        if not cover & _RIGHT and row == FULL_ROW ^ _RIGHT:
            ready += 1
        if row & _RIGHT:
            right += 1
        highest = max(highest, height)
        columns = int(POPCOUNT[cover])
        total += columns
        squares += columns * (2 * height - 1)
        bumps += int(POPCOUNT[(cover ^ cover >> 1) & (FULL_ROW >> 1)])
        heights += _SPREAD[cover]
        above = row
    column_changes += int(POPCOUNT[above ^ FULL_ROW])
    first = FIRST_BOARD_FEATURE
    features[first] = row_changes
    features[first + 1] = column_changes
    features[first + 2] = holes
    features[first + 3] = wells
    features[first + 4] = depth
    features[first + 5] = hole_rows
    features[first + 6] = _diversity(heights)
    features[first + 7] = highest
    features[first + 8] = total
    features[first + 9] = squares
    features[first + 10] = bumps
    features[first + 11] = _valley(heights)
    features[first + 12] = right
    features[first + 13] = ready
    features[first + 14] = mf_wells
    features[first + 15] = mf_holes
    features[first + 16] = mf_column_changes
    features[first + 17] = mf_row_changes


@kernel
def _well_cells(rows: Rows, index: Scalar, cells: Scalar) -> Scalar:
    """For each of these well cells of one row, the length of the run of well cells that ends with it; their sum."""
    count = 0
    while cells:
        count += int(POPCOUNT[cells])
        index -= 1
        if index < HIDDEN_ROWS:
            break
        row = int(rows[index])
        walled = row << 1 | _WALLS
        cells &= walled & walled >> 2 & ~row
    return count


@kernel
def _run_above(rows: Rows, index: Scalar, cells: Scalar) -> Scalar:
    """For each of these cells of one row, the filled cells in an unbroken run right above it; their sum."""
    count = 0
    while index > HIDDEN_ROWS:
        index -= 1
        cells &= int(rows[index])
        if cells == 0:
            break
        count += int(POPCOUNT[cells])
    return count


@kernel
def _diversity(heights: Scalar) -> Scalar:
    seen = 0
    for column in range(COLUMNS - 1):
        left = heights >> (_HEIGHT_BITS * column) & _HEIGHT_MASK
        difference = left - (heights >> (_HEIGHT_BITS * (column + 1)) & _HEIGHT_MASK)
        if -2 <= difference <= 2:
            seen |= 1 << (difference + 2)
    return int(POPCOUNT[seen])


@kernel
def _valley(heights: Scalar) -> Scalar:
    valleys = 0
    for column in range(COLUMNS):
        left = right = _WALL_HEIGHT
        if column > 0:
            left = heights >> (_HEIGHT_BITS * (column - 1)) & _HEIGHT_MASK
        if column < COLUMNS - 1:
            right = heights >> (_HEIGHT_BITS * (column + 1)) & _HEIGHT_MASK
        if min(left, right) - (heights >> (_HEIGHT_BITS * column) & _HEIGHT_MASK) >= 3:
            valleys += 1
    return 1 if valleys == 1 else -min(valleys, 1)
