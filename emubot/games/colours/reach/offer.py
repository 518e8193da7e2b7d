"""What the piece in the air can reach by a map's clock, or by single inputs without one; knows no evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.decode.codes import PieceCodes
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.turns import turns_of
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.reach import Reach, Start, moves, reach
from emubot.games.colours.reach.turned import TurnedShapes
from emubot.games.colours.timing import PAIRS, timing_of
from emubot.games.motion import Fall, Shapes
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo

_CLOCK: Final = "drop_timer"
_SLACK: Final = 3  # rows that a pair may fall while inputs are sent one by one

Pair = tuple[int, int]


class Offer(NamedTuple):
    """The placements that a piece can reach: int64 (n, 2), orientation and column.

    `gravity` is in frames per row, None if the clock is not known. `placement` returns the way to the placement of an
    index, with a value.
    """

    places: NDArray[np.int64]
    gravity: int | None
    placement: Callable[[int, float], Placement]


def pair_of(snapshot: Snapshot) -> Pair:
    """Returns the kinds of the pair in the air: the pivot's, the satellite's."""
    return snapshot.counters["pivot"], snapshot.counters["satellite"]


class Offers:
    """Finds the placements of a map's pieces.

    If the map states gravity and a drop timer, paths to placements are planned frame by frame. Otherwise only
    placements whose moves need no timing are candidates.
    """

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        self._rules, self._tempo, self._buttons = rules_of_map(ram_map), tempo, ram_map.buttons
        self._timing = timing_of(ram_map, PAIRS) if "gravity" in ram_map.timing else None
        self._turned = turned_shapes(ram_map)

    @property
    def is_usual(self) -> bool:
        """Whether pairs turn as the rules have it, and not as the map lists it."""
        return self._turned is None

    def offer(self, snapshot: Snapshot, piece: Piece, input_state: InputState) -> Offer:
        """Returns what the piece can reach from its place in the snapshot."""
        fall = self.fall(snapshot)
        if fall is None or _CLOCK not in snapshot.counters:
            return self._offer_by_moves(snapshot, piece)
        found = self._ways(snapshot, piece, input_state, fall)
        return Offer(
            np.ascontiguousarray(found.candidates[:, :2]),
            fall.gravity,
            lambda index, value: found.placement(found.locks[index], value),
        )

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        fall = self.fall(snapshot)
        if fall is None or _CLOCK not in snapshot.counters or snapshot.current is None:
            return None
        found = self._ways(snapshot, snapshot.current, input_state, fall)
        try:
            steps = found.flight.timeline(chosen.orientation, chosen.column, chosen.row)
        except UsageError:
            return None
        return replace(chosen, timeline=steps)

    def fall(self, snapshot: Snapshot) -> Fall | None:
        """Returns the fall at the snapshot's level; None if the map does not state it."""
        return None if self._timing is None else self._timing.fall(snapshot.counters.get("level", 0))

    def _shapes(self, pair: Pair) -> Shapes | None:
        return None if self._turned is None else self._turned.of(pair)

    def _ways(self, snapshot: Snapshot, piece: Piece, input_state: InputState, fall: Fall) -> Reach:
        pair = pair_of(snapshot)
        start = Start(cells_of(snapshot), pair, piece, snapshot.counters[_CLOCK])
        return reach(start, fall, self._rules, self._tempo, input_state, self._buttons, self._shapes(pair))

    def _offer_by_moves(self, snapshot: Snapshot, piece: Piece) -> Offer:
        cells, pair = cells_of(snapshot), pair_of(snapshot)
        shapes = self._shapes(pair)
        for slack in range(_SLACK, -1, -1):  # near the top there is little room to fall while inputs are sent
            found = moves(cells, pair, piece, self._rules, self._buttons, slack, shapes)
            if len(found) > 1:
                break
        places = np.array([(spot.orientation, spot.column) for spot in found], dtype=np.int64).reshape(-1, 2)
        return Offer(places, None, lambda index, value: replace(found[index], value=value))


def turned_shapes(ram_map: RamMap) -> TurnedShapes | None:
    """Returns the tables of a map's own turns; None if its pairs turn as the rules have it."""
    pivot = PieceCodes(ram_map).pivot
    turns, alike = turns_of(ram_map, pivot), turns_of(ram_map, pivot, alike=True)
    return None if turns is None or alike is None else TurnedShapes(turns, alike, rules_of_map(ram_map))
