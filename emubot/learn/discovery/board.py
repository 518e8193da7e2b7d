"""Finds how the board lies in memory, from pieces dropped in every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.learn.discovery.drops import Drop
from emubot.learn.discovery.lab import History

Place = tuple[int, int]  # row downwards and column, from a cell

MOST_CELLS: Final = 5  # of a piece
_MOST_STRIDE: Final = 256


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where cells lie: the cell in the lowest row, column 0, and the bytes to the next row downwards and to the right.

    `down` is negative where memory begins with the lowest row.
    """

    floor: int
    down: int
    right: int
    columns: int

    def index(self, row: int, column: int) -> int:
        """Returns the byte of a cell; row 0 is the lowest one, -1 that above it."""
        return self.floor + row * self.down + column * self.right

    def cells(self, rows: int) -> NDArray[np.int64]:
        """Returns the bytes of the lowest rows as an index array (rows, columns), the highest row first."""
        row, column = np.mgrid[1 - rows : 1, 0 : self.columns]
        return np.asarray(self.floor + row * self.down + column * self.right, np.int64)


def right_of(empty: History, sets: Sequence[Mapping[int, Drop]]) -> tuple[int, list[frozenset[int]]] | None:
    """Returns the bytes from a column to the next, and each set's cells where it was not moved aside.

    A cell is a byte that another number came into, and that lies further by one step for each column that the piece was
    moved. None if no step explains all sets.
    """
    best: tuple[int, list[frozenset[int]]] | None = None
    for step in range(1, _MOST_STRIDE + 1):
        cells = [_moved_by(step, empty, drops) for drops in sets]
        whole = all(1 <= len(piece) <= MOST_CELLS for piece in cells)
        if whole and (best is None or sum(map(len, cells)) > sum(map(len, best[1]))):
            best = step, cells
    return best


def _moved_by(step: int, empty: History, drops: Mapping[int, Drop]) -> frozenset[int]:
    middle, before = drops[0].rested[0], empty[0]
    cells = np.flatnonzero(middle != before)
    for columns, drop in drops.items():
        there = cells + columns * step
        inside = (there >= 0) & (there < len(before))
        cells, there = cells[inside], there[inside]
        cells = cells[drop.rested[0][there] == middle[cells]]
    alone = set(map(int, cells))
    for columns, drop in drops.items():
        here = {cell + columns * step for cell in alone}
        alone = {cell for cell in alone if cell in here or drop.rested[0][cell] == before[cell]}
    return frozenset(alone)


def row_steps(right: int, widest: int, sets: Sequence[frozenset[int]]) -> list[int]:
    """Returns the bytes from a row to the next, all numbers by which each set of cells hangs together."""
    apart = {abs(cell - other) for cells in sets for cell in cells for other in cells}
    fits = [step for step in sorted(apart) if _is_stride(step, right, widest)]
    return [step for step in fits if all(places(cells, step, right) for cells in sets)]


def _is_stride(step: int, right: int, widest: int) -> bool:
    """Returns whether rows of this stride do not overlap: row by row, or column by column."""
    return step >= right * widest or (0 < step < right)


def places(cells: frozenset[int], down: int, right: int) -> Mapping[int, Place] | None:
    """Returns the row and column of each cell from the first one; None if they do not hang together."""
    start = min(cells)
    offsets = {start: (0, 0)}
    edge = [start]
    while edge:
        cell = edge.pop()
        row, column = offsets[cell]
        for by, place in _neighbours(row, column, down, right):
            if cell + by in cells and cell + by not in offsets:
                offsets[cell + by] = place
                edge.append(cell + by)
    return offsets if len(offsets) == len(cells) else None


def _neighbours(row: int, column: int, down: int, right: int) -> Iterator[tuple[int, Place]]:
    yield from ((down, (row + 1, column)), (-down, (row - 1, column)))
    yield from ((right, (row, column + 1)), (-right, (row, column - 1)))


def lattice(
    right: int, down: int, sets: Sequence[Mapping[int, Drop]], cells: Sequence[frozenset[int]], upwards: bool
) -> Lattice:
    """Returns the board on whose floor these sets of cells came to rest; `upwards`: lower rows come first in memory."""
    step = -down if upwards else down
    lefts, rights, floors = [], [], []
    for drops, piece in zip(sets, cells, strict=True):
        offsets = places(piece, step, right)
        if offsets is None:
            raise ValueError("the cells of a piece do not hang together")
        columns = [column for _, column in offsets.values()]
        start = min(piece)
        lowest = max(row for row, _ in offsets.values())
        # The cell in the row of the lowest one and the column of the first one, moved to the wall.
        floors.append(start + lowest * step + (min(columns) + min(drops)) * right)
        lefts.append(min(columns) + min(drops))
        rights.append(max(columns) + max(drops))
    widths = {last - first + 1 for first, last in zip(lefts, rights, strict=True)}
    floor = min(floors, key=lambda cell: (floors.count(cell) * -1, cell))
    return Lattice(floor, step, right, max(widths))
