"""What a pair in the air can reach, which turns as the rules or the map have it; knows no evaluation."""

from __future__ import annotations

from emubot.games.colours.decode.codes import PieceCodes
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.turns import turns_of
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.reach import Offers, Start, pair_start
from emubot.games.colours.reach.turned import TurnedShapes
from emubot.games.colours.timing import PAIRS, timing_of
from emubot.games.motion import Fall
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Snapshot
from emubot.tempo import Tempo

Pair = tuple[int, int]


def pair_of(snapshot: Snapshot) -> Pair:
    """Returns the kinds of the pair in the air: the pivot's, the satellite's."""
    return snapshot.counters["pivot"], snapshot.counters["satellite"]


class PuyoOffers(Offers):
    """Finds the placements of a map's pairs."""

    numbers = 2

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        super().__init__(ram_map, tempo)
        self._rules, self._timing = rules_of_map(ram_map), timing_of(ram_map, PAIRS)
        self._turned = turned_shapes(ram_map)

    @property
    def is_usual(self) -> bool:
        """Whether pairs turn as the rules have it, and not as the map lists it."""
        return self._turned is None

    def _start(self, snapshot: Snapshot, piece: Piece, quick: bool) -> Start:
        pair = pair_of(snapshot)
        shapes = None if self._turned is None else self._turned.of(pair)
        return pair_start(cells_of(snapshot), pair, piece, self._rules, shapes, quick)

    def _stated_fall(self, snapshot: Snapshot) -> Fall:
        return self._timing.fall(snapshot.counters.get("level", 0))


def turned_shapes(ram_map: RamMap) -> TurnedShapes | None:
    """Returns the tables of a map's own turns; None if its pairs turn as the rules have it."""
    pivot = PieceCodes(ram_map).pivot
    turns, alike = turns_of(ram_map, pivot), turns_of(ram_map, pivot, alike=True)
    return None if turns is None or alike is None else TurnedShapes(turns, alike, rules_of_map(ram_map))
