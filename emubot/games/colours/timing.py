"""A release's timing in frames: the values of its map, otherwise the demo cartridge's; knows no field."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from emubot.games.motion import Fall
from emubot.rammap import RamMap


@dataclass(frozen=True, slots=True)
class Timing:
    """A release's timing, in frames. `gravity` is frames per row by level; its last entry is for all higher levels."""

    gravity: tuple[int, ...]
    soft_drop: int  # frames per row while DOWN is held
    settle: int  # from a lock or a removal to the search for groups, in addition to `per_row` per row of the fall
    pop: int  # how long groups are shown popping
    nuisance_wait: int
    spawn_delay: int
    per_row: int  # per row of the deepest fall


# The timing of the demo cartridge of seed 0; the original's is unknown (facts: Famicom Puyo 0).
DEMO: Final = Timing(
    gravity=(30, 27, 24, 21, 18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2),
    soft_drop=2,
    settle=8,
    pop=20,
    nuisance_wait=16,
    spawn_delay=12,
    per_row=2,
)


USED: Final = tuple(entry.name for entry in fields(Timing))  # the keys of a map's `timing` that the family reads


def timing_of(ram_map: RamMap) -> Timing:
    """Returns the map's timing; values that the map does not state are the demo cartridge's."""
    stated = {name: ram_map.timing[name] for name in USED if name in ram_map.timing}
    return replace(DEMO, **stated)


def gravity(timing: Timing, level: int) -> int:
    """Returns the frames per row at a level."""
    return timing.gravity[min(level, len(timing.gravity) - 1)]


def fall_at(timing: Timing, level: int) -> Fall:
    """Returns the fall of a piece at a level."""
    return Fall(gravity(timing, level), timing.soft_drop)
