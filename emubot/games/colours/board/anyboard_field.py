"""Locks, groups and chains on a field of any size, cell by cell; knows no pieces' ways, no features and no search.

A field is uint8 (stored, columns) with the floor row first, its heights are int64 (columns,): no empty cell is below a
filled one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.anyboard_bounds import Bounds, Scratch
from emubot.games.colours.board.groups import COLUMN, SHIFT, fresh_stamp, group_from
from emubot.games.colours.rules import BIG, COLORS, DOWN, EMPTY, LEFT, NUISANCE, OBSTACLE, RIGHT, Rules
from emubot.games.colours.scoring import group_bonus, step_points
from emubot.jit import Scalar, lean

Field = NDArray[np.uint8]
Heights = NDArray[np.int64]


def field_of(cells: NDArray[Any], rules: Rules) -> tuple[Field, Heights]:
    """Returns the settled field of a cells array, hidden rows first, and its heights.

    Raises ValueError for a wrong shape or kind.
    """
    array = np.asarray(cells)
    if array.shape != (rules.stored_rows, rules.columns):
        raise ValueError(f"a field has {rules.stored_rows} rows of {rules.columns} cells, not {array.shape}")
    if array.min() < EMPTY or array.max() > OBSTACLE:
        raise ValueError(f"a cell holds 0 to {OBSTACLE}, not {array.min()} to {array.max()}")
    field = np.zeros(array.shape, dtype=np.uint8)
    heights = np.zeros(rules.columns, dtype=np.int64)
    for column in range(rules.columns):
        stack = array[::-1, column][array[::-1, column] != EMPTY]
        heights[column] = len(stack)
        field[: len(stack), column] = stack
    return field, heights


@lean
def copy_field(field: Field, heights: Heights, to: Field, to_heights: Heights) -> None:
    """Copy a field and its heights."""
    for level in range(field.shape[0]):
        for column in range(field.shape[1]):
            to[level, column] = field[level, column]
    for column in range(field.shape[1]):
        to_heights[column] = heights[column]


@lean
def put(field: Field, heights: Heights, column: Scalar, kind: Scalar) -> None:
    """Drop one puyo on a column; above the stored rows it vanishes."""
    if heights[column] < field.shape[0]:
        field[heights[column], column] = kind
        heights[column] += 1


@lean
def drop_piece(
    field: Field, heights: Heights, orientation: Scalar, column: Scalar, pivot: Scalar, satellite: Scalar
) -> None:
    """Drop a pair, or apply an item."""
    if pivot >= BIG:
        _apply_item(field, heights, column, pivot)
        return
    beside = column + (1 if orientation == RIGHT else -1 if orientation == LEFT else 0)
    if orientation == DOWN:
        put(field, heights, beside, satellite)
        put(field, heights, column, pivot)
    else:
        put(field, heights, column, pivot)
        put(field, heights, beside, satellite)


@lean
def _apply_item(field: Field, heights: Heights, column: Scalar, item: Scalar) -> None:
    """Apply a Big Puyo or a Carbuncle, as board/items.py."""
    if item == BIG:
        for cleared in range(column, column + 2):
            kept = 0
            for level in range(heights[cleared]):
                kind = field[level, cleared]
                field[level, cleared] = EMPTY
                if kind == OBSTACLE:
                    field[kept, cleared] = kind
                    kept += 1
            heights[cleared] = kept
        return
    top = heights[column]
    if top == 0 or top >= field.shape[0] or field[top - 1, column] > COLORS:
        return
    for side in (column - 1, column + 1):
        if 0 <= side < field.shape[1] and heights[side] > top and field[top, side] <= COLORS:
            field[top, side] = field[top - 1, column]


@lean
def rain(field: Field, heights: Heights, rows: Scalar) -> None:
    """Let full rows of nuisance fall."""
    for _ in range(rows):
        for column in range(field.shape[1]):
            put(field, heights, column, NUISANCE)


@lean
def is_dead(field: Field, bounds: Bounds) -> bool:
    """Returns whether a cell is filled that must be empty for the next pair."""
    for cell in range(len(bounds.death)):
        if field[bounds.death[cell, 1], bounds.death[cell, 0]] != EMPTY:
            return True
    return False


@lean
def pop_groups(field: Field, heights: Heights, bounds: Bounds, scratch: Scratch, chain: Scalar) -> Scalar:
    """Remove the groups of step number `chain` (from 1) and what they take with them; returns the points, 0: none.

    A group has a cell that has changed: on the field before that change no group popped.
    """
    columns, linking, marks = bounds.columns, bounds.linking, scratch.marks
    seen = fresh_stamp(scratch.stamp)
    pops = seen + 1
    popped, colors, bonuses, kinds = 0, 0, 0, 0
    for column in range(columns):
        for level in range(scratch.changed[column], min(heights[column], linking)):
            kind = field[level, column]
            if kind > COLORS or marks[level, column] == seen or marks[level, column] == pops:
                continue
            count = group_from(field, level, column, linking, seen, marks, scratch.stack)
            if count < bounds.group:
                continue
            popped += count
            bonuses += group_bonus(bounds.table, count)
            colors += 1 if kinds >> kind & 1 == 0 else 0
            kinds |= 1 << kind
            for number in range(count):
                y, x = scratch.stack[number] >> SHIFT, scratch.stack[number] & COLUMN
                marks[y, x] = pops
                for side in range(4):
                    j = y + (1 if side == 0 else -1 if side == 1 else 0)
                    i = x + (1 if side == 2 else -1 if side == 3 else 0)
                    if 0 <= j < linking and 0 <= i < columns and field[j, i] == NUISANCE:
                        marks[j, i] = pops
    if popped == 0:
        return 0
    for column in range(columns):
        kept, height = 0, heights[column]
        while kept < height and marks[kept, column] != pops:
            kept += 1
        scratch.changed[column] = kept
        for level in range(kept, height):
            kind = field[level, column]
            field[level, column] = EMPTY
            if marks[level, column] != pops:
                field[kept, column] = kind
                kept += 1
        heights[column] = kept
    return step_points(bounds.table, chain, popped, colors, bonuses)


@lean
def resolve(field: Field, heights: Heights, bounds: Bounds, scratch: Scratch) -> tuple[Scalar, Scalar]:
    """Resolve the chain that begins on a field, in place; returns its length and its points."""
    for column in range(bounds.columns):
        scratch.changed[column] = 0
    return resolve_changed(field, heights, bounds, scratch)


@lean
def resolve_changed(field: Field, heights: Heights, bounds: Bounds, scratch: Scratch) -> tuple[Scalar, Scalar]:
    """Resolve like `resolve` where only the cells from `scratch.changed` upwards have changed."""
    chain, points = 0, 0
    while True:
        more = pop_groups(field, heights, bounds, scratch, chain + 1)
        if more == 0:
            return chain, points
        chain += 1
        points += more
