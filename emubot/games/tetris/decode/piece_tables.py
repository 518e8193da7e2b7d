"""Converts a map's pieces to the family's: ids, pivots, turns; knows no memory and no search.

The family's ids and pivots are those of rules.py. A map may have other ids, more orientations (two flat ones of the I,
for example), another cell as the pivot, and other turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from emubot.games.findings import Finding, refuse
from emubot.games.tetris.rules import (
    CLOCKWISE,
    COLUMNS,
    COUNTERCLOCKWISE,
    DX,
    DY,
    HIDDEN_ROWS,
    ORIENTATIONS,
    PIECE_NAMES,
    PIECE_OF,
    ROWS,
)
from emubot.rammap import RamMap
from emubot.snapshot import Piece

if TYPE_CHECKING:
    from emubot.games.motion import Shapes

Cells = frozenset[tuple[int, int]]


class OrientationEntry(NamedTuple):
    """One orientation of a map: the family's orientation id, and the offset from the map's pivot to the family's."""

    orientation: int
    dx: int
    dy: int
    turns: tuple[int, int]  # the map's ids after a turn clockwise and counterclockwise


class OrientationTables:
    """The orientations of a map by its own ids; those of rules.py if the map lists none."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises MapError if no piece of the family has these cells, or if a turn leads to another piece."""
        refuse(odd_pieces(ram_map))
        self.own = bool(ram_map.pieces)
        self._held = _read(ram_map) if self.own else _NATIVE
        self._shapes: dict[int, Shapes] = {}

    def piece(self, number: int, x: int, y: int) -> Piece | None:
        """Returns the family's piece for the map's id and pivot.

        None if the map does not have this id, or if the piece is beside, below or far above the field: kernels do not
        check their indices.
        """
        held = self._held.get(number)
        if held is None:
            return None
        piece = Piece(held.orientation, x + held.dx, y + held.dy)
        left, right, bottom = _REACH[held.orientation]
        inside = left <= piece.column <= right and -HIDDEN_ROWS <= piece.row + bottom < ROWS
        return piece if inside else None

    def orientation(self, number: int) -> int | None:
        """Returns the family's id of one of the map's; None if the map does not have it."""
        held = self._held.get(number)
        return None if held is None else held.orientation

    def shapes(self, number: int) -> Shapes:
        """Returns the shapes of the piece with this id of the map; that orientation is first. Turns have no kicks."""
        made = self._shapes.get(number)
        if made is None:
            made = self._shapes[number] = self._made(number)
        return made

    def numbers(self, number: int) -> list[int]:
        """Returns the map's ids that turns from this one can reach, in the order of `shapes`."""
        order = [number]
        for seen in order:  # the list grows in the loop
            order += [turned for turned in dict.fromkeys(self._held[seen].turns) if turned not in order]
        return order

    def _made(self, number: int) -> Shapes:
        order = self.numbers(number)
        states = [self._held[seen] for seen in order]
        turns = np.full((2, len(order), 1, 3), -1, dtype=np.int8)
        for state, held in enumerate(states):
            for direction, turned in enumerate(held.turns):
                after = self._held[turned]
                if turned != order[state]:
                    turns[direction, state, 0] = (order.index(turned), after.dx - held.dx, after.dy - held.dy)
        shown = np.array([held.orientation for held in states], dtype=np.int64)
        from emubot.games.motion import Shapes

        return Shapes(np.stack([DX[shown], DY[shown]], axis=2), turns, shown)


def cells_of(piece: Piece) -> Sequence[tuple[int, int]]:
    """Returns the cells (column, row) of one of the family's pieces."""
    return [(piece.column + x, piece.row + y) for x, y in _CELLS[piece.orientation]]


def _read(ram_map: RamMap) -> dict[int, OrientationEntry]:
    held = {}
    for listed in ram_map.pieces:
        cells = frozenset(listed.cells)
        found = _orientation_of(cells)
        assert found is not None, "odd_pieces finds such cells"
        (left, top), (own_left, own_top) = _corner(cells), _corner(_CELLS[found])
        held[listed.id] = OrientationEntry(
            found, left - own_left, top - own_top, (listed.clockwise.to, listed.counterclockwise.to)
        )
    return held


def odd_pieces(ram_map: RamMap) -> Iterator[Finding]:
    """Yields every orientation of a map whose cells no piece of the family has, and every turn into another piece."""
    known = {listed.id: _orientation_of(frozenset(listed.cells)) for listed in ram_map.pieces}
    for place, listed in enumerate(ram_map.pieces):
        own = known[listed.id]
        if own is None:
            yield Finding(
                ("pieces", place, "cells"),
                f"{ram_map.path}: the cells of orientation {listed.id} are no piece of falling blocks "
                f"({', '.join(PIECE_NAMES)}): correct them.",
            )
            continue
        for key, turn in (("clockwise", listed.clockwise), ("counterclockwise", listed.counterclockwise)):
            after = known[turn.to]
            if after is not None and PIECE_OF[after] != PIECE_OF[own]:
                yield Finding(
                    ("pieces", place, key),
                    f"{ram_map.path}: orientation {listed.id} turns into {turn.to}, which is another piece: "
                    "correct clockwise and counterclockwise.",
                )


def _orientation_of(cells: Cells) -> int | None:
    """Returns the family's orientation with these cells, wherever the pivot is; None if there is none."""
    return next((number for number, own in enumerate(_CELLS) if _at_origin(own) == _at_origin(cells)), None)


def _corner(cells: Cells) -> tuple[int, int]:
    return min(x for x, _ in cells), min(y for _, y in cells)


def _at_origin(cells: Cells) -> Cells:
    left, top = _corner(cells)
    return frozenset((x - left, y - top) for x, y in cells)


_CELLS: Final[list[Cells]] = [
    frozenset((int(x), int(y)) for x, y in zip(DX[orientation], DY[orientation], strict=True))
    for orientation in range(ORIENTATIONS)
]
# For each orientation: the first and last pivot column between the walls, and the rows from the pivot down to its
# lowest cell.
_REACH: Final = [
    (-min(x for x, _ in cells), COLUMNS - 1 - max(x for x, _ in cells), max(y for _, y in cells)) for cells in _CELLS
]
_NATIVE: Final = {
    orientation: OrientationEntry(orientation, 0, 0, (int(CLOCKWISE[orientation]), int(COUNTERCLOCKWISE[orientation])))
    for orientation in range(ORIENTATIONS)
}
