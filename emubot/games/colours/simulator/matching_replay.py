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
from emubot.games.recorded import SPACES, map_of
from emubot.games.replaying import Frames
from emubot.games.rows import PADS, fields_of, page_of, plain_recorder
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot
from emubot.trace import Recorder, Trace

_LETTERS: Final = {EMPTY: ".", OBSTACLE: "#", VANISHING: "*"}
_ALWAYS: Final = frozenset(replayed(dataclasses.replace(CAPSULES, most_garbage=0)))  # under all rules
_CELLS: Final = " 123456"  # of the colours; those of targets and of a piece in the air are letters
_AIMS: Final = " ABCDEF"
_FALLING: Final = " abcdef"


def recorder(ram_map: RamMap, order: str) -> Recorder:
    """Returns a recorder of the values that a replay needs; of all that the map has if it lacks one of them."""
    rules = check_map(ram_map)
    known = ram_map.reader().names
    if ram_map.spaces != ("ram",) or not {*replayed(rules), *PADS} <= known:
        return plain_recorder(ram_map, order)
    names, addresses = zip(*fields_of(ram_map, _known(rules)), strict=True)
    pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
    return Recorder(names, addresses, page_of(ram_map), pads, order)


def _known(rules: Rules) -> tuple[str, ...]:
    """Returns every value that the simulator knows."""
    return (*SHARED, *per_player(rules))


def _frames(trace: Trace, ram_map: RamMap, rules: Rules) -> Frames:
    return Frames(trace, ram_map, _known(rules))


def records(snapshot: Snapshot) -> bool:
    """Returns whether this frame belongs to a recorded game: from its first frame to the menu after it."""
    return snapshot.phase.in_game or snapshot.phase is Phase.OVER


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    in_ram = trace.about.get(SPACES, ["ram"]) == ["ram"]
    return in_ram and set(trace.fields) >= _ALWAYS and len(trace.initial_page) > 0


def verify(trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
    """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

    All recorded values, the kinds and the links of all cells are compared. After a difference the replay continues from
    the recorded row. Without `ram_map` the map named by the trace is used. Raises TraceError if the trace does not fit
    its map or cannot be of this game.
    """
    ram_map = ram_map or map_of(trace)
    return _frames(trace, ram_map, check_map(ram_map)).replay(MatchingMachine)


def draw(trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
    """Returns the fields after a row as lines of text: digits are cells, capitals targets, letters a piece."""
    ram_map = ram_map or map_of(trace)
    rules = check_map(ram_map)
    ram = _frames(trace, ram_map, rules).ram(row)
    fields = [_drawn(Decoder(ram_map, player)(ram), rules) for player in range(ram_map.players)]
    return ["   ".join(lines) for lines in zip(*fields, strict=True)]


def _drawn(snapshot: Snapshot, rules: Rules) -> list[str]:
    lines = [[_letter(int(kind)) for kind in line] for line in snapshot.playfield]
    piece = snapshot.current
    if piece is not None and snapshot.phase is Phase.PLAYING:
        for (dx, dy), kind in zip(rules.shapes[piece.orientation], kinds_of(snapshot, rules), strict=True):
            if piece.row + dy >= 0:
                lines[piece.row + dy][piece.column + dx] = _FALLING[kind]
    return ["".join(line) for line in lines]


def _letter(kind: int) -> str:
    return _AIMS[kind - TARGET] if kind in TARGETS else _LETTERS.get(kind) or _CELLS[kind]
