"""The columns that a pair can enter from its spawn before it falls on a stack; knows no evaluation and no RAM.

`limits` holds, packed like heights with four bits per column, the most puyos that a column may have for a pair to enter
and pass it. A pair that falls fast and shifts slowly is lower in columns far from its spawn, so their limits are lower.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from emubot.games.colours.board.anyboard_bounds import limits_of as column_limits
from emubot.games.colours.board.words import HEIGHT_BITS, height_at
from emubot.games.colours.rules import BIG, COLUMNS, LEFT, RIGHT, UP, Rules
from emubot.games.colours.scoring import SPAWN_AT, STORED_AT, VISIBLE_AT, Table
from emubot.jit import Scalar, inlined, lean
from emubot.tempo import Tempo

MARGINS: Final = 3  # so that columns that are nearly cut off count too
_KEPT: Final = 64  # tempos: others may ask for any


@lru_cache(_KEPT)
def limits_of(rules: Rules, tempo: Tempo | None = None, gravity: int = 0) -> int:
    """Returns the packed limits of all columns: see `column_limits`."""
    limits = enumerate(column_limits(rules, tempo, gravity).tolist())
    return sum(limit << HEIGHT_BITS * column for column, limit in limits)


@lean
def open_limits(table: Table) -> Scalar:
    """Returns the limits of pairs without a time limit."""
    limits = 0
    for column in range(COLUMNS):
        limits |= (table[VISIBLE_AT] - 1) << HEIGHT_BITS * column
    return limits


@lean
def columns_entered(heights: Scalar, limits: Scalar, table: Table, margin: Scalar) -> Scalar:
    """Returns the mask of the columns that can be entered from the spawn column if every stack is `margin` higher."""
    low = 0
    for column in range(COLUMNS):
        if height_at(heights, column) + margin <= height_at(limits, column):
            low |= 1 << column
    entered = low & 1 << table[SPAWN_AT]
    for _ in range(COLUMNS - 1):
        entered |= (entered << 1 | entered >> 1) & low
    return entered


@inlined
def columns_for(entered: Scalar, orientation: Scalar, pivot: Scalar, satellite: Scalar) -> Scalar:
    """Returns the mask of pivot columns for one orientation; 0 if an earlier orientation leaves the same fields."""
    if pivot >= BIG:
        if orientation != UP:
            return 0
        return entered & entered >> 1 if pivot == BIG else entered
    if pivot == satellite and orientation > RIGHT:
        return 0
    if orientation == RIGHT:
        return entered & entered >> 1
    if orientation == LEFT:
        return entered & entered << 1
    return entered


@lean
def cut_off(heights: Scalar, limits: Scalar, table: Table) -> Scalar:
    """Returns the empty cells of columns that cannot be entered, summed for stacks 0, 1 and 2 rows higher (MARGINS)."""
    empty = 0
    for margin in range(MARGINS):
        entered = columns_entered(heights, limits, table, margin)
        for column in range(COLUMNS):
            if not entered >> column & 1:
                empty += table[STORED_AT] - height_at(heights, column)
    return empty
