"""Values all drops of one orientation at once, by the columns that they change; knows no search and no game.

Most drops remove no row. They change at most four columns, and of the others only what lies beside these. So the parts
of the board are written once for all drops of a piece, and the changed parts are replaced. Drops in neighbouring
columns do the same with different words: such loops have no branch, and processors run several drops of them at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.board import CELLS
from emubot.games.tetris.evaluation.features import Stacks
from emubot.games.tetris.textbook.board import SHAPE, TALL, UNDERSIDE
from emubot.jit import Scalar, inlined, lean

_HALF: Final = 32
MOST_ROWS: Final = _HALF - 1  # with an empty cell above each, two columns fit into a word

# Of each orientation, for CELLS columns: all bits if the piece is in the column, else none; its lowest row there; the
# row above its highest cell; its number of cells.
_IN = -(SHAPE != 0).astype(np.int64)
_LOW = np.where(SHAPE != 0, UNDERSIDE, 0).astype(np.int64)
_TOP = np.array([[int(word).bit_length() for word in words] for words in SHAPE], dtype=np.int64)
_COUNT = np.array([[int(word).bit_count() for word in words] for words in SHAPE], dtype=np.int64)

MARGIN: Final = 2
LANES: Final = 8  # drops valued at once
_SPAN: Final = 32  # at least MARGIN, the most columns filled up to whole lanes, CELLS and 1
# The working memory, int64: rows of _SPAN entries, of which entry MARGIN + c is for column c. First the board before
# the drop. Walls are filled columns, higher than every stack and each than the one before it: no step there counts.
_WORD, _HEIGHT, _COVERED = (_SPAN * row for row in range(3))  # the last one: 1 if the column has a hole
_FULL_LEFT, _FULL_RIGHT = (_SPAN * row for row in range(3, 5))  # rows filled in all columns before it; from it on
_EDGES, _WELLS = (_SPAN * row for row in range(5, 7))  # transitions along rows and wells, up to this column
_STEPS_LEFT, _STEPS_RIGHT = (_SPAN * row for row in range(7, 9))  # height steps up to this column; from it on
# Then the board after each drop of an orientation, by the drop's leftmost column: the row of its lowest cell; not 0 if
# it has to be valued on the whole board; its value so far, a float64; CELLS rows with the changed columns.
LOWEST, SPECIAL, VALUE, _NEW = (_SPAN * row for row in range(9, 13))
# Behind these rows, of the board before the drop: row_transitions, column_transitions, holes, cumulative_wells,
# hole_depth, and the rows with holes as a word.
_EDGES_BEFORE, _CHANGES_BEFORE, _HOLES_BEFORE, _WELLS_BEFORE, _DEPTH_BEFORE, _HOLE_ROWS = (
    _SPAN * (12 + CELLS) + number for number in range(6)
)
LANES_END: Final = _HOLE_ROWS + 1
_WALL: Final = 40
_WALL_STEP: Final = 3
_STEP_BITS: Final = 0b0111110  # steps that count for pattern_diversity

# A second array for the values could overlap for all that the compiler knows, and it would vectorize no loop.
Memory = NDArray[np.int64]


@inlined
def _plain(first: Scalar) -> Scalar:
    """Returns `first` so that the compiler sees that it is not negative; otherwise it vectorizes no loop from there."""
    return (first - MARGIN & (_SPAN - 1)) + MARGIN


@inlined
def _step(height: Scalar, right: Scalar) -> Scalar:
    """Returns one bit for the step from a column's height to that of the column to its right."""
    return np.int64(1) << min(max(height - right + 3, 0), 6) & _STEP_BITS


@inlined
def _wells(cells: Scalar) -> Scalar:
    """Returns what these cells add to cumulative_wells; the usual depths without a branch."""
    two = cells & cells << 1
    three = two & cells << 2
    count = popcount(cells) + popcount(two) + popcount(three)
    cells = three & cells << 3
    while cells:
        count += popcount(cells)
        cells &= cells << 1
    return count


