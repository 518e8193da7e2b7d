"""The potential of a field: the best chain that one to three puyos can trigger; knows no features and no search."""

from __future__ import annotations

import math
from typing import Final

from emubot.games.colours.board.resolve import left_of, resolve, right_of
from emubot.games.colours.board.words import Board, height_at, heights_of, put
from emubot.games.colours.layout import FLOOR, HALF, LANE
from emubot.games.colours.rules import COLORS, COLUMNS
from emubot.games.colours.scoring import LINKING_AT, VISIBLE_AT, Table
from emubot.jit import Scalar, inlined, lean

MOST_ADDED: Final = 3  # puyos of one colour dropped on one column
_PER_PUYO: Final = 0.15  # share of a chain's value lost for each puyo after the first that it needs
_UNIT: Final = 100.0  # the square root of 10,000 points


@inlined
def root_of(points: Scalar) -> float:
    """Returns the square root of the points, scaled to 1 at 10,000; one more chain step multiplies it by about 1.4."""
    return math.sqrt(points) / _UNIT


@lean
def potential(board: Board, table: Table) -> float:
    """Returns the best root of points from up to three puyos of one colour, dropped on one column.

    Each puyo after the first takes 15 % off. Only visible rows and places beside the same colour are tried.
    """
    best = 0.0
    heights, visible = heights_of(board), table[VISIBLE_AT]
    linking = table[LINKING_AT] * FLOOR
    for color in range(1, COLORS + 1):
        k1, k2, k4 = -(color & 1), -(color >> 1 & 1), -(color >> 2 & 1)
        left = ~((board[0] ^ k1) | (board[1] ^ k2) | (board[2] ^ k4)) & linking
        right = ~((board[4] ^ k1) | (board[5] ^ k2) | (board[6] ^ k4)) & linking
        if left | right == 0:
            continue
        to_left, to_right = left_of(left, right)
        from_left, from_right = right_of(left, right)
        near_left = left << 1 | to_left | from_left
        near_right = right << 1 | to_right | from_right
        for column in range(COLUMNS):
            level = height_at(heights, column)
            near = (near_left if column < HALF else near_right) >> (column % HALF * LANE + level)
            if near & ((1 << MOST_ADDED) - 1) == 0:
                continue
            after, share = board, 1.0
            for added in range(min(MOST_ADDED, visible - level)):
                after = put(after, column, level + added, color)
                _, _, chain, points = resolve(after, table)
                if chain:
                    best = max(best, root_of(points) * share)
                    break
                share -= _PER_PUYO
    return best
