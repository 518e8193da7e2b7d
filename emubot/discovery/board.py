"""Finds how the board lies in memory, from pieces dropped in every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from statistics import median_low
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.drops import Drop
from emubot.discovery.lab import History
from emubot.discovery.units import BYTES, PACKINGS, Packing, Units

Place = tuple[int, int]  # row downwards and column, from a cell

MOST_CELLS: Final = 5  # of a piece
MOST_STRIDE: Final = 256  # units from a row to the next
_STRAYS: Final = 2  # units of a set that change with the column and are no cells
_WIDE: Final = 6  # columns that a piece was dropped in, of which it leaves each cell free in some


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where cells lie: the cell in the lowest row, column 0, and the units to the next row downwards and to the right.

    `down` is negative where memory begins with the lowest row.
    """

    packing: Packing
    floor: int
    down: int
    right: int
    columns: int

    def index(self, row: int, column: int) -> int:
        """Returns the unit of a cell; row 0 is the lowest one, -1 that above it."""
        return self.floor + row * self.down + column * self.right

    def cells(self, rows: int) -> NDArray[np.int64]:
        """Returns the units of the lowest rows as an index array (rows, columns), the highest row first."""
        row, column = np.mgrid[1 - rows : 1, 0 : self.columns]
        return np.asarray(self.floor + row * self.down + column * self.right, np.int64)

    def bytes_of(self, rows: int) -> NDArray[np.int64]:
        """Returns the bytes in which the cells of the lowest rows lie, in rising order."""
        return np.unique(self.cells(rows) // self.packing.each)


@dataclass(frozen=True, slots=True)
class Across:
    """What pieces dropped in every column show: the units from a column to the next, and the cells of each set.

    A set of which it explains nothing is left out of `sets`.
    """

    packing: Packing
    right: int
    sets: tuple[Mapping[int, Drop], ...]
    cells: tuple[frozenset[int], ...]

    @property
    def score(self) -> int:
        """The cells that this explains."""
        return sum(map(len, self.cells))

    def together(self, widest: int) -> Across:
        """Returns it with the cells of each set that are near the others, where rows are `widest` apart at most."""
        middle = [median_low(cells) for cells in self.cells]
        near = (
            frozenset(cell for cell in cells if abs(cell - own) <= MOST_CELLS * widest)
            for cells, own in zip(self.cells, middle, strict=True)
        )
        return replace(self, cells=tuple(near))


def across(empty: History, sets: Sequence[Mapping[int, Drop]], loose: NDArray[np.bool_]) -> list[Across]:
    """Returns how cells follow each other from left to right, and each set's cells where it was not moved aside.

    A cell is a unit that another number came into, and that lies further by one step for each column that the piece was
    moved. What explains most cells comes first. A step explains the first set and most others: a press may be lost.
    The bytes that are `loose` hold none: what is in them does not stay.
    """
    found: list[Across] = []
    for packing in PACKINGS:
        steps = range(1, MOST_STRIDE + 1) if packing == BYTES else (1, -1)
        before, kept = packing.of(empty)[0], ~np.repeat(loose, packing.each)
        seen = [{columns: packing.of(drop.rested)[0] for columns, drop in drops.items()} for drops in sets]
        for step in steps:
            cells = [_moved_by(step, before, units, kept) for units in seen]
            whole = [1 <= len(piece) <= MOST_CELLS + _STRAYS for piece in cells]
            if not whole[0] or 2 * sum(whole) <= len(whole):
                continue
            good = [place for place, each in enumerate(whole) if each]
            found.append(Across(packing, step, tuple(sets[at] for at in good), tuple(cells[at] for at in good)))
    return sorted(found, key=lambda across: -across.score)


def loose_bytes(empty: History, first: Drop, others: Sequence[Drop]) -> NDArray[np.bool_]:
    """Returns the bytes that a piece changed and each of the next ones changes again, in the same bits.

    Cells of the board stay when the next piece falls elsewhere; what a game writes to draw or try a piece does not.
    """
    changed = first.rested[0] ^ empty[0]
    again = [(other.rested[0] ^ first.rested[0]) & changed != 0 for other in others]
    return np.asarray(np.all(again, axis=0) if again else np.zeros(changed.shape, np.bool_), np.bool_)


def _moved_by(step: int, before: Units, seen: Mapping[int, Units], kept: NDArray[np.bool_]) -> frozenset[int]:
    middle = seen[0]
    cells = np.flatnonzero((middle != before) & kept)
    for columns, units in seen.items():
        there = cells + columns * step
        inside = (there >= 0) & (there < len(before))
        cells, there = cells[inside], there[inside]
        cells = cells[units[there] == middle[cells]]
    alone, count = set(map(int, cells)), -1
    while len(alone) != count:  # a cell that is none may have held its neighbour
        count = len(alone)
        for columns, units in seen.items():
            here = {cell + columns * step for cell in alone}
            alone = {cell for cell in alone if cell in here or units[cell] == before[cell]}
    if len(seen) >= _WIDE:  # what changes wherever the piece falls is no cell
        alone = {cell for cell in alone if any(units[cell] == before[cell] for units in seen.values())}
    return frozenset(alone)


def row_steps(right: int, widest: int, sets: Sequence[frozenset[int]]) -> list[int]:
    """Returns the units from a row to the next, all numbers by which most cells of most sets hang together.

    A cell or two of a set may be none: other units change with the column, too, sometimes many bits of one byte.
    """
    apart = {abs(cell - other) for cells in sets for cell in cells for other in cells}
    held: dict[int, int] = {}
    for step in (step for step in apart if step <= MOST_STRIDE and is_stride(step, right, widest)):
        parts = [part for cells in sets if _mostly(part := largest(cells, step, right), cells)]
        if 2 * len(parts) > len(sets):
            held[step] = sum(map(len, parts))
    most = max(held.values(), default=0)
    return sorted(step for step, count in held.items() if count == most)


def _mostly(part: frozenset[int], whole: frozenset[int]) -> bool:
    return len(part) >= max(len(whole) - _STRAYS, 1)


def largest(cells: frozenset[int], down: int, right: int) -> frozenset[int]:
    """Returns the most cells of a set that hang together."""
    left, best = set(cells), frozenset[int]()
    while left:
        part = frozenset(_from(min(left), left, down, right))
        left -= part
        best = max(best, part, key=len)
    return best


def is_stride(step: int, right: int, widest: int) -> bool:
    """Returns whether rows of this stride do not overlap: row by row, or column by column."""
    return step >= abs(right) * widest or (0 < step < abs(right))


def places(cells: frozenset[int], down: int, right: int) -> Mapping[int, Place] | None:
    """Returns the row and column of each cell from the first one; None if they do not hang together."""
    offsets = _from(min(cells), cells, down, right)
    return offsets if len(offsets) == len(cells) else None


def _from(start: int, cells: Set[int], down: int, right: int) -> dict[int, Place]:
    """Returns the row and column of each cell that hangs together with the first one."""
    offsets = {start: (0, 0)}
    edge = [start]
    while edge:
        cell = edge.pop()
        row, column = offsets[cell]
        for by, place in _neighbours(row, column, down, right):
            if cell + by in cells and cell + by not in offsets:
                offsets[cell + by] = place
                edge.append(cell + by)
    return offsets


def _neighbours(row: int, column: int, down: int, right: int) -> Iterator[tuple[int, Place]]:
    yield from ((down, (row + 1, column)), (-down, (row - 1, column)))
    yield from ((right, (row, column + 1)), (-right, (row, column - 1)))


def lattice(found: Across, down: int, upwards: bool) -> Lattice:
    """Returns the board on whose floor these sets of cells came to rest; `upwards`: lower rows come first in memory."""
    step, right = -down if upwards else down, found.right
    lefts, rights, floors = [], [], []
    for drops, together in zip(found.sets, found.cells, strict=True):
        piece = largest(together, step, right)
        offsets = _from(min(piece), piece, step, right)
        columns = [column for _, column in offsets.values()]
        start = min(piece)
        lowest = max(row for row, _ in offsets.values())
        # The cell in the row of the lowest one and the column of the first one, moved to the wall.
        floors.append(start + lowest * step + (min(columns) + min(drops)) * right)
        lefts.append(min(columns) + min(drops))
        rights.append(max(columns) + max(drops))
    widths = {last - first + 1 for first, last in zip(lefts, rights, strict=True)}
    floor = min(floors, key=lambda cell: (floors.count(cell) * -1, cell))
    return Lattice(found.packing, floor, step, right, max(widths))
