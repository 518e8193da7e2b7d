"""A recorded game's rows as RAM, and its replay on a simulated cartridge; knows no game.

A row has the layout of `rows.py`, with the values that the simulator knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np

from emubot.errors import TraceError
from emubot.games.rows import SECOND, fields_of, page_of
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.trace import Trace

_RAM_SIZE: Final = 2048


class Loadable(Machine, Protocol):
    """A machine that can go on from the RAM of another."""

    def load(self, ram: bytes) -> None:
        """Continue from the RAM of a frame of a game. Raises ValueError if it cannot be that of a game."""


class Frames:
    """A trace's rows as RAM; row -1 is the state before the first row. `known` are the simulator's values.

    Raises TraceError if the trace does not fit the map.
    """

    def __init__(self, trace: Trace, ram_map: RamMap, known: Sequence[str]) -> None:
        self.ram_map = ram_map
        self._trace = trace
        self._page, length = page_of(ram_map)
        names, addresses = zip(*fields_of(ram_map, known), strict=True)
        if trace.fields != names or trace.address.tolist() != list(addresses) or len(trace.initial_page) != length:
            raise TraceError(
                f"The trace does not fit the map {ram_map.name}: name the map it was recorded with by --map."
            )
        readers = [ram_map.reader(player) for player in range(ram_map.players)]
        self._selects = [reader.select([name for name in known if name in reader.names]) for reader in readers]
        self._parts = [
            part for reader in readers for part in (reader.playfield, reader.hidden, reader.links, reader.hidden_links)
        ]

    def ram(self, row: int) -> bytes:
        """Returns 2,048 bytes with the recorded values in their places, all others 0."""
        trace, ram = self._trace, np.zeros(_RAM_SIZE, dtype=np.uint8)
        page = trace.initial_page if row < 0 else trace.page[row]
        ram[self._page : self._page + len(page)] = page
        ram[trace.address] = trace.initial if row < 0 else trace.state[row]
        return ram.tobytes()

    def replay(self, make: Callable[[RamMap], Loadable]) -> tuple[int, int]:
        """Play the rows on a machine; returns the number of rows that differ and the first of them, or -1.

        All recorded values, the kinds and the links of all cells are compared. After a difference the replay continues
        from the recorded row. Raises TraceError if a row cannot be of this game.
        """
        machine = make(self.ram_map)
        self._load(machine, -1)
        mismatches, first = 0, -1
        for row in range(self._trace.frames):
            machine.step(self._pads(row))
            if self._differs(machine.ram.tobytes(), row):
                mismatches += 1
                first = row if first < 0 else first
                self._load(machine, row)
        return mismatches, first

    def _pads(self, row: int) -> list[Pad]:
        """Returns the buttons held on both ports."""
        second = f"{SECOND}held_buttons"
        other = self._trace.column(second)[row] if second in self._trace.fields else 0
        return [Pad(int(self._trace.pads[row, 1])), Pad(int(other))]

    def _load(self, machine: Loadable, row: int) -> None:
        """Set the machine to the state of a row."""
        try:
            machine.load(self.ram(row))
        except ValueError as wrong:
            where = f"in row {row}" if row >= 0 else "before the first row"
            raise TraceError(
                f"The trace cannot be of this game ({wrong} {where}): it is damaged, record it again."
            ) from wrong

    def _differs(self, ram: bytes, row: int) -> bool:
        """Returns whether a value, or the kind or link of a cell, differs from the recorded row."""
        recorded = self.ram(row)
        return any(select(ram) != select(recorded) for select in self._selects) or any(
            not np.array_equal(part(ram), part(recorded)) for part in self._parts
        )
