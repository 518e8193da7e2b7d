"""The value of a board, in what is still to come: a sum of table entries; knows no search and no file.

A value is in thousands of points or in lines (course.py), from a board after a lock until the end of the game, with the
next pieces unknown.
Each table has an entry for every value of a few facts about the board, and the value is the sum of one entry of each:
- surfaces: for every five neighbouring columns but the last, the four height steps between them, each cut to -3..3;
- columns: a column's height, and which of the four cells below its topmost one are empty;
- well: the height of the rightmost column, and the ready rows;
- clearance: how much higher the stack may grow on the left and on the right before a vertical I no longer reaches the
  side column in time, and the highest column;
- holes: rows with holes and the highest column; holes and ready rows; one table each for the filled cells above holes,
  the wells, and the transitions along rows and down columns (features.py defines them);
- locks without a hole (surfaces.py): which pieces have one, and how long random pieces will have one, each with the
  highest column;
- volume: the heights of all columns but the last, summed, with the ready rows;
- lines: the lines of the course.
All but the last kind are kept for each phase of the course.
POINTS_VERSION is the version of this definition.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.columns import VISIBLE, Stacks
from emubot.games.tetris.evaluation.course import LEVELS, MOST_LINES
from emubot.games.tetris.evaluation.surfaces import LOCKS, QUALITIES, STEEPEST, STEP_VALUES, fitting_pieces
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.games.tetris.scoring import level_after
from emubot.jit import Scalar, inlined, lean

POINTS_VERSION: Final = 3
PHASE_STARTS: Final = (0, 100, 130, 170, 200, 230, 280)  # lines of the course

STEPS: Final = 4  # of a surface
SURFACES: Final = COLUMNS - 1 - STEPS
SURFACE_VALUES: Final = STEP_VALUES**STEPS
_BELOW: Final = 4  # cells below the topmost one
_PATTERNS: Final = 1 << _BELOW
_HEIGHTS: Final = ROWS + 1
_READY: Final = 9  # 0 to 8 ready rows, 8 and more
_LEAST_CLEARANCE: Final = -3
_CLEARANCES: Final = 12  # -3 and less to 8 and more
_HOLE_ROWS: Final = 12
_FITTING: Final = 1 << len(LOCKS)
_CELLS_OF_VOLUME: Final = 3
_VOLUMES: Final = (COLUMNS - 1) * ROWS // _CELLS_OF_VOLUME + 1
FEW: Final = 32
CHANGES: Final = 64

# The first entry of each table, within a phase and after all phases.
COLUMNS_AT: Final = SURFACES * SURFACE_VALUES
WELL_AT: Final = COLUMNS_AT + COLUMNS * _PATTERNS * _HEIGHTS
CLEARANCE_AT: Final = WELL_AT + _HEIGHTS * _READY
HOLE_ROWS_AT: Final = CLEARANCE_AT + _CLEARANCES * _CLEARANCES * _HEIGHTS
HOLES_AT: Final = HOLE_ROWS_AT + _HOLE_ROWS * _HEIGHTS
DEPTH_AT: Final = HOLES_AT + FEW * _READY
WELLS_AT: Final = DEPTH_AT + FEW
ROW_CHANGES_AT: Final = WELLS_AT + FEW
COLUMN_CHANGES_AT: Final = ROW_CHANGES_AT + CHANGES
FITS_AT: Final = COLUMN_CHANGES_AT + CHANGES
VOLUME_AT: Final = FITS_AT + _FITTING * _HEIGHTS
QUALITY_AT: Final = VOLUME_AT + _VOLUMES * _READY
PHASE: Final = QUALITY_AT + QUALITIES * _HEIGHTS
LINES_AT: Final = len(PHASE_STARTS) * PHASE
ENTRIES: Final = LINES_AT + MOST_LINES + 1
TERMS: Final = SURFACES + COLUMNS + 12  # entries of a sum
LINES_TERM: Final = TERMS - 1  # the entry of the lines is the last of a sum

_FIRST_OF_PHASE: Final = np.array(
    [PHASE * (sum(start <= lines for start in PHASE_STARTS) - 1) for lines in range(MOST_LINES + 1)], dtype=np.int64
)
FITTING: Final = fitting_pieces(STEPS)


class PointsPlayer(NamedTuple):
    """What a kernel needs for values in points.

    `values` is float32 (ENTRIES,). `limits` is int64 (levels, COLUMNS): the greatest height of a column over which a
    vertical I still reaches the side, by level; the last level's holds for higher ones. `course` and `rewards` are from
    course.py. The tables' game ends at `stop_lines` of the course, which is worth `stop_worth`; 0 means that it goes on
    to the top-out. `qualities` is from surfaces.py. `rises` is 0 where the level stays (B-type), else 1.
    """

    values: NDArray[np.float32]
    limits: NDArray[np.int64]
    course: NDArray[np.int64]
    rewards: NDArray[np.float64]
    stop_lines: Scalar
    stop_worth: float
    qualities: NDArray[np.uint8]
    rises: Scalar


@lean
def entries_of_board(stacks: Stacks, lines: Scalar, level: Scalar, player: PointsPlayer, found: Stacks) -> None:
    """Write the entry of each table for a board after `lines` lines at `level` into found (TERMS,).

    Hidden rows do not count.
    """
    limits, lines = player.limits, place_on_course(lines, level, player)
    level = min(level, len(limits) - 1)
    phase = first_of_phase(lines)
    highest, left, right = 0, ROWS, ROWS
    holes = depth = wells = row_changes = column_changes = 0
    hole_rows, taken, ready = 0, 0, VISIBLE
    surface = fitting = volume = 0
    stack, beside, before = stacks[0] & VISIBLE, VISIBLE, 0
    for column in range(COLUMNS):
        following = stacks[column + 1] & VISIBLE if column + 1 < COLUMNS else VISIBLE
        height, covered, below, changes = column_facts(stack)
        highest = max(highest, height)
        if column < COLUMNS - 1:
            if column < COLUMNS // 2:
                left = min(left, limits[level, column] - height)
            else:
                right = min(right, limits[level, column] - height)
            ready &= stack
            volume += height
            if column > 0:
                surface = with_step(surface, height - before)
                if column >= STEPS:
                    fitting |= FITTING[surface % SURFACE_VALUES]
                    found[column - STEPS] = phase + surface_entry(column - STEPS, surface)
        found[SURFACES + column] = phase + column_entry(column, stack, height)
        holes += popcount(covered)
        hole_rows |= covered
        depth += below
        row_changes += popcount(beside ^ stack)
        column_changes += changes
        taken |= stack
        wells += well_cells(beside, stack, following)
        beside, before, stack = stack, height, following
    row_changes += popcount(beside ^ VISIBLE) - 2 * (ROWS - popcount(taken))
    ready_rows = popcount(ready >> before)
    write_entries(
        found,
        phase,
        lines,
        before,
        ready_rows,
        left,
        right,
        highest,
        popcount(hole_rows),
        holes,
        depth,
        wells,
        row_changes,
        column_changes,
        fitting,
        volume,
        int(player.qualities[surface]),
    )


@lean
def gain(removed: Scalar, lines: Scalar, level: Scalar, player: PointsPlayer) -> tuple[float, Scalar, Scalar]:
    """Returns what `removed` lines bring, and the lines and the level after them; see `rewards`."""
    if removed == 0:
        return float(player.rewards[0, 0]), lines, level
    level = level_after(level, lines, removed) if player.rises else level
    lines += removed
    gained = float(player.rewards[removed, place_on_course(lines, level, player)])
    return gained + (player.stop_worth if is_over(lines, level, player) else 0.0), lines, level


@inlined
def is_over(lines: Scalar, level: Scalar, player: PointsPlayer) -> bool:
    """Returns whether the tables' game ends with these lines at this level."""
    return bool(player.stop_lines > 0 and place_on_course(lines, level, player) >= player.stop_lines)