@lean
def write_before(stacks: Stacks, rows: Scalar, memory: Memory) -> None:
    """Write the board before the drop: what lanes need of it."""
    cells = memory
    end = len(stacks) + MARGIN
    walls = (np.int64(1) << rows) - 1
    changes = holes = depth = 0
    hole_rows = np.int64(0)
    for at in range(MARGIN):
        cells[_WORD + at], cells[_HEIGHT + at] = walls, _WALL
    for at in range(end, _SPAN):
        cells[_WORD + at], cells[_HEIGHT + at] = walls, _WALL + _WALL_STEP * min(at - end, CELLS)
        cells[_FULL_RIGHT + at], cells[_STEPS_RIGHT + at] = -1, 0
    for at in range(MARGIN, end):
        word = stacks[at - MARGIN]
        height = length(word)
        cells[_WORD + at], cells[_HEIGHT + at] = word, height
        covered = ((np.int64(1) << height) - 1) ^ word
        cells[_COVERED + at] = 1 if covered else 0
        changes += popcount(word ^ (word << 1 | 1))
        holes += popcount(covered)
        depth += popcount(word & (word + 1))
        hole_rows |= covered
    edges = wells = 0
    full, steps = np.int64(-1), np.int64(0)
    cells[_EDGES + 1] = cells[_WELLS] = cells[_WELLS + 1] = cells[_STEPS_LEFT + 1] = 0
    for at in range(MARGIN, end + CELLS + 1):
        cells[_FULL_LEFT + at] = full
        full &= cells[_WORD + at]
        edges += popcount(cells[_WORD + at - 1] ^ cells[_WORD + at])
        cells[_EDGES + at] = edges
        wells += _wells(cells[_WORD + at - 1] & cells[_WORD + at + 1] & ~cells[_WORD + at])
        cells[_WELLS + at] = wells
        steps |= _step(cells[_HEIGHT + at - 1], cells[_HEIGHT + at])
        cells[_STEPS_LEFT + at] = steps
    full, steps = np.int64(-1), np.int64(0)
    for at in range(end - 1, MARGIN - 1, -1):
        full &= cells[_WORD + at]
        cells[_FULL_RIGHT + at] = full
        steps |= _step(cells[_HEIGHT + at], cells[_HEIGHT + at + 1])
        cells[_STEPS_RIGHT + at] = steps
    cells[_EDGES_BEFORE], cells[_WELLS_BEFORE] = cells[_EDGES + end], cells[_WELLS + end - 1]
    cells[_CHANGES_BEFORE], cells[_HOLES_BEFORE] = changes, holes
    cells[_DEPTH_BEFORE], cells[_HOLE_ROWS] = depth, hole_rows


@lean
def write_drops(
    orientation: Scalar,
    first: Scalar,
    rows: Scalar,
    before: float,
    weights: NDArray[np.float64],
    memory: Memory,
) -> None:
    """Write LANES drops from `first` on, and begin their values by landing_height, of the locks before it `before`."""
    cells, values = memory, memory.view(np.float64)
    low0, low1, low2, low3 = _LOW[orientation, 0], _LOW[orientation, 1], _LOW[orientation, 2], _LOW[orientation, 3]
    in0, in1, in2, in3 = _IN[orientation, 0], _IN[orientation, 1], _IN[orientation, 2], _IN[orientation, 3]
    shape0, shape1 = SHAPE[orientation, 0], SHAPE[orientation, 1]
    shape2, shape3 = SHAPE[orientation, 2], SHAPE[orientation, 3]
    tall, weight = TALL[orientation], weights[0]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        lowest = max(
            (cells[_HEIGHT + at] - low0) & in0,
            (cells[_HEIGHT + at + 1] - low1) & in1,
            (cells[_HEIGHT + at + 2] - low2) & in2,
            (cells[_HEIGHT + at + 3] - low3) & in3,
            0,
        )
        new0, new1 = cells[_WORD + at] | shape0 << lowest, cells[_WORD + at + 1] | shape1 << lowest
        new2, new3 = cells[_WORD + at + 2] | shape2 << lowest, cells[_WORD + at + 3] | shape3 << lowest
        full = cells[_FULL_LEFT + at] & cells[_FULL_RIGHT + at + 4] & new0 & new1 & new2 & new3
        cells[LOWEST + at] = lowest
        cells[SPECIAL + at] = full | (1 if lowest > rows - tall else 0)
        cells[_NEW + at], cells[_NEW + _SPAN + at] = new0, new1
        cells[_NEW + 2 * _SPAN + at], cells[_NEW + 3 * _SPAN + at] = new2, new3
        values[VALUE + at] = weight * (np.int32(lowest + tall - 1 + lowest) / 2 + before)


