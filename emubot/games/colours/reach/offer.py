"""What a pair in the air can reach, and where it will be, by the turns of the rules or of the map; no evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from emubot.games.colours.decode.codes import PieceCodes
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.decode.turns import Turns, is_floor_kick, turns_of
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.reach.reach import Offers, Start, grid_of, pair_start
from emubot.games.colours.rules import BIG, SATELLITE, Rules
from emubot.games.colours.timing import PAIRS, PuyoTiming, timing_of
from emubot.games.motion import Fall, Shapes, moved
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.schema import Buttons
from emubot.snapshot import Phase, Piece, Snapshot
from emubot.tempo import Tempo

Pair = tuple[int, int]

_MOST_ATTEMPTS: Final = 2  # of a turn


def pair_of(snapshot: Snapshot) -> Pair:
    """Returns the kinds of the pair in the air: the pivot's, the satellite's."""
    return snapshot.counters["pivot"], snapshot.counters["satellite"]


class TurnedShapes:
    """The tables of motion for a map's own turns, for pairs of two kinds and of one kind."""

    def __init__(self, turns: Turns, alike: Turns, rules: Rules) -> None:
        self._tables = (_tables(turns, rules), _tables(alike, rules))

    def of(self, pair: tuple[int, int]) -> Shapes | None:
        """Returns the tables of a pair, given by its kinds; None for an item, which does not turn."""
        return None if pair[0] >= BIG else self._tables[pair[0] == pair[1]]


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


def predict_turned(
    snapshot: Snapshot, pads: Sequence[Pad], rules: Rules, timing: PuyoTiming, buttons: Buttons, shapes: Shapes
) -> Snapshot:
    """Does the same as `decode.predict` for a pair in play that turns by `shapes`."""
    if snapshot.current is None or snapshot.phase is not Phase.PLAYING:
        return snapshot
    counters = dict(snapshot.counters)
    fall = timing.fall(counters.get("level", 0))
    timer, held = counters.get("drop_timer", fall.gravity), Pad(counters.get("held_buttons", 0))
    grid = grid_of(cells_of(snapshot), rules, shapes)
    air = moved(grid, shapes, snapshot.current, fall, timer, held, pads, buttons)
    changed = {"drop_timer": air.timer, "held_buttons": int(pads[-1])}
    return replace(
        snapshot,
        phase=Phase.LOCKED if air.locked else Phase.PLAYING,
        state="locked" if air.locked else snapshot.state,
        current=Piece(int(shapes.shown[air.orientation]), air.column, air.row),
        counters=counters | {name: value for name, value in changed.items() if name in counters},
    )


def _tables(turns: Turns, rules: Rules) -> Shapes:
    stances = turns.stances
    cells = np.array([((0, 0), SATELLITE[stance.orientation]) for stance in stances], dtype=np.int8)
    table = np.full((2, len(stances), _MOST_ATTEMPTS, 3), -1, dtype=np.int8)
    for direction, targets in enumerate(turns.targets):
        for number, turn in enumerate(targets):
            (dx, dy), (kick_x, kick_y) = turn.move, turn.kick
            table[direction, number, 0] = turn.stance, dx, dy
            kicks = rules.floor_kick if is_floor_kick(turn.kick) else rules.wall_kick
            if kicks and turn.kick != (0, 0):
                table[direction, number, 1] = turn.stance, dx + kick_x, dy + kick_y
    return Shapes(cells, table, np.array([stance.orientation for stance in stances], dtype=np.int64))
