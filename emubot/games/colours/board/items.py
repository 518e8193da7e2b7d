"""The effect of the items of endless play on a field: Big Puyo, Carbuncle (facts: Famicom Puyo 3); knows no search.

In the original, their effect on obstacles and Carbuncle's choice of colour are unknown; the demo cartridge's are used.
"""

from __future__ import annotations

from emubot.games.colours.board.words import Board, filled, height_at, kind_at, removed
from emubot.games.colours.layout import COLUMN, HALF, LANE
from emubot.games.colours.rules import BIG, COLORS, COLUMNS
from emubot.jit import Scalar, kernel


@kernel
def drop_item(board: Board, heights: Scalar, column: Scalar, item: Scalar, stored: Scalar) -> Board:
    """Returns the board after an item, BIG or CARBUNCLE, and before any chain that it triggers."""
    return drop_big(board, column) if item == BIG else drop_carbuncle(board, heights, column, stored)


@kernel
def drop_big(board: Board, column: Scalar) -> Board:
    """Returns the board after a Big Puyo, its left half in `column` (0 to 4): two columns lose all but obstacles."""
    left, right = 0, 0
    for cleared in range(column, column + 2):
        if cleared < HALF:
            left |= COLUMN << (cleared * LANE)
        else:
            right |= COLUMN << ((cleared - HALF) * LANE)
    all_left, all_right = filled(board)
    return removed(board, left & all_left & ~board[3], right & all_right & ~board[7])


@kernel
def drop_carbuncle(board: Board, heights: Scalar, column: Scalar, stored: Scalar) -> Board:
    """Returns the board after a Carbuncle on `column`: coloured puyos at its sides get the colour of the one below it.

    It has no effect on the floor, on nuisance, on an obstacle or above the stored rows.
    """
    level = height_at(heights, column)
    if level == 0 or level >= stored:
        return board
    color = kind_at(board, column, level - 1)
    if color > COLORS:
        return board
    for side in (column - 1, column + 1):
        if 0 <= side < COLUMNS and height_at(heights, side) > level and kind_at(board, side, level) <= COLORS:
            board = _recolored(board, side, level, color)
    return board


@kernel
def _recolored(board: Board, column: Scalar, level: Scalar, color: Scalar) -> Board:
    """Returns the board with the colour of a filled cell changed."""
    left = (1 << (column * LANE + level)) if column < HALF else 0
    right = (1 << ((column - HALF) * LANE + level)) if column >= HALF else 0
    k1, k2, k4 = -(color & 1), -(color >> 1 & 1), -(color >> 2 & 1)
    return (
        (board[0] & ~left) | (left & k1),
        (board[1] & ~left) | (left & k2),
        (board[2] & ~left) | (left & k4),
        board[3],
        (board[4] & ~right) | (right & k1),
        (board[5] & ~right) | (right & k2),
        (board[6] & ~right) | (right & k4),
        board[7],
    )