@lean
def add_locks(
    orientation: Scalar,
    first: Scalar,
    rows: Scalar,
    sums: NDArray[np.float64],
    weights: NDArray[np.float64],
    memory: Memory,
) -> None:
    """Add the other features of the locks: those before it are `sums`."""
    cells, values = memory, memory.view(np.float64)
    tall = TALL[orientation]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        value = values[VALUE + at]
        for index in range(1, 6):
            value += weights[index] * sums[index]
        value += weights[6] * (rows - tall - cells[LOWEST + at] + sums[6])
        values[VALUE + at] = value + weights[7] * (cells[LOWEST + at] + sums[7])


@lean
def add_shape(orientation: Scalar, first: Scalar, weights: NDArray[np.float64], memory: Memory) -> None:
    """Add row_transitions, column_transitions and holes."""
    cells, values = memory, memory.view(np.float64)
    edges, changes, holes = cells[_EDGES_BEFORE], cells[_CHANGES_BEFORE], cells[_HOLES_BEFORE]
    low0, low1, low2, low3 = _LOW[orientation, 0], _LOW[orientation, 1], _LOW[orientation, 2], _LOW[orientation, 3]
    in0, in1, in2, in3 = _IN[orientation, 0], _IN[orientation, 1], _IN[orientation, 2], _IN[orientation, 3]
    by_edges, by_changes, by_holes = weights[8], weights[9], weights[10]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        lowest = cells[LOWEST + at]
        new0, new1 = cells[_NEW + at], cells[_NEW + _SPAN + at]
        new2, new3 = cells[_NEW + 2 * _SPAN + at], cells[_NEW + 3 * _SPAN + at]
        new_edges = (
            popcount((cells[_WORD + at - 1] ^ new0) | (new0 ^ new1) << _HALF)
            + popcount((new1 ^ new2) | (new2 ^ new3) << _HALF)
            + popcount(new3 ^ cells[_WORD + at + 4])
            + cells[_EDGES + at - 1]
            - cells[_EDGES + at + 4]
        )
        gap0, gap1 = (lowest + low0 - cells[_HEIGHT + at]) & in0, (lowest + low1 - cells[_HEIGHT + at + 1]) & in1
        gap2, gap3 = (lowest + low2 - cells[_HEIGHT + at + 2]) & in2, (lowest + low3 - cells[_HEIGHT + at + 3]) & in3
        new_changes = (2 if gap0 > 0 else 0) + (2 if gap1 > 0 else 0) + (2 if gap2 > 0 else 0) + (2 if gap3 > 0 else 0)
        value = values[VALUE + at] + by_edges * np.int32(edges + new_edges)
        value += by_changes * np.int32(changes + new_changes)
        values[VALUE + at] = value + by_holes * np.int32(holes + gap0 + gap1 + gap2 + gap3)


@lean
def add_wells(first: Scalar, weights: NDArray[np.float64], memory: Memory) -> None:
    """Add cumulative_wells; a well deeper than four cells beside the piece makes the drop special."""
    cells, values = memory, memory.view(np.float64)
    wells, weight = cells[_WELLS_BEFORE], weights[11]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        before2, before1 = cells[_WORD + at - 2], cells[_WORD + at - 1]
        new0, new1 = cells[_NEW + at], cells[_NEW + _SPAN + at]
        new2, new3 = cells[_NEW + 2 * _SPAN + at], cells[_NEW + 3 * _SPAN + at]
        after1, after2 = cells[_WORD + at + 4], cells[_WORD + at + 5]
        one = (before2 & new0 & ~before1) | (before1 & new1 & ~new0) << _HALF
        two = (new0 & new2 & ~new1) | (new1 & new3 & ~new2) << _HALF
        three = (new2 & after1 & ~new3) | (new3 & after2 & ~after1) << _HALF
        count = popcount(one) + popcount(two) + popcount(three)
        one, two, three = one & one << 1, two & two << 1, three & three << 1
        count += popcount(one) + popcount(two) + popcount(three)
        one, two, three = one & one << 1, two & two << 1, three & three << 1
        count += popcount(one) + popcount(two) + popcount(three)
        one, two, three = one & one << 1, two & two << 1, three & three << 1
        count += popcount(one) + popcount(two) + popcount(three)
        cells[SPECIAL + at] |= one & one << 1 | two & two << 1 | three & three << 1
        values[VALUE + at] += weight * np.int32(wells + count + cells[_WELLS + at - 2] - cells[_WELLS + at + 4])


