"""A release's timing in frames: the values of its map, otherwise the demo cartridge's; knows no field.

Gravity quickens with the pieces: after every `pieces_per_speed_up` pieces of a stage the index into the gravity table
rises by one, from the index of the chosen pace.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from emubot.games.colours.matching_rules import Rules
from emubot.games.motion import Fall
from emubot.rammap import RamMap

PACES: Final = ("slow", "medium", "fast")  # by number, 0 to 2, as menus take them


@dataclass(frozen=True, slots=True)
class Timing:
    """A release's timing, in frames. The last entry of `gravity` is for all higher indices."""

    gravity: tuple[int, ...]  # frames per row, by index
    paces: tuple[int, ...]  # the first index into `gravity`, by pace
    most_speed_ups: int  # in one stage
    soft_drop: int  # frames per row while DOWN is held
    settle: int  # from a lock, or from the end of a fall, to the test for lines
    vanish: int  # how long lines are shown vanishing
    per_row: int  # per row of a fall of loose cells
    spawn_delay: int  # from the last test for lines to the next piece under control


# The gravity table and the paces are the original's of 1990 (wiki.drmar.io and tetris.wiki, "Mechanics (NES)"): stated.
# The waits are the demo cartridge's: the documents give none of them exactly.
DEMO: Final = Timing(
    gravity=(
        *range(70, 19, -2),
        *range(19, 10, -1),
        *(10, 10, 9, 9, 8, 8, 7, 7),
        *(6,) * 12,
        *(5,) * 5,
        *(4,) * 5,
        *(3,) * 5,
        *(2,) * 10,
        1,
    ),
    paces=(15, 25, 31),
    most_speed_ups=49,
    soft_drop=2,
    settle=2,
    vanish=16,
    per_row=16,
    spawn_delay=20,
)


USED: Final = tuple(entry.name for entry in fields(Timing))  # the keys of a map's `timing` that the family reads


def timing_of(ram_map: RamMap) -> Timing:
    """Returns the map's timing; values that the map does not state are the demo cartridge's."""
    stated = {name: ram_map.timing[name] for name in USED if name in ram_map.timing}
    return replace(DEMO, **stated)


def gravity(timing: Timing, rules: Rules, pace: int, pieces: int) -> int:
    """Returns the frames per row at a pace, after `pieces` pieces of the stage have entered before this one."""
    speed_ups = min(pieces // rules.pieces_per_speed_up, timing.most_speed_ups)
    index = timing.paces[min(pace, len(timing.paces) - 1)] + speed_ups
    return timing.gravity[min(index, len(timing.gravity) - 1)]


def fall_at(timing: Timing, rules: Rules, pace: int, pieces: int) -> Fall:
    """Returns the fall of a piece; the arguments are those of `gravity`."""
    return Fall(gravity(timing, rules, pace, pieces), timing.soft_drop)
