"""Simple measures of a field for hand-made players and networks; knows no links, no points and no search.

Each is 0 to 1, larger is better; "cells" are the stored cells.
"""

from __future__ import annotations

from typing import Final

from emubot.games.bits import popcount
from emubot.games.colours.board.words import HEIGHT_BITS, HEIGHT_MASK, Board, filled, height_at, heights_of
from emubot.games.colours.reach.entry import MARGINS, cut_off
from emubot.games.colours.rules import COLUMNS
from emubot.games.colours.scoring import SPAWN_AT, STORED_AT, VISIBLE_AT, Table
from emubot.jit import Scalar, inlined, lean

_PILLAR: Final = 3  # rows by which a pillar is higher than both its neighbours
_MOST_PILLARS: Final = COLUMNS // 2
# For the mixing: the product of two 31-bit numbers fits a signed word, compiled or not.
_BITS: Final = 31
_MASK: Final = (1 << _BITS) - 1
_FACTOR: Final = 1_812_433_253  # odd, so that no low bit is lost
_PART: Final = 24  # bits of half a word


@inlined
def pillars(board: Board) -> float:
    """1 - n / 3 for n columns that are at least 3 rows higher than both neighbours.

    A column at a wall has one neighbour: the wall counts as high as that one.
    """
    heights, count = heights_of(board), 0
    for column in range(COLUMNS):
        left = height_at(heights, column - 1 if column else 1)
        right = height_at(heights, column + 1 if column < COLUMNS - 1 else COLUMNS - 2)
        count += height_at(heights, column) - max(left, right) >= _PILLAR
    return float(1.0 - count / _MOST_PILLARS)


@inlined
def total_height(board: Board, table: Table) -> float:
    """1 - s / cells for the sum s of all columns' heights."""
    left, right = filled(board)
    return float(1.0 - (popcount(left) + popcount(right)) / (COLUMNS * table[STORED_AT]))


@inlined
def peak(board: Board, table: Table) -> float:
    """1 - h / rows for the height h of the highest column and the number of stored rows."""
    heights, highest = heights_of(board), 0
    for _ in range(COLUMNS):
        highest = max(highest, heights & HEIGHT_MASK)
        heights >>= HEIGHT_BITS
    return float(1.0 - highest / table[STORED_AT])


@lean
def chance(board: Board) -> float:
    """Returns a pseudo-random number, 0 to below 1, from the cells alone; a player with only this feature is random.

    The eight words of the board, in halves of 24 bits, are mixed by multiplication. The upper bits of each product are
    folded onto its lower ones.
    """
    state = _MASK
    for word in board:
        state = _mixed(state ^ (word & (1 << _PART) - 1))
        state = _mixed(state ^ word >> _PART)
    return float(_mixed(state) / (1 << _BITS))


@inlined
def _mixed(state: Scalar) -> Scalar:
    product = (state + 1 & _MASK) * _FACTOR
    return (product ^ product >> _BITS) & _MASK


@inlined
def room(board: Board, table: Table) -> float:
    """1 - e^2, where e is the filled share beyond a third of the cells: 0 up to a third, 1 if the field is full."""
    left, right = filled(board)
    cells = COLUMNS * table[STORED_AT]
    excess = max(0.0, (3.0 * (popcount(left) + popcount(right)) / cells - 1.0) / 2.0)
    return float(1.0 - excess * excess)


@inlined
def headroom(board: Board, table: Table) -> float:
    """1 - (h / rows)^4 for the spawn column's height h, at most `rows`, the number of visible rows."""
    share = min(height_at(heights_of(board), table[SPAWN_AT]), table[VISIBLE_AT]) / table[VISIBLE_AT]
    return float(1.0 - share * share * share * share)


@inlined
def access(board: Board, limits: Scalar, table: Table) -> float:
    """1 - n / (3 cells), where n counts the empty cells of columns that the next pair cannot enter.

    They are counted three times: with the real heights, and as if all columns were one and two puyos higher.
    """
    cut = cut_off(heights_of(board), limits, table)
    return float(1.0 - cut / (MARGINS * COLUMNS * table[STORED_AT]))