@inlined
def place_on_course(lines: Scalar, level: Scalar, player: PointsPlayer) -> Scalar:
    """Returns the lines of the course; see course.py."""
    return player.course[min(level, LEVELS - 1), min(lines, MOST_LINES)]


@inlined
def first_of_phase(lines: Scalar) -> Scalar:
    """Returns the first entry of the phase in which these lines of the course are."""
    return _FIRST_OF_PHASE[lines]


@inlined
def column_facts(stack: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Returns a column's height, the word of its holes, the cells above them, and its changes."""
    height = length(stack)
    return height, ((1 << height) - 1) ^ stack, popcount(stack & (stack + 1)), popcount(stack ^ (stack << 1 | 1))


@inlined
def well_cells(left: Scalar, stack: Scalar, right: Scalar) -> Scalar:
    """Returns the cells of a column's wells: a run of d cells counts 1 + .. + d."""
    cells, count = left & right & ~stack, 0
    while cells:
        count += popcount(cells)
        cells &= cells << 1
    return count


@inlined
def with_step(surface: Scalar, step: Scalar) -> Scalar:
    """Returns the code of a surface with one more step on the right."""
    return surface * STEP_VALUES + min(max(step, -STEEPEST), STEEPEST) + STEEPEST


@inlined
def surface_entry(place: Scalar, surface: Scalar) -> Scalar:
    """Returns the entry of the last steps of a surface within a phase."""
    return place * SURFACE_VALUES + surface % SURFACE_VALUES


@inlined
def column_entry(column: Scalar, stack: Scalar, height: Scalar) -> Scalar:
    """Returns the entry of a column within a phase. Cells below the floor count as filled."""
    empty = (~stack << _BELOW) >> max(height - 1, 0) & (_PATTERNS - 1) & ~((1 << max(_BELOW + 1 - height, 0)) - 1)
    return COLUMNS_AT + (column * _PATTERNS + empty) * _HEIGHTS + height


@inlined
def write_entries(
    found: Stacks,
    phase: Scalar,
    lines: Scalar,
    last: Scalar,
    ready_rows: Scalar,
    left: Scalar,
    right: Scalar,
    highest: Scalar,
    hole_rows: Scalar,
    holes: Scalar,
    depth: Scalar,
    wells: Scalar,
    row_changes: Scalar,
    column_changes: Scalar,
    fitting: Scalar,
    volume: Scalar,
    quality: Scalar,
) -> None:
    """Write the entries of the whole board's tables; a number beyond its table counts as the last in it."""
    ready_rows = min(ready_rows, _READY - 1)
    left = min(max(left - _LEAST_CLEARANCE, 0), _CLEARANCES - 1)
    right = min(max(right - _LEAST_CLEARANCE, 0), _CLEARANCES - 1)
    holes = min(holes, FEW - 1)
    at = SURFACES + COLUMNS
    found[at] = phase + WELL_AT + last * _READY + ready_rows
    found[at + 1] = phase + CLEARANCE_AT + (left * _CLEARANCES + right) * _HEIGHTS + highest
    found[at + 2] = phase + HOLE_ROWS_AT + min(hole_rows, _HOLE_ROWS - 1) * _HEIGHTS + highest
    found[at + 3] = phase + HOLES_AT + holes * _READY + ready_rows
    found[at + 4] = phase + DEPTH_AT + min(depth, FEW - 1)
    found[at + 5] = phase + WELLS_AT + min(wells, FEW - 1)
    found[at + 6] = phase + ROW_CHANGES_AT + min(row_changes // 2, CHANGES - 1)
    found[at + 7] = phase + COLUMN_CHANGES_AT + min((column_changes - COLUMNS) // 2, CHANGES - 1)
    found[at + 8] = phase + FITS_AT + fitting * _HEIGHTS + highest
    found[at + 9] = phase + VOLUME_AT + volume // _CELLS_OF_VOLUME * _READY + ready_rows
    found[at + 10] = phase + QUALITY_AT + quality * _HEIGHTS + highest
    found[LINES_TERM] = LINES_AT + lines


@lean
def points_of(stacks: Stacks, lines: Scalar, level: Scalar, player: PointsPlayer, found: Stacks) -> float:
    """Returns the value of a board; `found` (TERMS,) is working memory."""
    entries_of_board(stacks, lines, level, player, found)
    total = 0.0
    for index in range(TERMS):
        total += player.values[found[index]]
    return total
