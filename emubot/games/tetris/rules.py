"""The constants of NES Tetris: pieces, rotation, gravity, timing, scores; knows no memory and no search.

All values are from NES Tetris facts, verified frame by frame against the original program, unless a comment says
otherwise. Rows count from the top visible row, 0; rows -2 and -1 are hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from emubot.machine import FRAME_RATE_NTSC, FRAME_RATE_PAL

ROWS: Final = 20
COLUMNS: Final = 10
HIDDEN_ROWS: Final = 2

SPAWN_COLUMN: Final = 5
SPAWN_ROW: Final = 0

# Orientation ids 0-18 in the game's own order; cells are (dx, dy) from the pivot, dy downwards.
_CELLS = (
    ((-1, 0), (0, 0), (1, 0), (0, -1)),  # 0 T up
    ((0, -1), (0, 0), (1, 0), (0, 1)),  # 1 T right
    ((-1, 0), (0, 0), (1, 0), (0, 1)),  # 2 T down, as it spawns
    ((0, -1), (-1, 0), (0, 0), (0, 1)),  # 3 T left
    ((0, -1), (0, 0), (-1, 1), (0, 1)),  # 4 J left
    ((-1, -1), (-1, 0), (0, 0), (1, 0)),  # 5 J up
    ((0, -1), (1, -1), (0, 0), (0, 1)),  # 6 J right
    ((-1, 0), (0, 0), (1, 0), (1, 1)),  # 7 J down, as it spawns
    ((-1, 0), (0, 0), (0, 1), (1, 1)),  # 8 Z horizontal, as it spawns
    ((1, -1), (0, 0), (1, 0), (0, 1)),  # 9 Z vertical
    ((-1, 0), (0, 0), (-1, 1), (0, 1)),  # 10 O
    ((0, 0), (1, 0), (-1, 1), (0, 1)),  # 11 S horizontal, as it spawns
    ((0, -1), (0, 0), (1, 0), (1, 1)),  # 12 S vertical
    ((0, -1), (0, 0), (0, 1), (1, 1)),  # 13 L right
    ((-1, 0), (0, 0), (1, 0), (-1, 1)),  # 14 L down, as it spawns
    ((-1, -1), (0, -1), (0, 0), (0, 1)),  # 15 L left
    ((1, -1), (-1, 0), (0, 0), (1, 0)),  # 16 L up
    ((0, -2), (0, -1), (0, 0), (0, 1)),  # 17 I vertical
    ((-2, 0), (-1, 0), (0, 0), (1, 0)),  # 18 I horizontal, as it spawns
)
ORIENTATIONS: Final = len(_CELLS)
HIDDEN_PIECE: Final = 19  # the id while lines clear and under the curtain

DX: Final = np.array([[dx for dx, _ in cells] for cells in _CELLS], dtype=np.int8)  # (19, 4)
DY: Final = np.array([[dy for _, dy in cells] for cells in _CELLS], dtype=np.int8)  # (19, 4)

CLOCKWISE: Final = np.array([1, 2, 3, 0, 5, 6, 7, 4, 9, 8, 10, 12, 11, 14, 15, 16, 13, 18, 17], dtype=np.int8)
COUNTERCLOCKWISE: Final = np.array([3, 0, 1, 2, 7, 4, 5, 6, 9, 8, 10, 12, 11, 16, 13, 14, 15, 18, 17], dtype=np.int8)

PIECE_NAMES: Final = "TJZOSLI"
SPAWN_ORIENTATION: Final = np.array([2, 7, 8, 10, 11, 14, 18], dtype=np.int8)  # in the order of PIECE_NAMES
PIECE_OF: Final = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6], dtype=np.int8)

LINE_POINTS: Final = (0, 40, 100, 300, 1200)  # times (level + 1)

TYPES: Final = ("a", "b")  # the index is what the game keeps in RAM
TYPE_B: Final = TYPES.index("b")
# B-type: a game begins with rows of garbage, the lines count down, and 0 lines end it (facts 4).
GOAL_LINES: Final = 25
GARBAGE_ROWS: Final = (0, 3, 5, 8, 10, 12)  # by the height that the player chooses


@dataclass(frozen=True, slots=True)
class Profile:
    """One release's timing, in frames.

    `gravity` is frames per row by level; its last entry holds for higher levels. TWO_ROWS stands for two rows in each
    frame, which no release has.
    """

    name: str
    frame_rate: float  # frames a second
    gravity: tuple[int, ...]
    das_initial: int  # frames a direction is held before it repeats
    das_reset: int  # the counter's value after a repeat: das_initial - das_reset frames between repeats
    start_wait: int  # frames before the first piece of a game may fall by itself

    @property
    def fastest_level(self) -> int:
        """The level from which on pieces fall fastest: two rows a frame if they ever do, else one."""
        return self.gravity.index(TWO_ROWS if TWO_ROWS in self.gravity else 1)

    @property
    def games(self) -> str:
        """The name of the games that this timing makes; the release's, unless pieces fall two rows a frame."""
        return f"{self.name}-double-{self.fastest_level}" if TWO_ROWS in self.gravity else self.name

    @property
    def without_two_rows(self) -> Profile:
        """The release as it was published."""
        return replace(self, gravity=tuple(frames for frames in self.gravity if frames != TWO_ROWS))


TWO_ROWS: Final = 0

NES_NTSC: Final = Profile(
    name="nes-ntsc",
    frame_rate=FRAME_RATE_NTSC,
    gravity=(48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1),
    das_initial=16,
    das_reset=10,
    start_wait=96,
)

# The European release, from public documentation; not tested on the original. It has the same code, pieces and points,
# and other numbers of frames.
NES_PAL: Final = Profile(
    name="nes-pal",
    frame_rate=FRAME_RATE_PAL,
    # Facts 3.1, read in one source.
    gravity=(36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    das_initial=12,  # facts 3 and 10, read in two sources
    das_reset=8,
    start_wait=76,  # facts 3 and 10, read in one source: the byte starts at 180 instead of 160
)


def with_double_killscreen(profile: Profile, level: int) -> Profile:
    """Returns the profile in which a piece falls two rows in each frame from this level on.

    So play modified cartridges, for people to whom a row a frame is not too fast; see docs/measurements/tetris.md.
    """
    gravity = profile.gravity + profile.gravity[-1:] * (level - len(profile.gravity))
    return replace(profile, gravity=(*gravity[:level], TWO_ROWS))


PROFILES: Final = {profile.name: profile for profile in (NES_NTSC, NES_PAL)}
