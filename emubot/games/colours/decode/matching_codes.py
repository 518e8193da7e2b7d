"""Translates a map's codes to the family's kinds and orientations, and back; knows no frame and no state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.matching_rules import COLORS, EMPTY, OBSTACLE, TARGET, VANISHING, Rules
from emubot.rammap import RamMap

COLOR_NAMES: Final = tuple(f"color_{number}" for number in range(1, COLORS + 1))
TARGET_NAMES: Final = tuple(f"target_{number}" for number in range(1, COLORS + 1))
_COLORS: Final = {name: number for number, name in enumerate(COLOR_NAMES, start=1)}
_KINDS: Final = {
    "empty": EMPTY,
    **_COLORS,
    **{name: TARGET + number for number, name in enumerate(TARGET_NAMES, start=1)},
    "wall": OBSTACLE,
    "vanishing": VANISHING,
}
KIND_NAMES: Final = tuple(name for name in _KINDS if name != "empty")

Kinds = NDArray[np.uint8]
Place = tuple[int, int, int]  # the family's orientation, the pivot's column and row from the map's x and y


def kinds_read(names: Iterable[str], solid: NDArray[np.bool_]) -> Kinds:
    """Returns the family's kind of each kind of a map, (256,). Unknown kinds are obstacles if solid, else empty."""
    table = np.where(solid, OBSTACLE, EMPTY).astype(np.uint8)
    for number, name in enumerate(names):
        table[number] = _KINDS.get(name, table[number])
    return table


def kinds_written(names: Iterable[str]) -> dict[int, int]:
    """Returns a map's kind by the family's kind, for all that it has."""
    numbers = {name: number for number, name in enumerate(names)}
    return {kind: numbers[name] for name, kind in _KINDS.items() if name in numbers}


class PieceCodes:
    """The codes of a piece's cells and of its orientations.

    `missing` are the family's orientations for which the map has no id, `odd` are ids whose cells are no orientation.
    """

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        known = ram_map.piece_codes
        self._kinds = {code: _COLORS[name] for name in COLOR_NAMES for code in known.get(name, ())}
        self._codes = {kind: code for code, kind in reversed(self._kinds.items())}
        self._codes[EMPTY] = next(code for code in range(len(self._kinds) + 1) if code not in self._kinds)
        places = {entry.id: _place(entry.cells, rules) for entry in ram_map.pieces}
        self._places = {number: place for number, place in places.items() if place is not None}
        self._ids = {place[0]: (number, place) for number, place in reversed(self._places.items())}
        self.odd = tuple(number for number, place in places.items() if place is None)
        self.missing = tuple(turn for turn in range(len(rules.shapes)) if turn not in self._ids)

    @property
    def colors(self) -> frozenset[int]:
        """The colours that have a code."""
        return frozenset(self._codes) - {EMPTY}

    def kind(self, code: int) -> int:
        """Returns the kind of a cell of a piece; 0 for a code that the map does not know."""
        return self._kinds.get(code, EMPTY)

    def code(self, kind: int) -> int:
        """Returns a code of this kind; kind 0 has one too. Raises KeyError for a kind without a code."""
        return self._codes[kind]

    def place(self, number: int) -> Place | None:
        """Returns the meaning of an orientation id; None for an id that the map does not know."""
        return self._places.get(number)

    def id_of(self, orientation: int) -> tuple[int, Place]:
        """Returns an id of this orientation, with its meaning. Raises KeyError if there is none."""
        return self._ids[orientation]


def _place(cells: tuple[tuple[int, int], ...], rules: Rules) -> Place | None:
    """Returns the orientation whose cells, half 1 first, are these, and where its pivot is; None if there is none."""
    for orientation, shape in enumerate(rules.shapes):
        moved = {(x - dx, y - dy) for (x, y), (dx, dy) in zip(cells, shape, strict=False)}
        if len(cells) == len(shape) and len(moved) == 1:
            return (orientation, *moved.pop())
    return None
