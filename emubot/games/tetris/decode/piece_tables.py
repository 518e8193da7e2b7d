"""A map's own pieces in the family's words: ids, places of the pivot, turns; knows no memory and no search.

The family's words are the orientation ids and pivots of rules.py. A map may number its orientations otherwise, have
more of them (two flat ones of the long piece, say), hold each by another cell and turn it another way.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.errors import MapError
from emubot.games.motion import Shapes
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

Cells = frozenset[tuple[int, int]]


class Held(NamedTuple):
    """One orientation of a map: which of the family's it is, and where the family's pivot is from the map's."""

    orientation: int
    dx: int
    dy: int
    turns: tuple[int, int]  # the map's ids after a turn clockwise and counterclockwise


class Tables:
    """The orientations of a map by its own ids; without a list in the map, those of rules.py as they are."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises MapError for cells that no piece of the family has, and for a turn into another piece."""
        self.own = bool(ram_map.pieces)
        self._held = _read(ram_map) if self.own else _NATIVE
        self._shapes: dict[int, Shapes] = {}
        for number, held in self._held.items():
            for turned in held.turns:
                if PIECE_OF[self._held[turned].orientation] != PIECE_OF[held.orientation]:
                    raise MapError(
                        f"{ram_map.path}: orientation {number} turns into {turned}, which is another piece: "
                        "correct clockwise and counterclockwise."
                    )

    def piece(self, number: int, x: int, y: int) -> Piece | None:
        """The piece in the family's words from the map's id and pivot.

        None for an id that the map does not have, and where no piece can be, beside the field, below or far above it:
        kernels do not check what they index with.
        """
        held = self._held.get(number)
        if held is None:
            return None
        piece = Piece(held.orientation, x + held.dx, y + held.dy)
        left, right, bottom = _REACH[held.orientation]
        inside = left <= piece.column <= right and -HIDDEN_ROWS <= piece.row + bottom < ROWS
        return piece if inside else None

    def orientation(self, number: int) -> int | None:
        """The family's id of one of the map's."""
        held = self._held.get(number)
        return None if held is None else held.orientation

    def shapes(self, number: int) -> Shapes:
        """How the piece moves that has this id of the map now; that orientation comes first. Turns have no kicks."""
        made = self._shapes.get(number)
        if made is None:
            made = self._shapes[number] = self._made(number)
        return made

    def numbers(self, number: int) -> list[int]:
        """The map's ids that turns lead to from this one, in the order of `shapes`."""
        order = [number]
        for seen in order:  # grows as it is walked
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
        return Shapes(np.stack([DX[shown], DY[shown]], axis=2), turns, shown)


def _read(ram_map: RamMap) -> dict[int, Held]:
    held = {}
    for listed in ram_map.pieces:
        cells = frozenset(listed.cells)
        found = next(
            (orientation for orientation, own in enumerate(_CELLS) if _at_origin(own) == _at_origin(cells)), None
        )
        if found is None:
            raise MapError(
                f"{ram_map.path}: the cells of orientation {listed.id} are no piece of falling blocks "
                f"({', '.join(PIECE_NAMES)}): correct them."
            )
        (left, top), (own_left, own_top) = _corner(cells), _corner(_CELLS[found])
        held[listed.id] = Held(found, left - own_left, top - own_top, (listed.clockwise, listed.counterclockwise))
    return held


def _corner(cells: Cells) -> tuple[int, int]:
    return min(x for x, _ in cells), min(y for _, y in cells)


def _at_origin(cells: Cells) -> Cells:
    left, top = _corner(cells)
    return frozenset((x - left, y - top) for x, y in cells)


_CELLS: Final[list[Cells]] = [
    frozenset((int(x), int(y)) for x, y in zip(DX[orientation], DY[orientation], strict=True))
    for orientation in range(ORIENTATIONS)
]
# Of each orientation: the pivot's first and last column between the walls, and its lowest cell below the pivot.
_REACH: Final = [
    (-min(x for x, _ in cells), COLUMNS - 1 - max(x for x, _ in cells), max(y for _, y in cells)) for cells in _CELLS
]
_NATIVE: Final = {
    orientation: Held(orientation, 0, 0, (int(CLOCKWISE[orientation]), int(COUNTERCLOCKWISE[orientation])))
    for orientation in range(ORIENTATIONS)
}
