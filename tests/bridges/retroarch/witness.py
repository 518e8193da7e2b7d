"""Counts what became of a pilot's pieces from the game's own values in RAM, beside the pilot and its decoding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emubot.pilot import Pilot
from emubot.rammap import RamMap
from emubot.snapshot import Placement, Snapshot

CONTROL = 1  # the play state of a piece in the air, in both games
HIDDEN = 19  # a tetris piece's orientation id while lines clear
TYPES = 7  # of tetris pieces; the game counts each: two BCD digits, then hundreds

Place = tuple[int, int, int]  # orientation, column, row
Value = Callable[[str], int]


@dataclass
class Witness:
    """Which pieces were dealt, planned and locked, by their numbers."""

    ram_map: RamMap
    planned: dict[int, Place] = field(default_factory=dict)
    locked: dict[int, Place] = field(default_factory=dict)
    _dealt: int = 0  # in this game, the next ones not among them
    _before: int = 0  # in games before this one
    _in_air: bool = False

    def watch(self, pilot: Pilot) -> None:
        pilot.on_frame.append(self._see)
        pilot.on_plan.append(self._hear)

    @property
    def number(self) -> int:
        """Of the piece dealt last, from 1."""
        return self._before + self._dealt

    @property
    def misplaced(self) -> list[int]:
        """The pieces that were seen to lock, elsewhere than first planned."""
        return [number for number in self.locked if not self._as_planned(number)]

    @property
    def unseen(self) -> list[int]:
        """The pieces that locked while no frame was read: this process did not get to run in time."""
        return [number for number in range(1, max(self.locked)) if number not in self.locked]

    def _as_planned(self, number: int) -> bool:
        planned, locked = self.planned.get(number), self.locked.get(number)
        if planned is None or locked is None:
            return False
        return locked == planned or (locked[0] == HIDDEN and locked[1:] == planned[1:])

    def _hear(self, plan: Placement) -> None:
        self.planned[self.number] = (plan.orientation, plan.column, plan.row)

    def _see(self, ram: bytes, _: Snapshot) -> None:
        reader = self.ram_map.reader(0)

        def value(name: str) -> int:
            return reader.value(ram, name)

        tetris = self.ram_map.family == "tetris"
        dealt = self._tetris_dealt(ram) if tetris else value("pairs")
        in_air = value("play_state") == CONTROL
        if self._in_air and not in_air and dealt == self._dealt:
            self.locked[self.number] = _tetris_place(value) if tetris else _pair_place(value)
        if dealt < self._dealt:  # another game
            self._before += self._dealt
        self._dealt, self._in_air = dealt, in_air

    def _tetris_dealt(self, ram: bytes) -> int:
        start, _ = self.ram_map.region("statistics")
        counts = [ram[start + 2 * number : start + 2 * number + 2] for number in range(TYPES)]
        return sum((low >> 4) * 10 + (low & 15) + 100 * hundreds for low, hundreds in counts)


def _tetris_place(value: Value) -> Place:
    return value("piece"), value("x"), value("y")


def _pair_place(value: Value) -> Place:
    """As the demo cartridge says it: orientation 0 has the other half below the pivot; an item has one orientation."""
    item = value("current_bottom") >= 9
    return 0 if item else (value("orientation") + 2) % 4, value("x"), value("y")
