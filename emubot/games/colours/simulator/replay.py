"""Recorded pairs games: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.games.colours.board.turning import pair_cells
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import EMPTY, NUISANCE, OBSTACLE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.ram_writer import PER_PLAYER, REPLAYED, SHARED
from emubot.games.colours.simulator.recording import field_lines, holds, recorder_of, records
from emubot.games.recorded import map_of
from emubot.games.replaying import Frames
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Snapshot
from emubot.trace import Recorder, Trace

__all__ = ["draw", "recorder", "records", "replays", "verify"]

_KNOWN: Final = (*SHARED, *PER_PLAYER)  # every value that the simulator knows
_LETTERS: Final = {EMPTY: ".", NUISANCE: "o", OBSTACLE: "#"}


def recorder(ram_map: RamMap, order: str) -> Recorder:
    """Returns a recorder of the values that a replay needs; of all that the map has if it lacks one of them."""
    return recorder_of(ram_map, order, _KNOWN, REPLAYED)


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    return holds(trace, REPLAYED)


def verify(trace: Trace, ram_map: RamMap | None = None) -> tuple[int, int]:
    """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

    All recorded values and the kinds of all cells are compared. After a difference the replay continues from the
    recorded row. Without `ram_map` the map named by the trace is used. Raises TraceError if the trace does not fit its
    map or cannot be of this game.
    """
    return Frames(trace, ram_map or map_of(trace), _KNOWN).replay(PuyoMachine)


def draw(trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
    """Returns the playfields after a row as lines of text: digits are colours, o is nuisance, letters are a piece."""
    frames = Frames(trace, ram_map or map_of(trace), _KNOWN)
    decoders = [Decoder(frames.ram_map, player) for player in range(frames.ram_map.players)]
    fields = [_drawn(decode(frames.ram(row))) for decode in decoders]
    return ["   ".join(lines) for lines in zip(*fields, strict=True)]


def _drawn(snapshot: Snapshot) -> list[str]:
    kinds = (snapshot.counters["pivot"], snapshot.counters["satellite"])
    return field_lines(snapshot, pair_cells(kinds, snapshot.current or Piece(0, 0, 0)), _LETTERS)
