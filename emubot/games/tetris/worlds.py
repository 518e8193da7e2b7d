"""What environments of falling blocks can be told, as data; imports no kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from emubot.games.kinds import Choice, Text, Whole
from emubot.games.offers import ACTIONS, FRAMES
from emubot.games.options import Values, option
from emubot.games.tetris.bounds import GENERATORS, MOST_CAP, MOST_PREVIEWS
from emubot.games.tetris.rules import NES_NTSC, PROFILES
from emubot.tempo import USUAL_TAPS

POINTS, LINES = REWARDS = ("points", "lines")
_REWARD: Final = "what is rewarded: the points of the lines at level 0, or lines"


@dataclass(frozen=True, kw_only=True)
class TextbookWorld(Values):
    """Textbook games: pieces drop straight down, with no time."""

    board: str = option(Text("CxR", ("10x20", "10x12", "10x10")), "10x20", "columns and rows of the board")
    generator: str = option(Choice(GENERATORS), "uniform", "the random generator of pieces")
    previews: int = option(Whole(low=1, high=MOST_PREVIEWS), 1, "how many next pieces are shown")
    reward: str = option(Choice(REWARDS), LINES, _REWARD)
    cap: int = option(Whole(high=MOST_CAP), 0, "cut a game off after N pieces; 0: play to the top-out")


@dataclass(frozen=True, kw_only=True)
class NesWorld(Values):
    """Games of NES Tetris, A-type."""

    actions: str = option(Choice(ACTIONS), FRAMES, "a pad a frame, or where a piece locks")
    start_level: int = option(Whole(high=29), 18, "the start level")
    release: str = option(Choice(tuple(PROFILES)), NES_NTSC.name, "the release, with its timing")
    reward: str = option(Choice(REWARDS), POINTS, "what is rewarded: the game's points, or lines")
    frame_skip: int = option(Whole(low=1, high=60), 1, "with frames: the frames for which a pad is held")
    taps: str = option(
        Text("RATE", USUAL_TAPS), "30hz", "with placements: the tap rate, das, or a pattern such as ..X...."
    )
    cap: int = option(Whole(high=MOST_CAP), 0, "cut a game off after N frames, or N placements; 0: play to the top-out")
