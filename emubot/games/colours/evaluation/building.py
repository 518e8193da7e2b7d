"""The value of a field that a chain is built on: what its triggers set off, and its shape; knows no search and no RAM.

The features have weights of their own, in units of a hundredth of a chain step. Those of the shape are cheap
(`shape_value`); those of the triggers try every chain that one to three puyos of one colour set off (`chain_value`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import lowest, popcount
from emubot.games.colours.board.resolve import Links, left_of, right_of
from emubot.games.colours.board.triggers import cells_of_color, chain_after, first_pop, groups_of, triggers_of
from emubot.games.colours.board.words import Board, height_at, tops_of
from emubot.games.colours.evaluation.puyo_names import BUILDING_NAMES
from emubot.games.colours.layout import FLOOR, LANE
from emubot.games.colours.reach.entry import cut_off
from emubot.games.colours.rules import COLORS, COLUMNS
from emubot.games.colours.scoring import LINKING_AT, SPAWN_AT, Table
from emubot.jit import Scalar, inlined, lean

BUILDING: Final = len(BUILDING_NAMES)
CHAIN, HEIGHT, SECOND, THIRD, SECOND_CHAIN, CHAIN_SUM, TRIGGERS, PAIRS, THREES, WELLS, ROUGHNESS = range(11)
COLUMN_1: Final = 11
DOWN, UP, TWO_ABOVE, THREE_ABOVE, ACROSS, PUYOS, NUISANCES, SPAWN, TORN, CUT_OFF = range(COLUMN_1 + COLUMNS, BUILDING)
_HIGH: Final = 8
_BELOW_THREE: Final = (1 << LANE - 3) - 1

Weighing = NDArray[np.float64]  # (BUILDING,)


@lean
def chain_value(board: Board, links: Links, table: Table, weights: Weighing, tried: NDArray[np.int64]) -> float:
    """Returns the weighted features of the triggers of a field without groups of four; 0 if there are none.

    `tried`, int64 (COLUMNS, 3), is scratch.
    """
    cells = table[LINKING_AT]
    groups, tops = groups_of(board, links, cells), tops_of(board)
    best, best_chain, second, total, count = 0.0, 0, 0, 0, 0
    for color in range(1, COLORS + 1):
        mine_a, mine_b = cells_of_color(board, color, cells)
        if mine_a | mine_b == 0:
            continue
        one_a, one_b, two_a, two_b, three_a, three_b = triggers_of(mine_a, mine_b, groups, tops, cells)
        left_a, left_b = one_a | two_a | three_a, one_b | two_b | three_b
        known = 0
        while left_a | left_b:
            top_a = left_a & -left_a
            top_b = 0 if top_a else left_b & -left_b
            left_a ^= top_a
            left_b ^= top_b
            # One, two or three puyos from the top upwards.
            more = 2 if (three_a & top_a) | (three_b & top_b) else 1 if (two_a & top_a) | (two_b & top_b) else 0
            added_a, added_b = (top_a << more + 1) - top_a, (top_b << more + 1) - top_b
            gone_a, gone_b = first_pop(mine_a, mine_b, board, added_a, added_b, cells)
            length = 0
            for index in range(known):
                if tried[index, 0] == gone_a and tried[index, 1] == gone_b:
                    length = tried[index, 2]
            if length == 0:
                length = chain_after(board, gone_a, gone_b, cells)
                tried[known, 0], tried[known, 1], tried[known, 2] = gone_a, gone_b, length
                known += 1
            value = weights[CHAIN] * length + weights[HEIGHT] * (lowest(top_a if top_a else top_b) % LANE)
            if more:
                value += weights[SECOND] if more == 1 else weights[THIRD]
            count += 1
            total += length
            if count == 1 or value > best:
                second = max(second, best_chain)
                best, best_chain = value, length
            else:
                second = max(second, length)
    return float(best + weights[SECOND_CHAIN] * second + weights[CHAIN_SUM] * total + weights[TRIGGERS] * count)


@lean
def shape_value(board: Board, links: Links, heights: Scalar, table: Table, weights: Weighing) -> float:
    """Returns the weighted features of the shape of a field without groups of four."""
    up_a, up_b, right_a, right_b = links
    all_links = popcount(up_a) + popcount(up_b) + popcount(right_a) + popcount(right_b)
    threes = _middles(links)
    value = weights[PAIRS] * (all_links - 2 * threes) + weights[THREES] * threes

    h0, h1, h2 = height_at(heights, 0), height_at(heights, 1), height_at(heights, 2)
    h3, h4, h5 = height_at(heights, 3), height_at(heights, 4), height_at(heights, 5)
    mean = (h0 + h1 + h2 + h3 + h4 + h5) / COLUMNS
    value += weights[COLUMN_1] * (h0 - mean) + weights[COLUMN_1 + 1] * (h1 - mean)
    value += weights[COLUMN_1 + 2] * (h2 - mean) + weights[COLUMN_1 + 3] * (h3 - mean)
    value += weights[COLUMN_1 + 4] * (h4 - mean) + weights[COLUMN_1 + 5] * (h5 - mean)
    d0, d1, d2, d3, d4 = h1 - h0, h2 - h1, h3 - h2, h4 - h3, h5 - h4
    value += weights[ROUGHNESS] * (d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4)
    wells = max(0, d0) + max(0, min(-d0, d1)) + max(0, min(-d1, d2)) + max(0, min(-d2, d3))
    wells += max(0, min(-d3, d4)) + max(0, -d4)
    value += weights[WELLS] * wells
    high = max(0, height_at(heights, table[SPAWN_AT]) - _HIGH)
    value += weights[SPAWN] * (high * high)

    x1, x2, x4, y1, y2, y4 = board[0], board[1], board[2], board[4], board[5], board[6]
    grey_a, grey_b = x1 & x2 & x4, y1 & y2 & y4
    a, b = (x1 | x2 | x4) & ~grey_a, (y1 | y2 | y4) & ~grey_b
    value += weights[PUYOS] * (popcount(a) + popcount(b))
    if grey_a | grey_b:
        value += weights[NUISANCES] * (popcount(grey_a) + popcount(grey_b))
    n1, m1 = right_of(x1, y1)
    n2, m2 = right_of(x2, y2)
    n4, m4 = right_of(x4, y4)
    n, m = right_of(a, b)
    down = popcount(_equal(a, x1, x2, x4, n << 1, n1 << 1, n2 << 1, n4 << 1))
    down += popcount(_equal(b, y1, y2, y4, m << 1, m1 << 1, m2 << 1, m4 << 1))
    up = popcount(_equal(a, x1, x2, x4, n >> 1, n1 >> 1, n2 >> 1, n4 >> 1))
    up += popcount(_equal(b, y1, y2, y4, m >> 1, m1 >> 1, m2 >> 1, m4 >> 1))
    two = popcount(_equal(a, x1, x2, x4, a >> 2, x1 >> 2, x2 >> 2, x4 >> 2))
    two += popcount(_equal(b, y1, y2, y4, b >> 2, y1 >> 2, y2 >> 2, y4 >> 2))
    low = FLOOR * _BELOW_THREE  # above it, a shift by three brings the floor of the next column
    three = popcount(_equal(a & low, x1, x2, x4, a >> 3, x1 >> 3, x2 >> 3, x4 >> 3))
    three += popcount(_equal(b & low, y1, y2, y4, b >> 3, y1 >> 3, y2 >> 3, y4 >> 3))
    n1, m1 = right_of(n1, m1)
    n2, m2 = right_of(n2, m2)
    n4, m4 = right_of(n4, m4)
    n, m = right_of(n, m)
    across = popcount(_equal(a, x1, x2, x4, n, n1, n2, n4)) + popcount(_equal(b, y1, y2, y4, m, m1, m2, m4))
    value += weights[DOWN] * down + weights[UP] * up + weights[TWO_ABOVE] * two + weights[THREE_ABOVE] * three
    return float(value + weights[ACROSS] * across)


@lean
def access_value(heights: Scalar, limits: Scalar, table: Table, weights: Weighing) -> float:
    """Returns the weighted feature of what can be reached within `limits` (reach/entry.py)."""
    if weights[CUT_OFF] == 0.0:
        return 0.0
    return float(weights[CUT_OFF] * cut_off(heights, limits, table))


@inlined
def _equal(
    cells: Scalar, x1: Scalar, x2: Scalar, x4: Scalar, others: Scalar, o1: Scalar, o2: Scalar, o4: Scalar
) -> Scalar:
    return cells & others & ~((x1 ^ o1) | (x2 ^ o2) | (x4 ^ o4))


@inlined
def _middles(links: Links) -> Scalar:
    """Returns the number of groups of three: each has one cell with two links."""
    groups = 0
    up_a, up_b, right_a, right_b = links
    down_a, down_b = up_a << 1, up_b << 1
    left_a, left_b = left_of(right_a, right_b)
    groups += popcount((up_a & down_a) | (left_a & right_a) | ((up_a | down_a) & (left_a | right_a)))
    groups += popcount((up_b & down_b) | (left_b & right_b) | ((up_b | down_b) & (left_b | right_b)))
    return groups
