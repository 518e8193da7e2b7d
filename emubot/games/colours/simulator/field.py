"""The events in a field between two pieces: landing, groups, points, falls; slow and simple, knows no frames.

A field is a cells array, uint8 (stored rows, columns), the topmost hidden row first. Between two pieces its columns
have no holes. The search has its own kernels for the same rules; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from emubot.games.colours.board.control import Cells, Falling
from emubot.games.colours.board.turning import pair_shape
from emubot.games.colours.rules import BIG, COLORS, EMPTY, ITEMS, NUISANCE, POPPING, Rules

Cell = tuple[int, int]  # (index of the row in the cells array, column)
Group = list[Cell]


def top_free(cells: Cells, column: int) -> int:
    """Returns the row index of the lowest free cell of a column, -1 if the column is full."""
    index = 0
    while index < len(cells) and cells[index, column] == EMPTY:
        index += 1
    return index - 1


def land(cells: Cells, rules: Rules, piece: Falling) -> int:
    """Drop the halves of a pair, or apply an item; returns the rows of the deepest fall (0 for items).

    A half that ends above the stored rows vanishes.
    """
    pivot = piece.kinds[0]
    if pivot in ITEMS:
        if pivot == BIG:
            cells[:, piece.column : piece.column + 2] = EMPTY
        else:
            _recolor(cells, piece.column)
        return 0
    halves = zip(pair_shape(pivot, piece.orientation), piece.kinds, strict=True)
    deepest = 0
    for (dx, dy), kind in sorted(halves, key=lambda half: -half[0][1]):
        column, row = piece.column + dx, piece.row + dy
        index = top_free(cells, column)
        if index >= 0:
            cells[index, column] = kind
        deepest = max(deepest, index - rules.hidden_rows - row)
    return deepest


def _recolor(cells: Cells, column: int) -> None:
    """Apply a Carbuncle: the coloured puyos on its left and right get the colour of the one below it."""
    index = top_free(cells, column)
    below = int(cells[index + 1, column]) if index + 1 < len(cells) else EMPTY
    if not 1 <= below <= COLORS or index < 0:
        return
    for beside in (column - 1, column + 1):
        if 0 <= beside < cells.shape[1] and 1 <= cells[index, beside] <= COLORS:
            cells[index, beside] = below


def groups(cells: Cells, rules: Rules) -> list[Group]:
    """Returns all groups that pop, from the top row down; without hidden rows unless the rules include them."""
    colors = np.where(cells <= COLORS, cells, 0)
    return touching(colors, rules.group_size, 0 if rules.hidden_pops else rules.hidden_rows)


def touching(colors: Cells, size: int, first: int = 0) -> list[Group]:
    """Returns the groups of `size` or more cells of one colour that touch, from row `first` down; colour 0 has none."""
    found, seen = [], set[Cell]()
    for start in zip(*map(np.ndarray.tolist, np.nonzero(colors)), strict=True):
        if start in seen or start[0] < first:
            continue
        group = [start]
        seen.add(start)
        for cell in group:  # the list grows during the loop
            for beside in _beside(cell, first, colors.shape):
                if beside not in seen and colors[beside] == colors[start]:
                    seen.add(beside)
                    group.append(beside)
        if len(group) >= size:
            found.append(group)
    return found


def _beside(cell: Cell, first: int, shape: tuple[int, ...]) -> Iterable[Cell]:
    (index, column), (rows, columns) = cell, shape
    for y, x in ((index - 1, column), (index + 1, column), (index, column - 1), (index, column + 1)):
        if first <= y < rows and 0 <= x < columns:
            yield y, x


def points(cells: Cells, rules: Rules, chain: int, popping: Sequence[Group]) -> int:
    """Returns the points of step number `chain` (from 1), without nuisance. Source: facts: Famicom Puyo 4."""
    colors = len({int(cells[group[0]]) for group in popping})
    bonus = _entry(rules.chain_power, chain - 1) + _entry(rules.color_bonus, colors - 1)
    bonus += sum(_entry(rules.group_bonus, len(group) - 4) for group in popping)
    multiplier = min(max(bonus, rules.least_multiplier), rules.most_multiplier)
    return 10 * sum(len(group) for group in popping) * multiplier


def _entry(table: tuple[int, ...], index: int) -> int:
    return table[min(max(index, 0), len(table) - 1)]


def mark(cells: Cells, rules: Rules, popping: Sequence[Group]) -> None:
    """Mark the groups and the nuisance beside them as popping."""
    first = 0 if rules.hidden_pops else rules.hidden_rows
    marked = [cell for group in popping for cell in group]
    marked += [beside for cell in marked for beside in _beside(cell, first, cells.shape) if cells[beside] == NUISANCE]
    for cell in marked:
        cells[cell] = POPPING


def remove(cells: Cells) -> tuple[int, int]:
    """Remove the popping cells and let the cells above fall; returns cells removed and rows of the deepest fall."""
    removed = int((cells == POPPING).sum())
    cells[cells == POPPING] = EMPTY
    deepest = 0
    for column in range(cells.shape[1]):
        floor = len(cells) - 1
        for index in range(len(cells) - 1, -1, -1):
            if cells[index, column] != EMPTY:
                deepest = max(deepest, floor - index)
                kind = cells[index, column]
                cells[index, column] = EMPTY
                cells[floor, column] = kind
                floor -= 1
    return removed, deepest


def rain(cells: Cells, amount: int, draw: Callable[[], int]) -> None:
    """Let nuisance fall: full rows, then the rest in distinct columns (`draw` returns one; repeats are skipped)."""
    width = cells.shape[1]
    columns = [*range(width)] * (amount // width)
    extra: list[int] = []
    while len(extra) < amount % width:
        column = draw()
        if column not in extra:
            extra.append(column)
    for column in columns + extra:
        index = top_free(cells, column)
        if index >= 0:
            cells[index, column] = NUISANCE
