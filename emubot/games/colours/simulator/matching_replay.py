"""Recorded matching games: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

from emubot.games.colours.decode.frame import kinds_of
from emubot.games.colours.decode.matching_checks import check_map
from emubot.games.colours.decode.matching_decode import Decoder
from emubot.games.colours.decode.matching_values import SHARED, per_player, replayed
from emubot.games.colours.matching_rules import CAPSULES, EMPTY, OBSTACLE, TARGET, TARGETS, VANISHING, Rules
from emubot.games.colours.simulator.matching_machine import MatchingMachine
from emubot.games.colours.simulator.recording import FieldRecorder, field_lines, holds
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Snapshot
from emubot.trace import Trace

_LETTERS: Final = {
    **{EMPTY: ".", OBSTACLE: "#", VANISHING: "*"},
    **{kind: chr(ord("A") + kind - TARGET - 1) for kind in TARGETS},
}
_ALWAYS: Final = replayed(dataclasses.replace(CAPSULES, most_garbage=0))  # under all rules


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    return holds(trace, _ALWAYS)


class MatchingRecorder(FieldRecorder):
    """Records and replays matching games: digits are cells, capitals targets, letters a piece."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises MapError if the family cannot play by the map."""
        rules = check_map(ram_map)
        drawn = [_drawing(Decoder(ram_map, player), rules) for player in range(ram_map.players)]
        super().__init__(ram_map, (*SHARED, *per_player(rules)), replayed(rules), MatchingMachine, drawn)


def _drawing(decode: Decoder, rules: Rules) -> Callable[[bytes], Sequence[str]]:
    return lambda ram: _drawn(decode(ram), rules)


def _drawn(snapshot: Snapshot, rules: Rules) -> list[str]:
    falling: list[Cell] = []
    if (piece := snapshot.current) is not None:
        shape = zip(rules.shapes[piece.orientation], kinds_of(snapshot, rules), strict=True)
        falling = [Cell(piece.column + dx, piece.row + dy, kind) for (dx, dy), kind in shape]
    return field_lines(snapshot, falling, _LETTERS)
