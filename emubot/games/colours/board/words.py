"""The field as bitboards: converts cells and words, adds pieces, removes cells; knows no groups and no scores.

A word is an int64 of three columns, 16 bits each; bit 0 of a column is the floor row, bits 14 and 15 are never set.
A board has eight words: planes 1, 2, 4 and 8 of the kinds in columns 0 to 2, then the same of columns 3 to 5. So
nuisance (7) is in the first three planes and an obstacle (8) only in the fourth. Boards are settled: no empty cell is
below a filled one, so a column is a stack, and its cells fall when a cell below them is removed.
Heights are one int64, four bits per column.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import MOVES_AT_ONCE, compress, lowest, popcount, spread
from emubot.games.colours.layout import COLUMN, FLOOR, HALF, LANE, WORD
from emubot.games.colours.rules import COLUMNS, DOWN, EMPTY, LEFT, MOST_STORED_ROWS, OBSTACLE, RIGHT, UP
from emubot.jit import Scalar, inlined, kernel

HEIGHT_BITS: Final = 4
HEIGHT_MASK: Final = (1 << HEIGHT_BITS) - 1
_SIGN: Final = 63  # a shift by so many bits leaves -1 of a negative number, and 0 of another one

Board: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]
Cells: TypeAlias = NDArray[np.uint8]

NO_PUYO: Final[Board] = (0, 0, 0, 0, 0, 0, 0, 0)


def checked_cells(cells: NDArray[Any]) -> Cells:
    """Returns the cells as uint8 (stored rows, 6), settled. Raises ValueError for a wrong shape or kind."""
    array = np.asarray(cells)
    if array.ndim != 2 or array.shape[1] != COLUMNS or not 0 < array.shape[0] <= MOST_STORED_ROWS:
        raise ValueError(f"a field has 1 to {MOST_STORED_ROWS} rows of {COLUMNS} cells, not {array.shape}")
    if array.min() < EMPTY or array.max() > OBSTACLE:
        raise ValueError(f"a cell holds 0 to {OBSTACLE}, not {array.min()} to {array.max()}")
    settled = array.astype(np.uint8, order="C")
    settle(settled)
    return settled


@kernel
def settle(cells: Cells) -> None:
    """Let all cells of an array fall as far as they can, in place."""
    for column in range(COLUMNS):
        bottom = cells.shape[0] - 1
        for index in range(cells.shape[0] - 1, -1, -1):
            kind = cells[index, column]
            if kind != EMPTY:
                cells[index, column] = EMPTY
                cells[bottom, column] = kind
                bottom -= 1


@kernel
def board_of(cells: Cells) -> Board:
    """Returns the board of a settled cells array, uint8 (stored rows, 6); index 0 is the topmost stored row."""
    board = (0, 0, 0, 0, 0, 0, 0, 0)
    stored = cells.shape[0]
    for column in range(COLUMNS):
        for level in range(stored):
            kind = int(cells[stored - 1 - level, column])
            if kind != EMPTY:
                board = put(board, column, level, kind)
    return board


@kernel
def fill_cells(board: Board, cells: Cells) -> None:
    """Write the board into a cells array, uint8 (stored rows, 6)."""
    stored = cells.shape[0]
    for column in range(COLUMNS):
        for level in range(stored):
            cells[stored - 1 - level, column] = kind_at(board, column, level)


@inlined
def kind_at(board: Board, column: Scalar, level: Scalar) -> Scalar:
    """Returns the kind in a column, `level` cells above the floor row."""
    shift = (column % HALF) * LANE + level
    if column < HALF:
        p1, p2, p4, p8 = board[0], board[1], board[2], board[3]
    else:
        p1, p2, p4, p8 = board[4], board[5], board[6], board[7]
    return (p1 >> shift & 1) | (p2 >> shift & 1) << 1 | (p4 >> shift & 1) << 2 | (p8 >> shift & 1) << 3


@inlined
def put(board: Board, column: Scalar, level: Scalar, kind: Scalar) -> Board:
    """Returns the board with `kind` put into an empty cell; kind 0 changes nothing."""
    left = (1 << (column * LANE + level)) if column < HALF else 0
    right = (1 << ((column - HALF) * LANE + level)) if column >= HALF else 0
    k1, k2, k4, k8 = -(kind & 1), -(kind >> 1 & 1), -(kind >> 2 & 1), -(kind >> 3 & 1)
    return (
        board[0] | (left & k1),
        board[1] | (left & k2),
        board[2] | (left & k4),
        board[3] | (left & k8),
        board[4] | (right & k1),
        board[5] | (right & k2),
        board[6] | (right & k4),
        board[7] | (right & k8),
    )


@inlined
def filled(board: Board) -> tuple[Scalar, Scalar]:
    """Returns the filled cells: the word of columns 0 to 2 and the word of columns 3 to 5."""
    return board[0] | board[1] | board[2] | board[3], board[4] | board[5] | board[6] | board[7]


@inlined
def empty_board() -> Board:
    """Returns an empty board. Its type is that of the kernels' results, so nothing is compiled for literal zeros."""
    none = np.int64(0)
    return none, none, none, none, none, none, none, none


