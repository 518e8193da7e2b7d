"""Recorded pairs games: which values are recorded, and the replay on the simulator; knows no bridge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from emubot.games.colours.board.turning import pair_cells
from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import EMPTY, NUISANCE, OBSTACLE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.ram_writer import PER_PLAYER, REPLAYED, SHARED
from emubot.games.colours.simulator.recording import FieldRecorder, field_lines, holds
from emubot.rammap import RamMap
from emubot.snapshot import Piece, Snapshot
from emubot.trace import Trace

_KNOWN: Final = (*SHARED, *PER_PLAYER)  # every value that the simulator knows
_LETTERS: Final = {EMPTY: ".", NUISANCE: "o", OBSTACLE: "#"}


def replays(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator needs."""
    return holds(trace, REPLAYED)


class PuyoRecorder(FieldRecorder):
    """Records and replays games of pairs: digits are colours, o is nuisance, letters are a piece."""

    def __init__(self, ram_map: RamMap) -> None:
        drawn = [_drawing(Decoder(ram_map, player)) for player in range(ram_map.players)]
        super().__init__(ram_map, _KNOWN, REPLAYED, PuyoMachine, drawn)


def _drawing(decode: Decoder) -> Callable[[bytes], Sequence[str]]:
    return lambda ram: _drawn(decode(ram))


def _drawn(snapshot: Snapshot) -> list[str]:
    kinds = (snapshot.counters["pivot"], snapshot.counters["satellite"])
    return field_lines(snapshot, pair_cells(kinds, snapshot.current or Piece(0, 0, 0)), _LETTERS)