@lean
def add_covers(orientation: Scalar, first: Scalar, weights: NDArray[np.float64], memory: Memory) -> None:
    """Add hole_depth and rows_with_holes."""
    cells, values = memory, memory.view(np.float64)
    depth, hole_rows = cells[_DEPTH_BEFORE], cells[_HOLE_ROWS]
    low0, low1, low2, low3 = _LOW[orientation, 0], _LOW[orientation, 1], _LOW[orientation, 2], _LOW[orientation, 3]
    in0, in1, in2, in3 = _IN[orientation, 0], _IN[orientation, 1], _IN[orientation, 2], _IN[orientation, 3]
    count0, count1 = _COUNT[orientation, 0], _COUNT[orientation, 1]
    count2, count3 = _COUNT[orientation, 2], _COUNT[orientation, 3]
    by_depth, by_rows = weights[12], weights[13]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        lowest = cells[LOWEST + at]
        height0, height1 = cells[_HEIGHT + at], cells[_HEIGHT + at + 1]
        height2, height3 = cells[_HEIGHT + at + 2], cells[_HEIGHT + at + 3]
        gap0, gap1 = (lowest + low0 - height0) & in0, (lowest + low1 - height1) & in1
        gap2, gap3 = (lowest + low2 - height2) & in2, (lowest + low3 - height3) & in3
        new_rows = (
            ((1 << gap0) - 1) << (height0 & in0)
            | ((1 << gap1) - 1) << (height1 & in1)
            | ((1 << gap2) - 1) << (height2 & in2)
            | ((1 << gap3) - 1) << (height3 & in3)
        )
        new_depth = (
            (count0 if cells[_COVERED + at] + gap0 > 0 else 0)
            + (count1 if cells[_COVERED + at + 1] + gap1 > 0 else 0)
            + (count2 if cells[_COVERED + at + 2] + gap2 > 0 else 0)
            + (count3 if cells[_COVERED + at + 3] + gap3 > 0 else 0)
        )
        value = values[VALUE + at] + by_depth * np.int32(depth + new_depth)
        values[VALUE + at] = value + by_rows * np.int32(popcount(hole_rows | new_rows))


@lean
def add_steps(orientation: Scalar, first: Scalar, weights: NDArray[np.float64], memory: Memory) -> None:
    """Add pattern_diversity."""
    cells, values = memory, memory.view(np.float64)
    in0, in1, in2, in3 = _IN[orientation, 0], _IN[orientation, 1], _IN[orientation, 2], _IN[orientation, 3]
    top0, top1, top2, top3 = _TOP[orientation, 0], _TOP[orientation, 1], _TOP[orientation, 2], _TOP[orientation, 3]
    weight = weights[14]
    first = _plain(first)
    for lane in range(LANES):
        at = first + lane
        lowest = cells[LOWEST + at]
        height0 = (lowest + top0) & in0 | cells[_HEIGHT + at] & ~in0
        height1 = (lowest + top1) & in1 | cells[_HEIGHT + at + 1] & ~in1
        height2 = (lowest + top2) & in2 | cells[_HEIGHT + at + 2] & ~in2
        height3 = (lowest + top3) & in3 | cells[_HEIGHT + at + 3] & ~in3
        seen = _step(cells[_HEIGHT + at - 1], height0) | _step(height0, height1) | _step(height1, height2)
        seen |= _step(height2, height3) | _step(height3, cells[_HEIGHT + at + 4])
        values[VALUE + at] += weight * np.int32(
            popcount(seen | cells[_STEPS_LEFT + at - 1] | cells[_STEPS_RIGHT + at + 4])
        )
