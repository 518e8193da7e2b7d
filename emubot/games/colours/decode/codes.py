"""Translates a map's codes to the family's kinds and orientations, and back; knows no frame and no state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.decode.turns import direction_of, is_usual, swaps
from emubot.games.colours.rules import (
    BIG,
    CARBUNCLE,
    COLORS,
    EMPTY,
    NUISANCE,
    OBSTACLE,
    ORIENTATIONS,
    POPPING,
)
from emubot.rammap import RamMap
from emubot.rammap.layout import Orientation

COLOR_NAMES: Final = tuple(f"color_{number}" for number in range(1, COLORS + 1))
_KINDS: Final = {
    "empty": EMPTY,
    **{name: number for number, name in enumerate(COLOR_NAMES, start=1)},
    "nuisance": NUISANCE,
    "wall": OBSTACLE,
}
_READ: Final = _KINDS | {"popping": OBSTACLE}  # a popping cell blocks pieces until it is removed
# Kinds of a piece's halves by name; a half without a kind is 0.
_HALVES: Final = {name: kind for name, kind in _KINDS.items() if name in COLOR_NAMES} | {
    "big": BIG,
    "carbuncle": CARBUNCLE,
}
KIND_NAMES: Final = tuple(name for name in _READ if name != "empty")
HALF_NAMES: Final = tuple(_HALVES)
_BOTTOM: Final = 0

Kinds = NDArray[np.uint8]
Place = tuple[int, int, int]  # canonical orientation, pivot's column and row from the map's x and y


def kinds_read(
    names: Iterable[str], solid: NDArray[np.bool_], known: Mapping[str, int] = _READ, obstacle: int = OBSTACLE
) -> Kinds:
    """Returns the family's kind of each kind of a map, (256,). Unknown kinds are obstacles if solid, else empty.

    `known` are the family's kinds by name: here of pairs.
    """
    table = np.where(solid, obstacle, EMPTY).astype(np.uint8)
    for number, name in enumerate(names):
        table[number] = known.get(name, table[number])
    return table


def kinds_written(names: Iterable[str]) -> dict[int, int]:
    """Returns a map's kind by the family's kind, for all that it has. POPPING without a code is written as a wall."""
    written = numbers_of(names, _KINDS | {"popping": POPPING})
    return written if POPPING in written or OBSTACLE not in written else written | {POPPING: written[OBSTACLE]}


def numbers_of(names: Iterable[str], known: Mapping[str, int]) -> dict[int, int]:
    """Returns a map's kind by the family's kind, for all that it has; `known` are the family's kinds by name."""
    numbers = {name: number for number, name in enumerate(names)}
    return {kind: numbers[name] for name, kind in known.items() if name in numbers}


class CellCodes:
    """The codes of a piece's cells."""

    def __init__(self, ram_map: RamMap, known: Mapping[str, int]) -> None:
        """`known` are the kinds of such cells by name."""
        self._kinds = {code: kind for name, kind in known.items() for code in ram_map.piece_codes.get(name, ())}
        self._codes = {kind: code for code, kind in reversed(self._kinds.items())}
        self._codes[EMPTY] = next(code for code in range(len(self._kinds) + 1) if code not in self._kinds)

    @property
    def kinds(self) -> frozenset[int]:
        """The kinds that have a code."""
        return frozenset(self._codes) - {EMPTY}

    def kind(self, code: int) -> int:
        """Returns the kind of a cell; 0 for a code that the map does not know."""
        return self._kinds.get(code, EMPTY)

    def code(self, kind: int) -> int:
        """Returns a code of this kind; kind 0 has one too. Raises KeyError for a kind without a code."""
        return self._codes[kind]


class PieceCodes(CellCodes):
    """The halves and orientations of a map's pieces. If the map says `learn`, they are open.

    The pivot is the half that stays in place in every orientation; if there is none, it is the bottom half. Where turns
    make the halves change places, it is the half of the lower kind.
    """

    def __init__(self, ram_map: RamMap) -> None:
        super().__init__(ram_map, _HALVES)
        cells = {entry.id: entry.cells for entry in ram_map.pieces if len(entry.cells) == 2}
        self.pivot = next((half for half in (0, 1) if cells and _stays(cells, half)), _BOTTOM)
        self.swaps = swaps(ram_map)
        self.usual = is_usual(ram_map, self.pivot)
        pairs = [entry for entry in ram_map.pieces if len(entry.cells) == 2]
        self._stances = tuple(_places(pairs, half) for half in (0, 1))
        self._places = self._stances[self.pivot]
        self._ids = {place[0]: (number, place) for number, place in reversed(self._places.items())}
        self.odd = tuple(entry.id for entry in ram_map.pieces if entry.id not in self._places)
        self.missing = tuple(number for number in range(ORIENTATIONS) if number not in self._ids)

    @property
    def known(self) -> bool:
        """Whether the map states the orientations of a pair."""
        return bool(self._places)

    @property
    def count(self) -> int:
        """The number of orientations that the map states."""
        return len(self._places)

    @property
    def orientations(self) -> frozenset[int]:
        """The canonical orientations that the map states."""
        return frozenset(self._ids)

    def pivot_of(self, kinds: Sequence[int]) -> int:
        """Returns which half of a pair is the pivot: 0 the bottom half, 1 the top half; `kinds` are theirs."""
        return int(kinds[0] > kinds[1]) if self.swaps else self.pivot

    def place(self, number: int, pivot: int | None = None) -> Place | None:
        """Returns the meaning of an orientation id if that half is the pivot; None for an id that the map lacks."""
        if not self.known:
            return number % ORIENTATIONS, 0, 0
        return self._stances[self.pivot if pivot is None else pivot].get(number)

    def id_of(self, orientation: int) -> tuple[int, Place]:
        """Returns an id of this canonical orientation, with its meaning. Raises KeyError if there is none."""
        return self._ids[orientation]


def _places(entries: Sequence[Orientation], pivot: int) -> dict[int, Place]:
    """Returns the meaning of each id if that half is the pivot."""
    found = {}
    for entry in entries:
        orientation = direction_of(entry, pivot)
        if orientation is not None:
            found[entry.id] = (orientation, *entry.cells[pivot])
    return found


def _stays(cells: Mapping[int, tuple[tuple[int, int], ...]], half: int) -> bool:
    return all(two[half] == (0, 0) for two in cells.values())
