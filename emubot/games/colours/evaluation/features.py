"""Named features of the field after two locks, and their weighted sum; knows no search and no RAM.

The first seven have the names of the reference bot's features (facts: Famicom Puyo 5). Its scaling to 0..1 was not
published. Ours is stated with each function, and chosen so that self-play comes near the published counts. In all,
larger is better. "cells" are the stored cells (84, or 78 under Tsu rules); links and runs are counted in the rows that
link. Definitions change only together with FEATURE_VERSION. A new feature is added at the end; its weight is 0 in older
files.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.colours.board.chains import potential, root_of
from emubot.games.colours.board.resolve import Links
from emubot.games.colours.board.words import HEIGHT_BITS, HEIGHT_MASK, Board, heights_of
from emubot.games.colours.evaluation.measures import access, chance, headroom, peak, pillars, room, total_height
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES
from emubot.games.colours.layout import COLUMN, FLOOR, LANE
from emubot.games.colours.rules import COLORS, COLUMNS, MOST_STORED_ROWS, NUISANCE
from emubot.games.colours.scoring import NEARNESS_AT, NEARNESS_UNIT, STORED_AT, VISIBLE_AT, Table
from emubot.jit import Scalar, inlined, lean

FEATURES: Final = len(FEATURE_NAMES)
COLORED, NUISANCES, EDGES, SPAWN_DISTANCE, RUNS, VARIANCE, LINKS, POINTS, POTENTIAL, ROOM, HEADROOM, ACCESS = range(12)
PILLARS, TOTAL_HEIGHT, PEAK, POPPED, CHANCE = range(12, FEATURES)
WANTED_AT: Final = FEATURES  # index in the `scales` of `weigh`
VALUES_AT: Final = 2 * FEATURES
SCALES: Final = 3 * FEATURES

# For three cells of a row, three bits each: the number of equal neighbours, the first kind and the last kind.
_PAIRS_MASK, _FIRST_SHIFT, _LAST_SHIFT, _KIND = 3, 2, 5, 7


def _half_row(code: int) -> int:
    kinds = [kind for kind in (code & _KIND, code >> 3 & _KIND, code >> 6) if kind]
    pairs = sum(one == other <= COLORS for one, other in pairwise(kinds))
    return pairs | (kinds[0] << _FIRST_SHIFT | kinds[-1] << _LAST_SHIFT if kinds else 0)


_HALF_ROWS: Final = np.array([_half_row(code) for code in range(512)], dtype=np.int64)
_LEVEL_BITS: Final = tuple(
    FLOOR * sum(1 << level for level in range(MOST_STORED_ROWS) if level >> bit & 1) for bit in range(4)
)
_SHARE_ACROSS: Final = 2.0 / (COLUMNS - 1) ** 2  # scales the largest variance of columns to 1/2
_INVERSE: Final = np.array([0.0] + [1.0 / count for count in range(1, COLUMNS * MOST_STORED_ROWS + 1)])
_BIT_0, _BIT_1, _BIT_2, _BIT_3 = _LEVEL_BITS


@lean
def weigh(
    board: Board,
    links: Links,
    points: Scalar,
    laid: Scalar,
    limits: Scalar,
    table: Table,
    scales: NDArray[np.float64],
) -> float:
    """Returns the weighted sum of a board's features; computes only the wanted ones.

    `links` are the board's, `points` the score of the locks that led to it, `laid` the coloured puyos that it would
    have if nothing had popped, `limits` as in entry.py. `scales` holds FEATURES weights, then FEATURES numbers (0 if a
    feature is not wanted), then room for FEATURES values, which are written, and then any data of the caller.
    """
    value = 0.0
    if scales[WANTED_AT + COLORED] != 0.0:
        value += _weighed(COLORED, colored_puyos(board, table), scales)
    if scales[WANTED_AT + NUISANCES] != 0.0:
        value += _weighed(NUISANCES, nuisance_puyos(board, table), scales)
    if scales[WANTED_AT + EDGES] != 0.0:
        value += _weighed(EDGES, edges(board, table), scales)
    if scales[WANTED_AT + SPAWN_DISTANCE] != 0.0:
        value += _weighed(SPAWN_DISTANCE, spawn_distance(board, table), scales)
    if scales[WANTED_AT + RUNS] != 0.0:
        value += _weighed(RUNS, color_runs(board, links, table), scales)
    if scales[WANTED_AT + VARIANCE] != 0.0:
        value += _weighed(VARIANCE, color_variance(board, table), scales)
    if scales[WANTED_AT + LINKS] != 0.0:
        value += _weighed(LINKS, links_made(links, table), scales)
    if scales[WANTED_AT + POINTS] != 0.0:
        value += _weighed(POINTS, root_of(points), scales)
    if scales[WANTED_AT + POTENTIAL] != 0.0:
        value += _weighed(POTENTIAL, potential(board, table), scales)
    if scales[WANTED_AT + ROOM] != 0.0:
        value += _weighed(ROOM, room(board, table), scales)
    if scales[WANTED_AT + HEADROOM] != 0.0:
        value += _weighed(HEADROOM, headroom(board, table), scales)
    if scales[WANTED_AT + ACCESS] != 0.0:
        value += _weighed(ACCESS, access(board, limits, table), scales)
    if scales[WANTED_AT + PILLARS] != 0.0:
        value += _weighed(PILLARS, pillars(board), scales)
    if scales[WANTED_AT + TOTAL_HEIGHT] != 0.0:
        value += _weighed(TOTAL_HEIGHT, total_height(board, table), scales)
    if scales[WANTED_AT + PEAK] != 0.0:
        value += _weighed(PEAK, peak(board, table), scales)
    if scales[WANTED_AT + POPPED] != 0.0:
        value += _weighed(POPPED, popped(board, laid, table), scales)
    if scales[WANTED_AT + CHANCE] != 0.0:
        value += _weighed(CHANCE, chance(board), scales)
    return value


@lean
def _weighed(index: Scalar, value: float, scales: NDArray[np.float64]) -> float:
    scales[VALUES_AT + index] = value
    return float(scales[index] * value)


@inlined
def colors_of(board: Board) -> tuple[Scalar, Scalar]:
    """Returns the cells with a colour, as two words."""
    return (
        (board[0] | board[1] | board[2]) & ~(board[0] & board[1] & board[2]),
        (board[4] | board[5] | board[6]) & ~(board[4] & board[5] & board[6]),
    )


@inlined
def _most_links(table: Table) -> Scalar:
    """Returns the number of links of a visible field that is full of one colour."""
    rows = table[VISIBLE_AT]
    return COLUMNS * (rows - 1) + (COLUMNS - 1) * rows


@inlined
def colored_count(board: Board) -> Scalar:
    """Returns the number of coloured puyos of a field."""
    left, right = colors_of(board)
    return popcount(left) + popcount(right)


@inlined
def popped(board: Board, laid: Scalar, table: Table) -> float:
    """Share n / cells of the n coloured puyos that popped, vanished above the field or were removed by an item."""
    return float((laid - colored_count(board)) / (COLUMNS * table[STORED_AT]))


@inlined
def colored_puyos(board: Board, table: Table) -> float:
    """1 - n / cells for n coloured puyos."""
    return float(1.0 - colored_count(board) / (COLUMNS * table[STORED_AT]))


@inlined
def nuisance_puyos(board: Board, table: Table) -> float:
    """1 - n / cells for n nuisance puyos."""
    count = popcount(board[0] & board[1] & board[2]) + popcount(board[4] & board[5] & board[6])
    return float(1.0 - count / (COLUMNS * table[STORED_AT]))


@inlined
def edges(board: Board, table: Table) -> float:
    """1 - n / (2 cells), where each visible coloured puyo adds to n the number of its sides at an edge.

    That is one at the floor, a wall or the top visible row, and two in a corner.
    """
    left, right = colors_of(board)
    visible = table[VISIBLE_AT]
    ends = FLOOR | FLOOR << (visible - 1)
    column = (1 << visible) - 1
    walls = popcount(left & column) + popcount(right & column << 2 * LANE)
    return float(1.0 - (walls + popcount(left & ends) + popcount(right & ends)) / (2 * COLUMNS * table[STORED_AT]))


@inlined
def spawn_distance(board: Board, table: Table) -> float:
    """1 - s / cells, where each filled cell adds its nearness to s: 1 at the spawn cell, 0 at the furthest cell."""
    heights, total = heights_of(board), 0
    for column in range(COLUMNS):
        total += table[NEARNESS_AT + column * (MOST_STORED_ROWS + 1) + (heights & HEIGHT_MASK)]
        heights >>= HEIGHT_BITS
    return float(1.0 - total / (NEARNESS_UNIT * COLUMNS * table[STORED_AT]))


@inlined
def color_runs(board: Board, links: Links, table: Table) -> float:
    """Share n / m, where each run of k equal colours in a visible row or column adds k - 1 to n.

    Empty cells within a run are skipped. m is the n of a field full of one colour.
    """
    pairs = popcount(links[0]) + popcount(links[1])
    rows = (board[0] | board[1] | board[2] | board[3]) | (board[4] | board[5] | board[6] | board[7])
    level = 0
    visible = table[VISIBLE_AT]
    while level < visible and rows >> level & FLOOR:
        pairs += _row_pairs(board, level)
        level += 1
    return float(pairs / _most_links(table))


@inlined
def _row_pairs(board: Board, level: Scalar) -> Scalar:
    """Returns the number of neighbours of equal colour in a row; empty cells between them are skipped."""
    code = (board[0] >> level & FLOOR) | (board[1] >> level & FLOOR) << 1 | (board[2] >> level & FLOOR) << 2
    more = (board[4] >> level & FLOOR) | (board[5] >> level & FLOOR) << 1 | (board[6] >> level & FLOOR) << 2
    if board[3] | board[7]:  # an obstacle ends a run as nuisance does
        code |= (board[3] >> level & FLOOR) * NUISANCE
        more |= (board[7] >> level & FLOOR) * NUISANCE
    # The columns' kinds of three bits are 16 bits apart: bring them together.
    left = _HALF_ROWS[(code | code >> (LANE - 3) | code >> 2 * (LANE - 3)) & 511]
    right = _HALF_ROWS[(more | more >> (LANE - 3) | more >> 2 * (LANE - 3)) & 511]
    last, first = left >> _LAST_SHIFT, right >> _FIRST_SHIFT & _KIND
    across = 1 if last == first and 0 < last <= COLORS else 0
    return (left & _PAIRS_MASK) + (right & _PAIRS_MASK) + across


@inlined
def color_variance(board: Board, table: Table) -> float:
    """1 - the mean over all six colours of (vx / 6.25 + vy / ((rows - 1) / 2)^2) / 2.

    vx and vy are the variances of a colour's columns and rows; each is divided by its largest possible value.
    """
    total = 0.0
    share_along = 2.0 / ((table[STORED_AT] - 1) * (table[STORED_AT] - 1))  # scales the largest variance to 1/2
    for color in range(1, COLORS + 1):
        k1, k2, k4 = -(color & 1), -(color >> 1 & 1), -(color >> 2 & 1)
        left = ~((board[0] ^ k1) | (board[1] ^ k2) | (board[2] ^ k4))
        right = ~((board[4] ^ k1) | (board[5] ^ k2) | (board[6] ^ k4))
        total += _spread(left, right, share_along)
    return 1.0 - total / COLORS


@lean
def _spread(left: Scalar, right: Scalar, share_along: float) -> float:
    """Returns the sum of the variances of the cells' columns and rows, each multiplied by its share."""
    count = popcount(left) + popcount(right)
    if count < 2:
        return 0.0
    c1, c2, c3 = (popcount(left >> LANE & COLUMN), popcount(left >> 2 * LANE), popcount(right & COLUMN))
    c4, c5 = popcount(right >> LANE & COLUMN), popcount(right >> 2 * LANE)
    columns, column_squares = (c1 + 2 * c2 + 3 * c3 + 4 * c4 + 5 * c5, c1 + 4 * c2 + 9 * c3 + 16 * c4 + 25 * c5)
    # A level is the sum of its bits; its square is the sum of the products of the bits.
    a0, a1, a2, a3 = left & _BIT_0, left & _BIT_1, left & _BIT_2, left & _BIT_3
    b0, b1, b2, b3 = right & _BIT_0, right & _BIT_1, right & _BIT_2, right & _BIT_3
    n0, n1 = popcount(a0) + popcount(b0), popcount(a1) + popcount(b1)
    n2, n3 = popcount(a2) + popcount(b2), popcount(a3) + popcount(b3)
    levels = n0 + 2 * n1 + 4 * n2 + 8 * n3
    level_squares = (
        n0
        + 4 * (n1 + popcount(a0 & a1) + popcount(b0 & b1))
        + 8 * (popcount(a0 & a2) + popcount(b0 & b2))
        + 16 * (n2 + popcount(a0 & a3) + popcount(b0 & b3) + popcount(a1 & a2) + popcount(b1 & b2))
        + 32 * (popcount(a1 & a3) + popcount(b1 & b3))
        + 64 * (n3 + popcount(a2 & a3) + popcount(b2 & b3))
    )
    inverse = _INVERSE[count]
    across = (column_squares - columns * columns * inverse) * inverse
    along = (level_squares - levels * levels * inverse) * inverse
    return float(across * _SHARE_ACROSS + along * share_along)


@inlined
def links_made(links: Links, table: Table) -> float:
    """Share n / (2 m) for n links, where m is the number of links of a visible field full of one colour."""
    count = popcount(links[0]) + popcount(links[1]) + popcount(links[2]) + popcount(links[3])
    return float(count / (2 * _most_links(table)))
