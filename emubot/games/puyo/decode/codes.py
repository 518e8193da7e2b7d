"""A map's codes against the family's own kinds and orientations, both ways; knows no frame and no state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.rules import (
    BIG,
    CARBUNCLE,
    COLORS,
    EMPTY,
    NUISANCE,
    OBSTACLE,
    ORIENTATIONS,
    POPPING,
    SATELLITE,
)
from emubot.rammap import RamMap

COLOR_NAMES: Final = tuple(f"color_{number}" for number in range(1, COLORS + 1))
_KINDS: Final = {
    "empty": EMPTY,
    **{name: number for number, name in enumerate(COLOR_NAMES, start=1)},
    "nuisance": NUISANCE,
    "wall": OBSTACLE,
}
_READ: Final = _KINDS | {"popping": OBSTACLE}  # it is in the way until it is gone
# Codes of a piece's halves; a half of no kind is 0.
_HALVES: Final = {name: kind for name, kind in _KINDS.items() if name in COLOR_NAMES} | {
    "big": BIG,
    "carbuncle": CARBUNCLE,
}
_BOTTOM: Final = 0

Kinds = NDArray[np.uint8]
Place = tuple[int, int, int]  # canonical orientation, pivot's column and row from the map's x and y


def kinds_read(names: Iterable[str], solid: NDArray[np.bool_]) -> Kinds:
    """(256,) the family's kind of each of a map's kinds: what is neither a puyo nor empty is an obstacle if solid."""
    table = np.where(solid, OBSTACLE, EMPTY).astype(np.uint8)
    for number, name in enumerate(names):
        table[number] = _READ.get(name, table[number])
    return table


def kinds_written(names: Iterable[str]) -> dict[int, int]:
    """A map's kind for each of the family's kinds it can say; what pops is an obstacle where it has no code."""
    numbers = {name: number for number, name in enumerate(names)}
    written = {kind: numbers[name] for name, kind in _KINDS.items() if name in numbers}
    popping = numbers.get("popping", written.get(OBSTACLE))
    return written if popping is None else written | {POPPING: popping}


class PieceCodes:
    """The halves and orientations of a map's pieces. Both are open (`known` false) where the map says `learn`.

    The pivot is the half that stays in place in every orientation, else the bottom half.
    """

    def __init__(self, ram_map: RamMap) -> None:
        self._halves = {code: kind for name, kind in _HALVES.items() for code in ram_map.piece_codes.get(name, ())}
        self._half_codes = {kind: code for code, kind in reversed(self._halves.items())}
        self._half_codes[EMPTY] = next(code for code in range(len(self._halves) + 1) if code not in self._halves)
        cells = {entry.id: entry.cells for entry in ram_map.pieces if len(entry.cells) == 2}
        self.pivot = next((half for half in (0, 1) if cells and _stays(cells, half)), _BOTTOM)
        self._places = {number: place for number, two in cells.items() if (place := self._place(two)) is not None}
        self._ids = {place[0]: (number, place) for number, place in reversed(self._places.items())}
        self.odd = tuple(entry.id for entry in ram_map.pieces if entry.id not in self._places)
        self.missing = tuple(number for number in range(ORIENTATIONS) if number not in self._ids)

    @property
    def known(self) -> bool:
        """Whether the map says how a pair stands."""
        return bool(self._places)

    @property
    def kinds(self) -> frozenset[int]:
        """The kinds of half that have a code."""
        return frozenset(self._half_codes) - {EMPTY}

    def half(self, code: int) -> int:
        """The kind of a half, 0 for a code that the map does not know."""
        return self._halves.get(code, EMPTY)

    def half_code(self, kind: int) -> int:
        """A code that reads as this kind; 0 has one too. KeyError for a kind without a code."""
        return self._half_codes[kind]

    def place(self, number: int) -> Place | None:
        """What an orientation id means, None for one that the map does not know."""
        if not self.known:
            return number % ORIENTATIONS, 0, 0
        return self._places.get(number)

    def id_of(self, orientation: int) -> tuple[int, Place]:
        """An id that reads as this canonical orientation, with its meaning; KeyError if there is none."""
        return self._ids[orientation]

    def _place(self, cells: tuple[tuple[int, int], ...]) -> Place | None:
        (px, py), (sx, sy) = cells[self.pivot], cells[1 - self.pivot]
        direction = (sx - px, sy - py)
        return (SATELLITE.index(direction), px, py) if direction in SATELLITE else None


def _stays(cells: Mapping[int, tuple[tuple[int, int], ...]], half: int) -> bool:
    return all(two[half] == (0, 0) for two in cells.values())
