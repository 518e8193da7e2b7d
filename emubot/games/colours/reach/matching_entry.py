"""The columns that a piece can enter from its spawn before it has fallen too far; knows no evaluation and no RAM.

`drops` is int64 (MOST_COLUMNS + 1,): the rows that a piece has fallen before it is so many columns from its spawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.groups import Cells
from emubot.games.colours.board.matching_law import Law
from emubot.games.colours.matching_rules import EMPTY, MOST_COLUMNS, MOST_ROWS
from emubot.jit import Scalar, lean
from emubot.tempo import Tempo

MOST_PLACES: Final = 4 * MOST_COLUMNS  # straight drops of a piece

Drops = NDArray[np.int64]
_KEPT: Final = 64  # tempos: others may ask for any


@lru_cache(_KEPT)
def drops_of(tempo: Tempo | None = None, gravity: int = 0) -> Drops:
    """Returns the rows fallen by distance; without a tempo a piece does not fall while it is moved.

    `gravity` is frames per row. A piece makes its n-th shift `reaction` + (n - 1) `period` frames after its spawn at
    the earliest; turns share the frames of shifts, and latency is ignored. It is the same array for the same arguments:
    do not write to it.
    """
    drops = np.zeros(MOST_COLUMNS + 1, dtype=np.int64)
    if tempo is not None:
        for distance in range(1, MOST_COLUMNS + 1):
            fallen = (tempo.reaction + (distance - 1) * tempo.period) // gravity
            drops[distance] = min(fallen, MOST_ROWS)
    return drops


@lean
def fill_tops(cells: Cells, tops: NDArray[np.int64]) -> None:
    """Write the highest filled row of each column; the number of rows for an empty column."""
    rows, columns = cells.shape
    for column in range(columns):
        row = np.int64(0)
        while row < rows and cells[row, column] == EMPTY:
            row += 1
        tops[column] = row


@lean
def is_open(
    tops: NDArray[np.int64], law: Law, orientation: Scalar, column: Scalar, distance: Scalar, drops: Drops
) -> bool:
    """Returns whether a piece is above all stacks at its pivot column, so many columns from its spawn."""
    columns = len(tops)
    for cell in range(law.shapes.shape[1]):
        x = column + law.shapes[orientation, cell, 0]
        y = law.spawn_row + drops[distance] + law.shapes[orientation, cell, 1]
        if x < 0 or x >= columns or y >= tops[x]:
            return False
    return True


@lean
def fill_drops(tops: NDArray[np.int64], law: Law, turns: Scalar, drops: Drops, places: NDArray[np.int64]) -> Scalar:
    """Write (orientation, column, row) of each straight drop from the spawn into `places`; returns their number.

    A piece enters only columns that it is above in time, and passes only those that it is above until its next shift.
    `turns` is the mask of the orientations (`distinct`). Rows count from the highest stored row.
    """
    count = np.int64(0)
    for orientation in range(law.shapes.shape[0]):
        if not turns >> orientation & 1:
            continue
        for side in range(2):
            step = 1 if side == 0 else -1
            for distance in range(len(tops)):
                column = law.spawn_column + step * distance
                if not is_open(tops, law, orientation, column, distance, drops):
                    break
                if distance > 0 or side == 0:  # the spawn's own column only once
                    row = landing(tops, law, orientation, column)
                    places[count, 0], places[count, 1], places[count, 2] = orientation, column, row
                    count += 1
                if not is_open(tops, law, orientation, column, distance + 1, drops):
                    break
    return count


@lean
def landing(tops: NDArray[np.int64], law: Law, orientation: Scalar, column: Scalar) -> Scalar:
    """Returns the row in which a piece that falls straight comes to rest."""
    row = np.int64(MOST_ROWS)
    for cell in range(law.shapes.shape[1]):
        top = tops[column + law.shapes[orientation, cell, 0]]
        row = min(row, top - 1 - law.shapes[orientation, cell, 1])
    return row


@lean
def distinct(kinds: NDArray[np.int64], law: Law) -> Scalar:
    """Returns the mask of the orientations in which a piece with these kinds shows different cells.

    A piece of two of one colour has two, one of three of one colour has one.
    """
    turns: Scalar = law.turns
    for cell in range(1, len(kinds)):
        if kinds[cell] != kinds[0]:
            return turns
    return turns & ~(turns << 2) if len(kinds) == 2 else turns & 1


@lean
def fill_rooms(tops: NDArray[np.int64], law: Law, drops: Drops, rooms: NDArray[np.int64]) -> None:
    """Write by how many rows an upright piece enters each column above all stacks on its way and there.

    A column is closed if its room is negative: no upright piece enters it from the spawn.
    """
    columns = len(tops)
    upright = 1 if law.shapes.shape[0] == 4 else 0
    below = np.int64(1)  # rows from the pivot to the first one below the piece
    for cell in range(law.shapes.shape[1]):
        below = max(below, law.shapes[upright, cell, 1] + 1)
    for side in range(2):
        step = 1 if side == 0 else -1
        least = np.int64(MOST_ROWS)
        for distance in range(columns):
            column = law.spawn_column + step * distance
            if column < 0 or column >= columns:
                break
            least = min(least, tops[column] - below - law.spawn_row - drops[distance])
            rooms[column] = least
            least = min(least, tops[column] - below - law.spawn_row - drops[distance + 1])
