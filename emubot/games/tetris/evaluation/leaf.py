"""The value in points of many locks on one board, quickly; the same values as points.py, and knows no search.

What the columns of a board contribute is kept, with sums from the left and from the right. A lock without a line clear
changes at most four columns, so only their part is computed again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.board import Words
from emubot.games.tetris.board.columns import CELLS_IN, LEFT, VISIBLE, WIDTH, lock_columns
from emubot.games.tetris.evaluation.layout import (
    STEPS,
    SURFACE_VALUES,
    SURFACES,
    TERMS,
    column_entry,
    first_of_phase,
    surface_entry,
    write_entries,
)
from emubot.games.tetris.evaluation.network import HIDDEN, part_of_leaf, prepare_sums
from emubot.games.tetris.evaluation.points import (
    FITTING,
    PointsPlayer,
    column_facts,
    gain,
    is_over,
    place_on_course,
    points_of,
    well_cells,
    with_step,
)
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.jit import Scalar, inlined, lean

_LAST: Final = COLUMNS - 1

# Of `before` and `behind`: the words of full, of ready and of filled columns joined, the holes' rows, the highest
# column, and the least clearance on the left and on the right.
_FULL, _READY, _TAKEN, _HOLE_ROWS, _HIGHEST, _LEFT, _RIGHT = range(7)
_JOINED: Final = 7
# Of `parts`, by column: holes, cells above them, changes down the column, changes from the column on the left, wells,
# and the height, the last column's being 0.
_HOLES, _DEPTH, _CHANGES, _EDGES, _WELLS, _VOLUME = range(6)
_PARTS: Final = 6


# A board, and what its columns contribute. A record goes to a kernel as one pointer: that compiles in a tenth of the
# time that ten arrays take. A kernel passes a whole array of it on as `[:]`, which has the same type as other arrays.
BOARD: Final = np.dtype(
    (
        np.record,
        [
            ("stacks", np.int64, (COLUMNS,)),  # hidden rows included
            ("visible", np.int64, (COLUMNS + 2,)),  # a wall, the columns without hidden rows, a wall
            ("heights", np.int64, (COLUMNS,)),
            ("parts", np.int64, (COLUMNS + 1, _PARTS)),  # the last row has only changes, to the wall
            ("totals", np.int64, (_PARTS,)),
            ("before", np.int64, (COLUMNS + 1, _JOINED)),  # of all columns left of this one
            ("behind", np.int64, (COLUMNS + 1, _JOINED)),  # of this column and all right of it
            ("worth", np.float64, (COLUMNS + 1,)),  # of each column's table, then their sum
            ("sums_before", np.float32, (COLUMNS + 1, HIDDEN)),  # of the network's rows of these columns
            ("sums_behind", np.float32, (COLUMNS + 1, HIDDEN)),
            ("terms", np.int64, (TERMS,)),  # working memory
            ("after", np.int64, (COLUMNS,)),  # working memory
        ],
    )
)


def new_board() -> np.record:
    """Returns the memory of a board."""
    board: np.record = np.zeros(1, dtype=BOARD)[0]
    return board


@lean
def prepare(board: np.record, lines: Scalar, level: Scalar, player: PointsPlayer) -> None:
    """Write what the columns of `board.stacks` contribute after `lines` lines at `level`."""
    values, limits = player.values, player.limits
    place = place_on_course(lines, level, player)
    phase = first_of_phase(place)
    level = min(level, len(limits) - 1)
    visible, parts, worth = board.visible, board.parts, board.worth
    board.totals[:] = 0
    worth[COLUMNS] = 0.0
    visible[0] = visible[COLUMNS + 1] = VISIBLE
    for column in range(COLUMNS):
        visible[column + 1] = board.stacks[column] & VISIBLE
    for column in range(COLUMNS + 1):
        stack = visible[column + 1]
        parts[column, _EDGES] = popcount(visible[column] ^ stack)
        board.totals[_EDGES] += parts[column, _EDGES]
        if column == COLUMNS:
            break
        height, covered, parts[column, _DEPTH], parts[column, _CHANGES] = column_facts(stack)
        parts[column, _HOLES] = popcount(covered)
        parts[column, _WELLS] = well_cells(visible[column], stack, visible[column + 2])
        parts[column, _VOLUME] = height if column < _LAST else 0
        for part in (_HOLES, _DEPTH, _CHANGES, _WELLS, _VOLUME):
            board.totals[part] += parts[column, part]
        board.heights[column] = height
        worth[column] = values[phase + column_entry(column, stack, height)]
        worth[COLUMNS] += worth[column]
    _nothing(board.before[0])
    _nothing(board.behind[COLUMNS])
    for column in range(COLUMNS):
        _join(board.before[column], board.before[column + 1], column, visible[column + 1], limits[level])
        back = _LAST - column
        _join(board.behind[back + 1], board.behind[back], back, visible[back + 1], limits[level])
    if player.network.used:
        prepare_sums(board, place, player.stop_lines, player.network)


@lean
def leaf_value(board: np.record, place: Words, lines: Scalar, level: Scalar, player: PointsPlayer) -> float:
    """Returns the value from a lock at `place` (orientation, column, row) on a prepared board, with what it brings.

    `lines` and `level` are those before the lock.
    """
    values, limits = player.values, player.limits
    orientation, column, row = place[0], place[1], place[2]
    first, up = column + LEFT[orientation], ROWS - 1 - row
    last = first + WIDTH[orientation]
    before, behind, after, terms = board.before[first], board.behind[last], board.after[:], board.terms[:]
    full = before[_FULL] & behind[_FULL]
    for index in range(first, last):
        after[index] = board.stacks[index] | (CELLS_IN[orientation, index - first] << up) >> 1
        full &= after[index]
    if full:
        removed = lock_columns(board.stacks[:], after, orientation, column, row)
        gained, lines, level = gain(removed, lines, level, player)
        return gained if is_over(lines, level, player) else gained + points_of(after, lines, level, player, terms)
    lines = place_on_course(lines, level, player)
    level = min(level, len(limits) - 1)
    phase = first_of_phase(lines)
    visible, parts, totals, heights = board.visible, board.parts, board.totals, board.heights
    ready, taken = before[_READY] & behind[_READY], before[_TAKEN] | behind[_TAKEN]
    hole_rows = before[_HOLE_ROWS] | behind[_HOLE_ROWS]
    highest = max(before[_HIGHEST], behind[_HIGHEST])
    left, right = min(before[_LEFT], behind[_LEFT]), min(before[_RIGHT], behind[_RIGHT])
    holes, depth, changes, edges, wells, volume = (
        totals[_HOLES],
        totals[_DEPTH],
        totals[_CHANGES],
        totals[_EDGES],
        totals[_WELLS],
        totals[_VOLUME],
    )
    value: float = board.worth[COLUMNS] + player.rewards[0, 0]
    for index in range(first, last):
        stack = after[index] & VISIBLE
        after[index], visible[index + 1] = visible[index + 1], stack
        height, covered, below, changed = column_facts(stack)
        heights[index] = height
        value += values[phase + column_entry(index, stack, height)] - board.worth[index]
        holes += popcount(covered) - parts[index, _HOLES]
        depth += below - parts[index, _DEPTH]
        changes += changed - parts[index, _CHANGES]
        hole_rows |= covered
        taken |= stack
        highest = max(highest, height)
        if index < _LAST:
            ready &= stack
            volume += height - parts[index, _VOLUME]
            if index < COLUMNS // 2:
                left = min(left, limits[level, index] - height)
            else:
                right = min(right, limits[level, index] - height)
    for index in range(first, last + 1):
        edges += popcount(visible[index] ^ visible[index + 1]) - parts[index, _EDGES]
    for index in range(max(first - 1, 0), min(last + 1, COLUMNS)):
        wells += well_cells(visible[index], visible[index + 1], visible[index + 2]) - parts[index, _WELLS]
    surface = fitting = 0
    for index in range(1, _LAST):
        surface = with_step(surface, heights[index] - heights[index - 1])
        if index >= STEPS:
            fitting |= FITTING[surface % SURFACE_VALUES]
            value += values[phase + surface_entry(index - STEPS, surface)]
    write_entries(
        terms,
        phase,
        lines,
        heights[_LAST],
        popcount(ready >> heights[_LAST]),
        left,
        right,
        highest,
        popcount(hole_rows),
        holes,
        depth,
        wells,
        edges - 2 * (ROWS - popcount(taken)),
        changes,
        fitting,
        volume,
        int(player.qualities[surface]),
    )
    for index in range(SURFACES + COLUMNS, TERMS):
        value += values[terms[index]]
    if player.network.used:
        value += part_of_leaf(board, first, last, phase, player.network)
    for index in range(first, last):
        visible[index + 1] = after[index]
        heights[index] = length(after[index])
    return value


@inlined
def _nothing(joined: NDArray[np.int64]) -> None:
    joined[_FULL] = joined[_READY] = VISIBLE
    joined[_TAKEN] = joined[_HOLE_ROWS] = joined[_HIGHEST] = 0
    joined[_LEFT] = joined[_RIGHT] = ROWS


@inlined
def _join(
    one: NDArray[np.int64], joined: NDArray[np.int64], column: Scalar, stack: Scalar, limits: NDArray[np.int64]
) -> None:
    """Write `one` with one more column into `joined`."""
    height = length(stack)
    for fact in range(_JOINED):
        joined[fact] = one[fact]
    joined[_FULL] &= stack
    joined[_TAKEN] |= stack
    joined[_HOLE_ROWS] |= ((1 << height) - 1) ^ stack
    joined[_HIGHEST] = max(joined[_HIGHEST], height)
    if column < _LAST:
        joined[_READY] &= stack
        side = _LEFT if column < COLUMNS // 2 else _RIGHT
        joined[side] = min(joined[side], limits[column] - height)