@inlined
def heights_of(board: Board) -> Scalar:
    """Returns the heights of all columns, packed."""
    left, right = filled(board)
    return (
        popcount(left & COLUMN)
        | popcount(left >> LANE & COLUMN) << HEIGHT_BITS
        | popcount(left >> 2 * LANE) << 2 * HEIGHT_BITS
        | popcount(right & COLUMN) << 3 * HEIGHT_BITS
        | popcount(right >> LANE & COLUMN) << 4 * HEIGHT_BITS
        | popcount(right >> 2 * LANE) << 5 * HEIGHT_BITS
    )


@inlined
def height_at(heights: Scalar, column: Scalar) -> Scalar:
    """Returns the height of one column from the packed heights."""
    return heights >> (HEIGHT_BITS * column) & HEIGHT_MASK


@inlined
def tops_of(board: Board) -> tuple[Scalar, Scalar]:
    """Returns the lowest empty cell of each column as two words."""
    left, right = filled(board)
    return (left + FLOOR) & ~left & WORD, (right + FLOOR) & ~right & WORD


@inlined
def drop_pair(
    board: Board, orientation: Scalar, column: Scalar, pivot: Scalar, satellite: Scalar, stored: Scalar
) -> Board:
    """Returns the board with both halves of a pair dropped, the lower one first.

    A half that ends above the stored rows vanishes. `column` is the pivot's; both columns must be on the field.
    """
    # No branch on what is drawn at random: a processor would guess it wrong half the time.
    other = column + int(orientation == RIGHT) - int(orientation == LEFT)
    rise, other_rise = int(orientation == DOWN), int(orientation == UP)
    tops_a, tops_b = tops_of(board)
    room = ((1 << stored) - 1) * FLOOR
    p_a, p_b = _in_column(tops_a, tops_b, column)
    s_a, s_b = _in_column(tops_a, tops_b, other)
    p_a, p_b, s_a, s_b = p_a << rise & room, p_b << rise & room, s_a << other_rise & room, s_b << other_rise & room
    p1, p2, p4, p8 = -(pivot & 1), -(pivot >> 1 & 1), -(pivot >> 2 & 1), -(pivot >> 3 & 1)
    s1, s2, s4, s8 = -(satellite & 1), -(satellite >> 1 & 1), -(satellite >> 2 & 1), -(satellite >> 3 & 1)
    return (
        board[0] | (p_a & p1) | (s_a & s1),
        board[1] | (p_a & p2) | (s_a & s2),
        board[2] | (p_a & p4) | (s_a & s4),
        board[3] | (p_a & p8) | (s_a & s8),
        board[4] | (p_b & p1) | (s_b & s1),
        board[5] | (p_b & p2) | (s_b & s2),
        board[6] | (p_b & p4) | (s_b & s4),
        board[7] | (p_b & p8) | (s_b & s8),
    )


