"""Translates a map's codes to the family's kinds and orientations, and back; knows no frame and no state."""

from __future__ import annotations

import dataclasses
from typing import Final

from emubot.games.colours.decode.codes import COLOR_NAMES, CellCodes
from emubot.games.colours.matching_rules import COLORS, EMPTY, OBSTACLE, TARGET, TURNED, VANISHING, Rules
from emubot.rammap import RamMap
from emubot.snapshot import Piece

TARGET_NAMES: Final = tuple(f"target_{number}" for number in range(1, COLORS + 1))
_COLORS: Final = {name: number for number, name in enumerate(COLOR_NAMES, start=1)}
KINDS: Final = {
    "empty": EMPTY,
    **_COLORS,
    **{name: TARGET + number for number, name in enumerate(TARGET_NAMES, start=1)},
    "wall": OBSTACLE,
    "vanishing": VANISHING,
}
KIND_NAMES: Final = tuple(name for name in KINDS if name != "empty")

Place = tuple[int, int, int]  # the family's orientation, the pivot's column and row from the map's x and y


class PieceCodes(CellCodes):
    """The codes of a piece's cells and of its orientations.

    `missing` are the family's orientations for which the map has no id, `odd` are ids whose cells are no orientation.
    """

    def __init__(self, ram_map: RamMap, rules: Rules) -> None:
        super().__init__(ram_map, _COLORS)
        places = {entry.id: _place(entry.cells, rules) for entry in ram_map.pieces}
        self._places = {number: place for number, place in places.items() if place is not None}
        self._ids = {place[0]: (number, place) for number, place in reversed(self._places.items())}
        self.odd = tuple(number for number, place in places.items() if place is None)
        half_turn = len(rules.shapes) // 2
        shown = {(turn + half_turn * half) % len(rules.shapes) for turn in self._ids for half in range(1 + rules.swaps)}
        self.missing = tuple(turn for turn in rules.orientations if turn not in shown)
        self._swaps, self._half_turn = rules.swaps, half_turn

    def read(self, number: int, kinds: tuple[int, ...]) -> tuple[Place | None, tuple[int, ...]]:
        """Returns the meaning of an orientation id, None for one that the map does not know, and the kinds in order.

        Where memory shows only the colours, the half of the lower kind is half 1.
        """
        place = self._places.get(number)
        if place is None or not self._swaps or kinds[0] <= kinds[-1]:
            return place, kinds
        return ((place[0] + self._half_turn) % len(TURNED), *place[1:]), kinds[::-1]

    def written(self, orientation: int, kinds: tuple[int, ...]) -> tuple[int, Place, tuple[int, ...]]:
        """Returns an id of an orientation, with its meaning, and the kinds in the order of its cells."""
        if orientation in self._ids:
            return *self._ids[orientation], kinds
        return *self._ids[(orientation + self._half_turn) % len(TURNED)], kinds[::-1]


def turns_in(ram_map: RamMap, rules: Rules) -> Rules | None:
    """Returns the rules with the turns that a map lists for a piece of two; None if the family has no such turns.

    A game may turn a piece of two between two orientations only, one flat and one upright. Either its halves keep their
    places in them, or a half-turn makes them change places: then there are four, seen from one half.
    """
    count, cells = len(TURNED), len(TURNED[0])
    entries = [entry for entry in ram_map.pieces if len(entry.cells) == cells]
    found = {entry.id: place[0] for entry in entries if (place := _place(entry.cells, rules)) is not None}
    if rules.piece_cells != cells or len(found) < len(entries) or len({*found.values()}) != cells:
        return rules
    if len({orientation % cells for orientation in found.values()}) != cells:
        return None
    turns = [
        (found[entry.id], found[turn.to], turn.cycle % cells, step)
        for entry in entries
        for button, turn, step in (
            (ram_map.buttons.rotate_clockwise, entry.clockwise, 1),
            (ram_map.buttons.rotate_counterclockwise, entry.counterclockwise, -1),
        )
        if button is not None
    ]
    # The two that the map lists come first: a piece of one colour shows only these.
    first = next(turn for turn in found.values() if (turn + 1) % count in found.values())
    listed, spawn = tuple((first + step) % count for step in range(count)), rules.spawn
    if spawn.orientation not in listed[:cells]:  # as the map has it, half 1 is the other one
        spawn = Piece((spawn.orientation + cells) % count, spawn.column, spawn.row)
    if not any(cycle for _, _, cycle, _ in turns):
        return dataclasses.replace(rules, turns=listed[:cells], spawn=spawn)
    if any((before + step) % count != (after + cells * cycle) % count for before, after, cycle, step in turns):
        return None
    return dataclasses.replace(rules, turns=listed, spawn=spawn, swaps=True)


def _place(cells: tuple[tuple[int, int], ...], rules: Rules) -> Place | None:
    """Returns the orientation whose cells, half 1 first, are these, and where its pivot is; None if there is none."""
    for orientation, shape in enumerate(rules.shapes):
        moved = {(x - dx, y - dy) for (x, y), (dx, dy) in zip(cells, shape, strict=False)}
        if len(cells) == len(shape) and len(moved) == 1:
            return (orientation, *moved.pop())
    return None
