"""Which columns a pair can still enter from its spawn before it falls on a stack; knows no evaluation and no RAM.

`limits` packs, four bits a column as heights are packed, the most puyos a column may hold for a pair to enter it and
to pass on. Falling fast and shifting slowly, a pair is lower in the columns far from its spawn, so they end lower.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from emubot.games.puyo.board.board import HEIGHT_BITS, height_at
from emubot.games.puyo.rules import BIG, COLUMNS, LEFT, RIGHT, UP, Rules
from emubot.games.puyo.scoring import SPAWN_AT, STORED_AT, VISIBLE_AT, Table
from emubot.jit import Scalar, inlined, kernel
from emubot.tempo import Tempo

MARGINS: Final = 3  # so that what is nearly cut off counts too


@cache
def limits_of(rules: Rules, tempo: Tempo | None = None, gravity: int = 0) -> int:
    """The limits of all columns, packed; without a tempo a column is open until its top visible row is filled.

    `gravity` is frames a row. A pair makes its n-th shift `reaction` + (n - 1) `period` frames after its spawn at the
    earliest, and must not lie on a stack until it has made the last: one more than to a column that is to be passed.
    Turns share the frames of shifts; a delay of the pads is not looked at. A column that nothing stands in counts as
    entered however late the hands are.
    """
    highest = rules.visible_rows - 1
    limits = 0
    for column in range(COLUMNS):
        limit = highest
        if tempo is not None and column != rules.spawn.column:
            step = 1 if column > rules.spawn.column else -1
            shifts = abs(column - rules.spawn.column)
            if 0 <= column + step < COLUMNS:  # it must be passed
                shifts += 1
            fallen = (tempo.reaction + (shifts - 1) * tempo.period) // gravity
            limit = min(max(highest - rules.spawn.row - fallen, 0), highest)
        limits |= limit << HEIGHT_BITS * column
    return limits


@kernel
def open_limits(table: Table) -> Scalar:
    """The limits of pairs that have all the time they need."""
    limits = 0
    for column in range(COLUMNS):
        limits |= (table[VISIBLE_AT] - 1) << HEIGHT_BITS * column
    return limits


@kernel
def columns_entered(heights: Scalar, limits: Scalar, table: Table, margin: Scalar) -> Scalar:
    """Mask of the columns reached from the spawn column past those that, `margin` higher, would be over their limit."""
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
    """Mask of the pivot columns for one orientation: none where an earlier orientation leaves the same fields."""
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


@kernel
def cut_off(heights: Scalar, limits: Scalar, table: Table) -> Scalar:
    """The empty cells of columns that cannot be entered, summed over the MARGINS: 0 and what is one and two higher."""
    empty = 0
    for margin in range(MARGINS):
        entered = columns_entered(heights, limits, table, margin)
        for column in range(COLUMNS):
            if not entered >> column & 1:
                empty += table[STORED_AT] - height_at(heights, column)
    return empty
