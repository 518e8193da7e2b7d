"""Recorded matching games: which values are recorded, and the replay on the simulator; knows no bridge.

A row has the layout of `rows.py`, with the values that the simulator knows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from emubot.errors import TraceError
from emubot.games.matching.decode.checks import check_map
from emubot.games.matching.decode.codes import Kinds
from emubot.games.matching.decode.decode import Decoder, kinds_of
from emubot.games.matching.rules import CAPSULES, EMPTY, OBSTACLE, TARGET, TARGETS, VANISHING, Rules
from emubot.games.matching.simulator.machine import MatchingMachine
from emubot.games.matching.simulator.ram_writer import SHARED, per_player, replayed
from emubot.games.recorded import SPACES, map_of
from emubot.games.rows import PADS, SECOND, fields_of, page_of, plain_recorder
from emubot.pad import Pad
from emubot.rammap import RamMap, Reader
from emubot.snapshot import Phase, Snapshot
from emubot.trace import Recorder, Trace

_RAM_SIZE: Final = 2048
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
    frames = _Frames(trace, ram_map or map_of(trace))
    machine = MatchingMachine(frames.ram_map)
    frames.load(machine, -1)
    mismatches, first = 0, -1
    for row in range(trace.frames):
        machine.step(frames.pads(row))
        if frames.differs(machine.ram.tobytes(), row):
            mismatches += 1
            first = row if first < 0 else first
            frames.load(machine, row)
    return mismatches, first


def draw(trace: Trace, row: int, ram_map: RamMap | None = None) -> Sequence[str]:
    """Returns the fields after a row as lines of text: digits are cells, capitals targets, letters a piece."""
    frames = _Frames(trace, ram_map or map_of(trace))
    fields = [_drawn(decode(frames.ram(row)), frames.rules) for decode in frames.decoders]
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


class _Frames:
    """A trace's rows as RAM; row -1 is the state before the first row."""

    def __init__(self, trace: Trace, ram_map: RamMap) -> None:
        self.ram_map, self.rules = ram_map, check_map(ram_map)
        self._trace = trace
        self._page, length = page_of(ram_map)
        known = _known(self.rules)
        names, addresses = zip(*fields_of(ram_map, known), strict=True)
        if trace.fields != names or trace.address.tolist() != list(addresses) or len(trace.initial_page) != length:
            raise TraceError(
                f"The trace does not fit the map {ram_map.name}: name the map it was recorded with by --map."
            )
        self._readers = [ram_map.reader(player) for player in range(ram_map.players)]
        self._selects = [reader.select([name for name in known if name in reader.names]) for reader in self._readers]
        self.decoders = [Decoder(ram_map, player) for player in range(ram_map.players)]

    def ram(self, row: int) -> bytes:
        """Returns 2,048 bytes with the recorded values in their places, all others 0."""
        trace, ram = self._trace, np.zeros(_RAM_SIZE, dtype=np.uint8)
        page = trace.initial_page if row < 0 else trace.page[row]
        ram[self._page : self._page + len(page)] = page
        ram[trace.address] = trace.initial if row < 0 else trace.state[row]
        return ram.tobytes()

    def pads(self, row: int) -> list[Pad]:
        """Returns the buttons held on both ports."""
        second = f"{SECOND}held_buttons"
        other = self._trace.column(second)[row] if second in self._trace.fields else 0
        return [Pad(int(self._trace.pads[row, 1])), Pad(int(other))]

    def load(self, machine: MatchingMachine, row: int) -> None:
        """Set the machine to the state of a row. Raises TraceError if the row cannot be of this game."""
        try:
            machine.load(self.ram(row))
        except ValueError as wrong:
            where = f"in row {row}" if row >= 0 else "before the first row"
            raise TraceError(
                f"The trace cannot be of this game ({wrong} {where}): it is damaged, record it again."
            ) from wrong

    def differs(self, ram: bytes, row: int) -> bool:
        """Returns whether a value, or the kind or link of a cell, differs from the recorded row."""
        recorded = self.ram(row)
        return any(
            select(ram) != select(recorded)
            or any(not np.array_equal(part(ram), part(recorded)) for part in _parts(reader))
            for select, reader in zip(self._selects, self._readers, strict=True)
        )


def _parts(reader: Reader) -> tuple[Callable[[bytes], Kinds], ...]:
    return (reader.playfield, reader.hidden, reader.links, reader.hidden_links)
