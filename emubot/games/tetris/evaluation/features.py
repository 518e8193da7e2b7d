"""Named features of a lock and of the board it leaves; knows no reach, no search and no weights.

A board may have any size and is one word for each column. The features are named in names.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.board import BOARD_ROWS, FULL_ROW, Rows
from emubot.games.tetris.evaluation.names import BOARD_FEATURES, FEATURE_NAMES, PLACEMENT_FEATURES
from emubot.games.tetris.rules import COLUMNS, DY, ROWS
from emubot.jit import Scalar, lean

FEATURES: Final = len(FEATURE_NAMES)
FIRST_BOARD_FEATURE: Final = len(PLACEMENT_FEATURES)

# Board features that are computed together. A group without a weight is not computed.
_SHAPE, _WELLS, _SURFACE, _RIGHT, _QUIRKS, _CHANCE = (1 << bit for bit in range(6))
ALL_GROUPS: Final = 63
_GROUP_OF: Final = {
    "cumulative_wells": _WELLS,
    "pattern_diversity": _SURFACE,
    "max_height": _SURFACE,
    "total_height": _SURFACE,
    "height_squares": _SURFACE,
    "bumpiness": _SURFACE,
    "has_valley": _SURFACE,
    "right_column": _RIGHT,
    "ready_rows": _RIGHT,
    "mf_wells": _QUIRKS,
    "mf_holes": _QUIRKS,
    "mf_column_transitions": _QUIRKS,
    "chance": _CHANCE,
}
GROUPS: Final = np.array(
    [0] * FIRST_BOARD_FEATURE + [_GROUP_OF.get(name, _SHAPE) for name in BOARD_FEATURES], dtype=np.int64
)

# Six rows of ten columns in one word: bit c of a row becomes the lowest of the six bits of column c.
_STEP = 6
_STEP_MASK = (1 << _STEP) - 1
_SPREAD: Final = np.array(
    [sum((mask >> c & 1) << (_STEP * c) for c in range(COLUMNS)) for mask in range(FULL_ROW + 1)], dtype=np.int64
)
_TOP, _BOTTOM = DY.min(axis=1), DY.max(axis=1)
_VALLEY = 3
_HALF = 22  # bits of a column mixed at once
_PRIME, _ODD, _MIX_BITS = 0x4C957F2D, 0x2545F491, 31
_MIX_MASK = (1 << _MIX_BITS) - 1

Stacks = NDArray[np.int64]  # a board as one word for each column; bit r = the cell r rows above the floor is filled


@lean
def groups_of(weights: NDArray[np.float64]) -> Scalar:
    """Returns the groups of board features in which a feature has a weight; `weights` is (FEATURES,) or more."""
    groups = 0
    for index in range(FIRST_BOARD_FEATURE, FEATURES):
        if weights[index] != 0.0:
            groups |= GROUPS[index]
    return groups


@lean
def placement_features(
    orientation: Scalar, row: Scalar, removed: Scalar, own_cells: Scalar, features: NDArray[np.float64]
) -> None:
    """Write the features of one lock into features (FEATURES,); those of the board stay unchanged.

    `row` is the pivot's, `removed` the rows counted, `own_cells` the piece's cells in them.
    """
    highest, lowest = row + int(_TOP[orientation]), row + int(_BOTTOM[orientation])
    lock_features(ROWS - 1 - lowest, ROWS - 1 - highest, ROWS, removed, own_cells, features)


@lean
def lock_features(
    lowest: Scalar, highest: Scalar, rows: Scalar, removed: Scalar, own_cells: Scalar, features: NDArray[np.float64]
) -> None:
    """Like placement_features, on a board of any height.

    `lowest` and `highest` are rows of the piece; the floor row is 0.
    """
    features[0] = (highest + lowest) / 2
    features[1] = removed
    features[2] = removed * own_cells
    features[3] = max(removed - 1, 0)
    features[4] = 1 if removed >= 4 else 0
    features[5] = removed if removed < 4 else 0
    features[6] = max(rows - 1 - highest, 0)
    features[7] = lowest


@lean
def stacks_of(rows: Rows, stacks: Stacks) -> None:
    """Write the visible cells of the board uint16[22] as stacks int64[10]."""
    stacks[:] = 0
    for first in range(0, ROWS, _STEP):
        word = np.int64(0)
        for row in range(first, min(first + _STEP, ROWS)):
            word |= _SPREAD[rows[BOARD_ROWS - 1 - row]] << (row - first)
        if word == 0:
            continue
        for column in range(COLUMNS):
            stacks[column] |= (word >> (_STEP * column) & _STEP_MASK) << first


@lean
def stack_features(stacks: Stacks, rows: Scalar, groups: Scalar, features: NDArray[np.float64]) -> None:
    """Write the features of a board of `rows` rows, with no cell above them, into features (FEATURES,).

    Features of other groups, and those of the lock, stay unchanged.
    """
    if groups & _SHAPE:
        _write_shape(stacks, rows, features)
    if groups & _WELLS:
        _write_wells(stacks, rows, features)
    if groups & _SURFACE:
        _write_surface(stacks, features)
    if groups & _RIGHT:
        _write_right(stacks, features)
    if groups & _QUIRKS:
        _write_quirks(stacks, rows, features)
    if groups & _CHANCE:
        features[FIRST_BOARD_FEATURE + 18] = _chance(stacks)


@lean
def _write_shape(stacks: Stacks, rows: Scalar, features: NDArray[np.float64]) -> None:
    row_changes = column_changes = holes = depth = 0
    hole_rows, taken = np.int64(0), np.int64(0)
    walls = (1 << rows) - 1
    left = walls
    for column in range(len(stacks)):
        stack = stacks[column]
        row_changes += popcount(left ^ stack)
        column_changes += popcount(stack ^ (stack << 1 | 1))
        covered = ((1 << length(stack)) - 1) ^ stack
        holes += popcount(covered)
        hole_rows |= covered
        depth += popcount(stack & (stack + 1))  # without the run on the floor: all other runs are above holes
        taken |= stack
        left = stack
    row_changes += popcount(left ^ walls)
    first = FIRST_BOARD_FEATURE
    features[first] = row_changes
    features[first + 1] = column_changes
    features[first + 2] = holes
    features[first + 4] = depth
    features[first + 5] = popcount(hole_rows)
    features[first + 17] = row_changes - 2 * (rows - popcount(taken))


@lean
def _write_wells(stacks: Stacks, rows: Scalar, features: NDArray[np.float64]) -> None:
    walls = (1 << rows) - 1
    count = 0
    left = walls
    for column in range(len(stacks)):
        right = stacks[column + 1] if column + 1 < len(stacks) else walls
        cells = left & right & ~stacks[column]
        while cells:
            count += popcount(cells)
            cells &= cells << 1
        left = stacks[column]
    features[FIRST_BOARD_FEATURE + 3] = count


@lean
def _write_surface(stacks: Stacks, features: NDArray[np.float64]) -> None:
    seen = highest = total = squares = bumps = valleys = 0
    height = length(stacks[0])
    before = height + _VALLEY  # a wall counts as high
    for column in range(len(stacks)):
        after = length(stacks[column + 1]) if column + 1 < len(stacks) else height + _VALLEY
        if min(before, after) - height >= _VALLEY:
            valleys += 1
        if column + 1 < len(stacks):
            step = height - after
            bumps += abs(step)
            if -2 <= step <= 2:
                seen |= 1 << (step + 2)
        highest = max(highest, height)
        total += height
        squares += height * height
        before, height = height, after
    first = FIRST_BOARD_FEATURE
    features[first + 6] = popcount(seen)
    features[first + 7] = highest
    features[first + 8] = total
    features[first + 9] = squares
    features[first + 10] = bumps
    features[first + 11] = 1 if valleys == 1 else -min(valleys, 1)


@lean
def _write_right(stacks: Stacks, features: NDArray[np.float64]) -> None:
    last = stacks[len(stacks) - 1]
    others = stacks[0]
    for column in range(1, len(stacks) - 1):
        others &= stacks[column]
    features[FIRST_BOARD_FEATURE + 12] = popcount(last)
    features[FIRST_BOARD_FEATURE + 13] = popcount(others >> length(last))


@lean
def _write_quirks(stacks: Stacks, rows: Scalar, features: NDArray[np.float64]) -> None:
    walls = (1 << rows) - 1
    wells = holes = changes = 0
    left = walls
    for column in range(len(stacks)):
        stack = stacks[column]
        right = stacks[column + 1] if column + 1 < len(stacks) else walls
        below_top = ((1 << length(stack)) - 1) >> 1
        wells += popcount(left & right & ~below_top)
        holes += popcount(stack >> 1 & ~stack)
        changes += popcount((stack ^ stack >> 1) & below_top)
        left = stack
    features[FIRST_BOARD_FEATURE + 14] = wells
    features[FIRST_BOARD_FEATURE + 15] = holes
    features[FIRST_BOARD_FEATURE + 16] = changes


@lean
def _chance(stacks: Stacks) -> float:
    """Mix in every part of the board by a product whose halves are folded; no word exceeds 63 bits."""
    mixed = _ODD
    for column in range(len(stacks)):
        stack = stacks[column]
        for part in range(2):
            bits = stack >> (_HALF * part) & ((1 << _HALF) - 1)
            product = (((mixed ^ bits) + _ODD) & _MIX_MASK) * _PRIME
            mixed = (product ^ product >> _MIX_BITS) & _MIX_MASK
    return float(mixed / (1 << _MIX_BITS))
