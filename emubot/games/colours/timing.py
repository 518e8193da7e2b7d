"""A release's timing in frames: the values of its map, otherwise the demo cartridge's; knows no field."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final, TypeVar

from emubot.games.colours.matching_rules import Rules
from emubot.games.motion import Fall
from emubot.rammap import RamMap


@dataclass(frozen=True, slots=True)
class Timing:
    """A release's timing, in frames. The last entry of `gravity` is for all higher indices."""

    gravity: tuple[int, ...]  # frames per row: of pairs by level, of matching games see `MatchingTiming.index`
    soft_drop: int  # frames per row while DOWN is held
    settle: int  # from a lock, or from the end of a removal or a fall, to the test for groups or lines
    per_row: int  # per row of a fall: of pairs the deepest one, added to `settle`
    spawn_delay: int  # from the last test to the next piece under control

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Returns the keys of a map's `timing` that the family reads."""
        return tuple(entry.name for entry in fields(cls))

    def frames_per_row(self, index: int) -> int:
        """Returns the gravity of an index."""
        return self.gravity[min(index, len(self.gravity) - 1)]

    def fall(self, index: int) -> Fall:
        """Returns the fall of a piece at the gravity of an index."""
        return Fall(self.frames_per_row(index), self.soft_drop)


@dataclass(frozen=True, slots=True)
class PuyoTiming(Timing):
    """The timing of pairs."""

    pop: int  # how long groups are shown popping
    nuisance_wait: int


@dataclass(frozen=True, slots=True)
class MatchingTiming(Timing):
    """The timing of matching games."""

    vanish: int  # how long lines are shown vanishing
    paces: tuple[int, ...]  # the first index into `gravity`, by pace
    most_speed_ups: int  # in one stage

    def index(self, rules: Rules, pace: int, pieces: int) -> int:
        """Returns the index into `gravity`, after `pieces` pieces of the stage have entered before this one.

        It begins with that of the pace, and rises by one after every `pieces_per_speed_up` pieces.
        """
        speed_ups = min(pieces // rules.pieces_per_speed_up, self.most_speed_ups)
        return self.paces[min(pace, len(self.paces) - 1)] + speed_ups


# The timing of the demo cartridge of seed 0; the original's is unknown (facts: Famicom Puyo 0).
PAIRS: Final = PuyoTiming(
    gravity=(30, 27, 24, 21, 18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2),
    soft_drop=2,
    settle=8,
    pop=20,
    nuisance_wait=16,
    spawn_delay=12,
    per_row=2,
)

# The gravity table and the paces are the original's of 1990 (wiki.drmar.io and tetris.wiki, "Mechanics (NES)"): stated.
# The waits are the demo cartridge's: the documents give none of them exactly.
MATCHING: Final = MatchingTiming(
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

_Timing = TypeVar("_Timing", bound=Timing)


def timing_of(ram_map: RamMap, demo: _Timing) -> _Timing:
    """Returns the map's timing; values that the map does not state are the demo cartridge's."""
    return replace(demo, **{name: ram_map.timing[name] for name in demo.names() if name in ram_map.timing})


def is_timed(ram_map: RamMap) -> bool:
    """Returns whether a map's pieces are planned to the frame: it states the fall, and the pad can be pressed so."""
    return "gravity" in ram_map.timing and ram_map.document.plans_frames
