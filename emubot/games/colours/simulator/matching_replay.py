"""Recorded matching games: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from emubot.games.colours.decode.frame import kinds_of
from emubot.games.colours.decode.matching_checks import check_map
from emubot.games.colours.decode.matching_decode import Decoder
from emubot.games.colours.decode.value_names import SHARED, per_player, replayed
from emubot.games.colours.matching_rules import CAPSULES, EMPTY, OBSTACLE, TARGET, TARGETS, VANISHING, Rules
from emubot.games.colours.simulator.matching_machine import MatchingMachine
from emubot.games.colours.simulator.recording import field_lines, holds, recorder_of, records
from emubot.games.recorded import map_of
from emubot.games.replaying import Frames
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Snapshot
from emubot.trace import Recorder, Trace

__all__ = ["draw", "recorder", "records", "replays", "verify"]

_LETTERS: Final = {
    **{EMPTY: ".", OBSTACLE: "#", VANISHING: "*"},
    **{kind: chr(ord("A") + kind - TARGET - 1) for kind in TARGETS},
}
_ALWAYS: Final = replayed(dataclasses.replace(CAPSULES, most_garbage=0))  # under all rules


def recorder(ram_map: RamMap, order: str) -> Recorder:
    """Returns a recorder of the values that a replay needs; of all that the map has if it lacks one of them."""
    rules = check_map(ram_map)
    return recorder_of(ram_map, order, _known(rules), replayed(rules))


def _known(rules: Rules) -> tuple[str, ...]:
    """Returns every value that the simulator knows."""
    return (*SHARED, *per_player(rules))


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    return holds(trace, _ALWAYS)


def verify(trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
    """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

    All recorded values, the kinds and the links of all cells are compared. After a difference the replay continues from
    the recorded row. Without `ram_map` the map named by the trace is used. Raises TraceError if the trace does not fit
    its map or cannot be of this game.
    """
    ram_map = ram_map or map_of(trace)
    return Frames(trace, ram_map, _known(check_map(ram_map))).replay(MatchingMachine)


def draw(trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
    """Returns the fields after a row as lines of text: digits are cells, capitals targets, letters a piece."""
    ram_map = ram_map or map_of(trace)
    rules = check_map(ram_map)
    ram = Frames(trace, ram_map, _known(rules)).ram(row)
    fields = [_drawn(Decoder(ram_map, player)(ram), rules) for player in range(ram_map.players)]
    return ["   ".join(lines) for lines in zip(*fields, strict=True)]


def _drawn(snapshot: Snapshot, rules: Rules) -> list[str]:
    falling: list[Cell] = []
    if (piece := snapshot.current) is not None:
        shape = zip(rules.shapes[piece.orientation], kinds_of(snapshot, rules), strict=True)
        falling = [Cell(piece.column + dx, piece.row + dy, kind) for (dx, dy), kind in shape]
    return field_lines(snapshot, falling, _LETTERS)
