"""Recorded pairs games: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.games.colours.board.control import Falling
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import EMPTY, NUISANCE, OBSTACLE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.ram_writer import PER_PLAYER, REPLAYED, SHARED
from emubot.games.recorded import SPACES, map_of
from emubot.games.replaying import Frames
from emubot.games.rows import PADS, fields_of, page_of, plain_recorder
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot
from emubot.trace import Recorder, Trace

_KNOWN: Final = (*SHARED, *PER_PLAYER)  # every value that the simulator knows
_LETTERS: Final = {EMPTY: ".", NUISANCE: "o", OBSTACLE: "#"}


def recorder(ram_map: RamMap, order: str) -> Recorder:
    """Returns a recorder of the values that a replay needs; of all that the map has if it lacks one of them."""
    known = ram_map.reader().names
    if ram_map.spaces != ("ram",) or not {*REPLAYED, *PADS} <= known:
        return plain_recorder(ram_map, order)
    names, addresses = zip(*fields_of(ram_map, _KNOWN), strict=True)
    pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
    return Recorder(names, addresses, page_of(ram_map), pads, order)


def _frames(trace: Trace, ram_map: RamMap) -> Frames:
    return Frames(trace, ram_map, _KNOWN)


def records(snapshot: Snapshot) -> bool:
    """Returns whether this frame belongs to a recorded game: from its first frame to the menu after it."""
    return snapshot.phase.in_game or snapshot.phase is Phase.OVER


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    in_ram = trace.about.get(SPACES, ["ram"]) == ["ram"]
    return in_ram and set(REPLAYED) <= set(trace.fields) and len(trace.initial_page) > 0


def verify(trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
    """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

    All recorded values and the kinds of all cells are compared. After a difference the replay continues from the
    recorded row. Without `ram_map` the map named by the trace is used. Raises TraceError if the trace does not fit its
    map or cannot be of this game.
    """
    return _frames(trace, ram_map or map_of(trace)).replay(PuyoMachine)


def draw(trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
    """Returns the playfields after a row as lines of text: digits are colours, o is nuisance, letters are a piece."""
    frames = _frames(trace, ram_map or map_of(trace))
    decoders = [Decoder(frames.ram_map, player) for player in range(frames.ram_map.players)]
    fields = [_drawn(decode(frames.ram(row))) for decode in decoders]
    return ["   ".join(lines) for lines in zip(*fields, strict=True)]


def _drawn(snapshot: Snapshot) -> list[str]:
    lines = [[_LETTERS.get(int(kind), str(kind)) for kind in line] for line in snapshot.playfield]
    piece = snapshot.current
    if piece is not None and snapshot.phase is Phase.PLAYING:
        halves = (snapshot.counters["pivot"], snapshot.counters["satellite"])
        shape = Falling(pivot=halves[0], orientation=piece.orientation).shape
        for number, (dx, dy) in enumerate(shape):
            if piece.row + dy >= 0:
                lines[piece.row + dy][piece.column + dx] = chr(ord("a") + halves[min(number, 1)] - 1)
    return ["".join(line) for line in lines]
