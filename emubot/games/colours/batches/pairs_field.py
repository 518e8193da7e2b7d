"""What happens in a field of pairs between two pairs, compiled: landing, groups, falls, nuisance; knows no frames.

The twin of simulator/field.py. Cells are uint8 (stored rows, columns), the topmost hidden row first.
"""

from __future__ import annotations

import numpy as np

from emubot.games.colours.batches.air import COLUMN, ORIENTATION, ROW, Cells, Turns, Words, below
from emubot.games.colours.board.groups import COLUMN as COLUMN_OF
from emubot.games.colours.board.groups import SHIFT, Marks, fresh_stamp, group_from
from emubot.games.colours.rules import COLORS, EMPTY, NUISANCE, POPPING
from emubot.games.colours.scoring import Table, group_bonus, step_points
from emubot.games.colours.simulator.simulator import BITS
from emubot.jit import Scalar, inlined, lean


@inlined
def _top_free(cells: Cells, column: Scalar) -> Scalar:
    """Returns the row of the lowest free cell of a column, -1 if it is full."""
    row = 0
    while row < cells.shape[0] and cells[row, column] == EMPTY:
        row += 1
    return row - 1


@lean
def land(cells: Cells, turns: Turns, air: Words, kinds: Words) -> Scalar:
    """Drop the halves of the pair in the air, the lower one first; returns the rows of the deepest fall."""
    deepest = 0
    dx, dy = turns.cells[air[ORIENTATION], 1]
    for turn in range(2):
        half = turn if dy <= 0 else 1 - turn
        column, row = air[COLUMN] + half * dx, air[ROW] + half * dy
        index = _top_free(cells, column)
        if index >= 0:
            cells[index, column] = kinds[half]
        deepest = max(deepest, index - turns.hidden - row)
    return deepest


@lean
def mark_groups(cells: Cells, first: Scalar, size: Scalar, marks: Marks, table: Table, chain: Scalar) -> Scalar:
    """Mark the groups, and the nuisance beside them, as popping; returns the points of a chain's step, 0: none.

    Rows above `first` do not link.
    """
    rows, columns = cells.shape
    linked = cells[first:]
    stamp = fresh_stamp(marks.stamp)
    popped, colors, bonuses, kinds = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for row in range(rows - first):
        for column in range(columns):
            kind = np.int64(linked[row, column])
            if not EMPTY < kind <= COLORS or marks.seen[row, column] == stamp:
                continue
            count = group_from(linked, row, column, rows - first, stamp, marks.seen, marks.stack)
            if count < size:
                continue
            popped += count
            bonuses += group_bonus(table, count)
            colors += 1 if kinds >> kind & 1 == 0 else 0
            kinds |= 1 << kind
            for number in range(count):
                linked[marks.stack[number] >> SHIFT, marks.stack[number] & COLUMN_OF] = POPPING
    if popped == 0:
        return 0
    for row in range(rows - first):
        for column in range(columns):
            if linked[row, column] == NUISANCE and _beside_group(linked, row, column, marks, stamp):
                linked[row, column] = POPPING
    return step_points(table, chain, popped, colors, bonuses)


@inlined
def _beside_group(linked: Cells, row: Scalar, column: Scalar, marks: Marks, stamp: Scalar) -> bool:
    """Returns whether a cell that is popping, and no nuisance, is beside this one."""
    for side in range(4):
        y = row + (1 if side == 0 else -1 if side == 1 else 0)
        x = column + (1 if side == 2 else -1 if side == 3 else 0)
        inside = 0 <= y < linked.shape[0] and 0 <= x < linked.shape[1]
        if inside and linked[y, x] == POPPING and marks.seen[y, x] == stamp:
            return True
    return False


@lean
def remove(cells: Cells) -> Scalar:
    """Remove the popping cells, and let the cells above fall; returns the rows of the deepest fall."""
    deepest = 0
    for column in range(cells.shape[1]):
        floor = cells.shape[0] - 1
        for row in range(cells.shape[0] - 1, -1, -1):
            kind = np.int64(cells[row, column])
            cells[row, column] = EMPTY
            if kind not in (EMPTY, POPPING):
                deepest = max(deepest, floor - row)
                cells[floor, column] = kind
                floor -= 1
    return deepest


@lean
def rain(cells: Cells, amount: Scalar, own: Words, generator: Scalar) -> None:
    """Let nuisance fall: full rows, then the rest in different columns that a generator draws."""
    columns = cells.shape[1]
    for number in range(amount - amount % columns):
        _drop_nuisance(cells, number % columns)
    taken = 0
    for _ in range(amount % columns):
        column = below(own, generator, columns, BITS)
        while taken >> column & 1:
            column = below(own, generator, columns, BITS)
        taken |= 1 << column
        _drop_nuisance(cells, column)


@inlined
def _drop_nuisance(cells: Cells, column: Scalar) -> None:
    row = _top_free(cells, column)
    if row >= 0:
        cells[row, column] = NUISANCE


@inlined
def is_any_filled(cells: Cells, places: Words) -> bool:
    """Returns whether one of these cells, (cells, 2) by row and column, is filled."""
    for place in range(len(places)):
        if cells[places[place, 0], places[place, 1]] != EMPTY:
            return True
    return False


@lean
def is_empty(cells: Cells) -> bool:
    """Returns whether no cell is filled."""
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            if cells[row, column] != EMPTY:
                return False
    return True