@inlined
def _in_column(left: Scalar, right: Scalar, column: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the cells of two words that are in one column."""
    on_left = column - HALF >> _SIGN  # all bits or none
    lane = COLUMN << (column - (HALF & ~on_left)) * LANE
    return left & lane & on_left, right & lane & ~on_left


@inlined
def removed(board: Board, left: Scalar, right: Scalar) -> Board:
    """Returns the board without the cells of two words; the cells above them fall."""
    if MOVES_AT_ONCE:
        return _removed_at_once(board, left, right)
    return _removed_one_by_one(board, left, right)


@inlined
def _removed_at_once(board: Board, left: Scalar, right: Scalar) -> Board:
    """Take the cells that stay out of each word, side by side, and lay them down again as stacks."""
    w0, w1, w2, w3, w4, w5, w6, w7 = board
    stay_a, stay_b = (w0 | w1 | w2 | w3) & ~left, (w4 | w5 | w6 | w7) & ~right
    stacks_a, stacks_b = _stacks_of(stay_a), _stacks_of(stay_b)
    if w3 | w7:  # obstacles are rare
        w3, w7 = spread(compress(w3, stay_a), stacks_a), spread(compress(w7, stay_b), stacks_b)
    return (
        spread(compress(w0, stay_a), stacks_a),
        spread(compress(w1, stay_a), stacks_a),
        spread(compress(w2, stay_a), stacks_a),
        w3,
        spread(compress(w4, stay_b), stacks_b),
        spread(compress(w5, stay_b), stacks_b),
        spread(compress(w6, stay_b), stacks_b),
        w7,
    )


@inlined
def _stacks_of(cells: Scalar) -> Scalar:
    """Returns a word with as many cells in each column as `cells` has, from the floor up."""
    first, second, third = popcount(cells & COLUMN), popcount(cells >> LANE & COLUMN), popcount(cells >> 2 * LANE)
    return (1 << first) - 1 | ((1 << second) - 1) << LANE | ((1 << third) - 1) << 2 * LANE


@kernel
def _removed_one_by_one(board: Board, left: Scalar, right: Scalar) -> Board:
    w0, w1, w2, w3, w4, w5, w6, w7 = board
    while left:
        # The lowest cell first: the rest of the mask falls together with the board.
        bit = lowest(left)
        below = (1 << bit) - 1
        above = (WORD >> ((HALF - 1 - bit // LANE) * LANE)) & ~(below | 1 << bit)
        keep = ~(above | 1 << bit)
        w0 = (w0 & keep) | (w0 & above) >> 1
        w1 = (w1 & keep) | (w1 & above) >> 1
        w2 = (w2 & keep) | (w2 & above) >> 1
        w3 = (w3 & keep) | (w3 & above) >> 1
        left = (left & keep) | (left & above) >> 1
    while right:
        bit = lowest(right)
        below = (1 << bit) - 1
        above = (WORD >> ((HALF - 1 - bit // LANE) * LANE)) & ~(below | 1 << bit)
        keep = ~(above | 1 << bit)
        w4 = (w4 & keep) | (w4 & above) >> 1
        w5 = (w5 & keep) | (w5 & above) >> 1
        w6 = (w6 & keep) | (w6 & above) >> 1
        w7 = (w7 & keep) | (w7 & above) >> 1
        right = (right & keep) | (right & above) >> 1
    return w0, w1, w2, w3, w4, w5, w6, w7


@kernel
def with_nuisance(board: Board, rows: Scalar, extra: Scalar, kind: Scalar, stored: Scalar) -> Board:
    """Returns the board with `rows` cells of `kind` on every column, and one more on the columns of the mask `extra`.

    Cells above the stored rows vanish.
    """
    heights = heights_of(board)
    for column in range(COLUMNS):
        level = height_at(heights, column)
        for index in range(level, min(stored, level + rows + (extra >> column & 1))):
            board = put(board, column, index, kind)
    return board
