"""A release's clock in frames: what its map states, and the demo cartridge's for the rest; knows no field."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from emubot.rammap import RamMap


@dataclass(frozen=True, slots=True)
class Timing:
    """A release's clock, in frames. `gravity` is frames a row by level, its last entry for all levels above."""

    gravity: tuple[int, ...]
    soft_drop: int  # frames a row while DOWN is held
    settle: int  # from a lock or a removal to the search for groups, beside `per_row` for the deepest fall
    pop: int  # groups are seen popping
    nuisance_wait: int
    spawn_delay: int
    per_row: int


# The demo cartridge of seed 0; the original's are unknown (facts: Famicom Puyo 0).
DEMO: Final = Timing(
    gravity=(30, 27, 24, 21, 18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2),
    soft_drop=2,
    settle=8,
    pop=20,
    nuisance_wait=16,
    spawn_delay=12,
    per_row=2,
)


def timing_of(ram_map: RamMap) -> Timing:
    """The demo cartridge's clock with what the map states of its own."""
    stated = {entry.name: ram_map.timing[entry.name] for entry in fields(Timing) if entry.name in ram_map.timing}
    return replace(DEMO, **stated)


def gravity(timing: Timing, level: int) -> int:
    """Frames a row at a level."""
    return timing.gravity[min(level, len(timing.gravity) - 1)]
