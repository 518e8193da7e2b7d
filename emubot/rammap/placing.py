"""Finds a piece's orientation and pivot from the coordinates of its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from emubot.rammap.layout import Orientation
from emubot.rammap.ram_map import RamMap

Cell = tuple[int, int]  # column, row

_ORIGIN: Final = (0, 0)


class Placed(NamedTuple):
    """A piece as a map means it: an orientation id, and the pivot's column and row."""

    orientation: int
    x: int
    y: int


class CellTable:
    """The orientations of a map by their cells.

    `ordered`: the cells come in the order of the map, so that a piece of two colours differs from the piece turned by
    180 degrees. Otherwise they come in any order, as sprites do.
    """

    def __init__(self, orientations: Sequence[Orientation], ordered: bool) -> None:
        self._ordered = ordered
        self._found: dict[tuple[Cell, ...], dict[int, Placed]] = {}
        for entry in orientations:
            shape, (x, y) = self._shape(entry.cells)
            self._found.setdefault(shape, {})[entry.id] = Placed(entry.id, -x, -y)

    def find(self, cells: Sequence[Cell], orientation: int | None = None) -> Placed | None:
        """Returns the piece that occupies exactly these cells; None if no orientation does.

        Of several with the same cells it is the one with this id, or the first in the map.
        """
        shape, (x, y) = self._shape(cells)
        alike = self._found.get(shape)
        if alike is None:
            return None
        placed = alike[orientation] if orientation in alike else next(iter(alike.values()))
        return Placed(placed.orientation, x + placed.x, y + placed.y)

    def _shape(self, cells: Sequence[Cell]) -> tuple[tuple[Cell, ...], Cell]:
        """Returns the cells relative to one of them or to their top left corner, and where that is."""
        if self._ordered or not cells:
            left, top = cells[0] if cells else _ORIGIN
        else:
            left, top = min(x for x, _ in cells), min(y for _, y in cells)
        shape = [(x - left, y - top) for x, y in cells]
        return tuple(shape if self._ordered else sorted(shape)), (left, top)


def names_of_place(ram_map: RamMap) -> tuple[str, ...]:
    """Returns the values that hold the piece's cells, x before y; empty if the map does not state `place`."""
    place = ram_map.document.place
    return () if place is None else tuple(name for point in place.cells for name in (point.x, point.y))


def placed_by_cells(
    ram_map: RamMap, player: int, ordered: bool, id_name: str
) -> Callable[[bytes], Placed | None] | None:
    """Returns the reader of a player's piece by its cells; None if the map does not state `place`.

    Cells that the family does not read as `ordered` come in order if the map says so. The value `id_name`, if the map
    has it, tells orientations with the same cells apart. Where a family does not read them as ordered, cells may lie
    outside the playfield: they are the spare ones of a smaller piece, parked where nobody sees them, and do not count.
    Raises KeyError if the player lacks a value.
    """
    place, names = ram_map.document.place, names_of_place(ram_map)
    if place is None:
        return None
    reader, table = ram_map.reader(player), CellTable(ram_map.pieces, ordered or place.in_order)
    number = (id_name,) if id_name in reader.names else ()
    select, grid = reader.select((*names, *number)), ram_map.document.grid

    def read(ram: bytes) -> Placed | None:
        numbers = select(ram)
        cells = list(zip(numbers[: len(names) : 2], numbers[1 : len(names) : 2], strict=True))
        if not ordered:
            cells = [(x, y) for x, y in cells if 0 <= x < grid.columns and y < grid.rows]
        return table.find(cells, *numbers[len(names) :])

    return read
