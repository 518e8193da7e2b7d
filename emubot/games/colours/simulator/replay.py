"""Recorded games: which values are recorded, the replay on the simulator, a field as text; knows no bridge."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from emubot.games.colours.board.turning import pair_cells, piece_cells
from emubot.games.colours.decode.decode import Decoder as PairsDecoder
from emubot.games.colours.decode.frame import kinds_of
from emubot.games.colours.decode.map_checks import check_matching
from emubot.games.colours.decode.matching_decode import Decoder as MatchingDecoder
from emubot.games.colours.decode.matching_values import SHARED, per_player, replayed
from emubot.games.colours.matching_rules import CAPSULES, TARGET, TARGETS, VANISHING
from emubot.games.colours.matching_rules import OBSTACLE as MATCHING_OBSTACLE
from emubot.games.colours.rules import EMPTY, NUISANCE, OBSTACLE
from emubot.games.colours.simulator import ram_writer
from emubot.games.colours.simulator.machine import MatchingMachine, PuyoMachine
from emubot.games.edition import GameRecorder
from emubot.games.recorded import SPACES
from emubot.games.replaying import Frames, Loadable
from emubot.games.rows import PADS, fields_of, page_of, plain_recorder
from emubot.rammap import RamMap
from emubot.snapshot import Cell, Phase, Piece, Snapshot
from emubot.trace import Recorder, Trace

_PAIRS: Final = {EMPTY: ".", NUISANCE: "o", OBSTACLE: "#"}
_MATCHING: Final = {
    **{EMPTY: ".", MATCHING_OBSTACLE: "#", VANISHING: "*"},
    **{kind: chr(ord("A") + kind - TARGET - 1) for kind in TARGETS},
}


class FieldRecorder(GameRecorder):
    """Records and replays games of one map."""

    def __init__(
        self,
        ram_map: RamMap,
        known: Sequence[str],
        needed: Collection[str],
        machine: Callable[[RamMap], Loadable],
        drawn: Sequence[Callable[[bytes], Sequence[str]]],
    ) -> None:
        """`known` are the values that the simulator knows, `needed` those without which it cannot replay.

        `drawn` has a function for each player that draws the player's field.
        """
        self._map, self._known, self._needed = ram_map, known, needed
        self._machine, self._drawn = machine, drawn

    def begin(self, order: str) -> Recorder:
        """Returns a recorder of what the simulator knows; of all that the map has if it lacks a needed value."""
        ram_map = self._map
        names = ram_map.reader().names
        if ram_map.spaces != ("ram",) or not {*self._needed, *PADS} <= names:
            return plain_recorder(ram_map, order)
        fields, addresses = zip(*fields_of(ram_map, self._known), strict=True)
        pads = (ram_map.addresses("new_buttons")[0], ram_map.addresses("held_buttons")[0])
        return Recorder(fields, addresses, page_of(ram_map), pads, order)

    def records(self, snapshot: Snapshot) -> bool:
        """Returns whether this frame belongs to a recorded game: from its first frame to the menu after it."""
        return snapshot.phase.in_game or snapshot.phase is Phase.OVER

    def verify(self, trace: Trace) -> tuple[int, int]:
        """Replay a trace on the simulator; returns the number of rows that differ and the first of them, or -1.

        All recorded values, the kinds and the links of all cells are compared. After a difference the replay continues
        from the recorded row. Raises TraceError if the trace does not fit the map or cannot be of this game.
        """
        return Frames(trace, self._map, self._known).replay(self._machine)

    def draw(self, trace: Trace, row: int) -> Sequence[str]:
        """Returns the fields after a row as lines of text, side by side."""
        ram = Frames(trace, self._map, self._known).ram(row)
        return ["   ".join(lines) for lines in zip(*(drawn(ram) for drawn in self._drawn), strict=True)]


class PuyoRecorder(FieldRecorder):
    """Records and replays games of pairs: digits are colours, o is nuisance, letters are a piece."""

    def __init__(self, ram_map: RamMap) -> None:
        drawn = [_drawing(PairsDecoder(ram_map, player), _pair, _PAIRS) for player in range(ram_map.players)]
        known = (*ram_writer.SHARED, *ram_writer.PER_PLAYER)
        super().__init__(ram_map, known, ram_writer.REPLAYED, PuyoMachine, drawn)


class MatchingRecorder(FieldRecorder):
    """Records and replays matching games: digits are cells, capitals targets, letters a piece."""

    def __init__(self, ram_map: RamMap) -> None:
        """Raises MapError if the family cannot play by the map."""
        rules = check_matching(ram_map)

        def falling(snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
            return piece_cells(kinds_of(snapshot, rules), piece)

        drawn = [_drawing(MatchingDecoder(ram_map, player), falling, _MATCHING) for player in range(ram_map.players)]
        super().__init__(ram_map, (*SHARED, *per_player(rules)), replayed(rules), MatchingMachine, drawn)


def replays_pairs(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator of pairs needs."""
    return _holds(trace, ram_writer.REPLAYED)


def replays_matching(trace: Trace) -> bool:
    """Returns whether a trace holds what the simulator of matching games needs under all rules."""
    return _holds(trace, replayed(dataclasses.replace(CAPSULES, most_garbage=0)))


def _holds(trace: Trace, needed: Iterable[str]) -> bool:
    in_ram = trace.about.get(SPACES, ["ram"]) == ["ram"]
    return in_ram and {*needed} <= {*trace.fields} and len(trace.initial_page) > 0


def _pair(snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
    return pair_cells((snapshot.counters["pivot"], snapshot.counters["satellite"]), piece)


def _drawing(
    decode: Callable[[bytes], Snapshot],
    falling: Callable[[Snapshot, Piece], Iterable[Cell]],
    letters: Mapping[int, str],
) -> Callable[[bytes], Sequence[str]]:
    """Returns what draws a field as text: the cells by `letters`, or else their number; a piece as small letters."""

    def drawn(ram: bytes) -> Sequence[str]:
        snapshot = decode(ram)
        lines = [[letters.get(int(kind), str(kind)) for kind in line] for line in snapshot.playfield]
        if snapshot.current is not None and snapshot.phase is Phase.PLAYING:
            for cell in falling(snapshot, snapshot.current):
                if cell.row >= 0:
                    lines[cell.row][cell.column] = chr(ord("a") + cell.kind - 1)
        return ["".join(line) for line in lines]

    return drawn
