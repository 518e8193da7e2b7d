"""The rules as numbers and arrays for the kernels, and the lock of a piece; knows no search."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.groups import Cells, color_at
from emubot.games.colours.matching_rules import (
    DIAGONALS,
    EMPTY,
    GROUPS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_UP,
    NO_LINK,
    Rules,
)
from emubot.jit import Scalar, inlined, lean


class Law(NamedTuple):
    """The rules for the kernels. Rows count from the highest stored row here.

    `shapes` is int64 (orientations, cells, 2), `entry` int64 (cells, 2): column and row of each cell at the entry.
    """

    match: Scalar
    size: Scalar
    colors: Scalar
    joined: Scalar
    staged: Scalar  # whether a field without targets ends the stage
    turns: Scalar  # the mask of the orientations that a piece has
    spawn_column: Scalar
    spawn_row: Scalar
    shapes: NDArray[np.int64]
    entry: NDArray[np.int64]


@cache
def law_of(rules: Rules) -> Law:
    """Returns the rules for the kernels. It is the same object for the same rules: do not write to it."""
    shapes = np.array(rules.shapes, dtype=np.int64)
    spawn, hidden = rules.spawn, rules.hidden_rows
    entry = shapes[spawn.orientation] + np.array((spawn.column, spawn.row + hidden), dtype=np.int64)
    return Law(
        rules.match,
        rules.match_size,
        rules.colors,
        int(rules.joined),
        int(bool(rules.targets)),
        sum(1 << orientation for orientation in rules.orientations),
        spawn.column,
        spawn.row + hidden,
        shapes,
        entry,
    )


@lean
def put(
    cells: Cells,
    links: Cells,
    law: Law,
    orientation: Scalar,
    column: Scalar,
    row: Scalar,
    kinds: NDArray[np.int64],
) -> None:
    """Write a piece into a field, with the links of its halves; a half above the stored rows is lost."""
    whole = True
    for cell in range(law.shapes.shape[1]):
        y = row + law.shapes[orientation, cell, 1]
        x = column + law.shapes[orientation, cell, 0]
        if y >= 0:
            cells[y, x], links[y, x] = kinds[cell], NO_LINK
        else:
            whole = False
    if law.joined and whole:
        x1, y1 = column + law.shapes[orientation, 0, 0], row + law.shapes[orientation, 0, 1]
        x2, y2 = column + law.shapes[orientation, 1, 0], row + law.shapes[orientation, 1, 1]
        if y1 == y2:
            links[y1, min(x1, x2)], links[y1, max(x1, x2)] = LINK_RIGHT, LINK_LEFT
        else:
            links[min(y1, y2), x1], links[max(y1, y2), x1] = LINK_DOWN, LINK_UP


@lean
def rests(cells: Cells, law: Law, orientation: Scalar, column: Scalar, row: Scalar) -> bool:
    """Returns whether nothing follows the lock of a piece: it cannot fall apart, and none of its cells is in a line."""
    count = law.shapes.shape[1]
    if law.match == GROUPS or not (law.joined or count > 2):
        return False
    for cell in range(count):
        y = row + law.shapes[orientation, cell, 1]
        if y >= 0 and in_line(cells, law, y, column + law.shapes[orientation, cell, 0]):
            return False
    return True


@lean
def in_line(cells: Cells, law: Law, row: Scalar, column: Scalar) -> bool:
    """Returns whether a cell is part of a line that vanishes; not for groups."""
    color = color_at(cells, row, column)
    if color == 0:
        return False
    for direction in range(4 if law.match == DIAGONALS else 2):
        dy = 0 if direction == 0 else 1
        dx = 0 if direction == 1 else (-1 if direction == 3 else 1)
        length = 1 + _same(cells, color, row, column, dy, dx) + _same(cells, color, row, column, -dy, -dx)
        if length >= law.size:
            return True
    return False


@inlined
def _same(cells: Cells, color: Scalar, row: Scalar, column: Scalar, dy: Scalar, dx: Scalar) -> Scalar:
    """Returns how many cells of this colour follow in a direction."""
    rows, columns = cells.shape
    length = np.int64(0)
    y, x = row + dy, column + dx
    while 0 <= y < rows and 0 <= x < columns and color_at(cells, y, x) == color:
        length, y, x = length + 1, y + dy, x + dx
    return length


@lean
def blocked(cells: Cells, law: Law) -> bool:
    """Returns whether a cell of the entry is filled, so that the next piece loses the game."""
    for cell in range(law.entry.shape[0]):
        if cells[law.entry[cell, 1], law.entry[cell, 0]] != EMPTY:
            return True
    return False
