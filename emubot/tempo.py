"""How fast a pad may be pressed: reaction, frames between inputs, DAS; knows no game and no emulator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from emubot.errors import UsageError
from emubot.pad import Pad
from emubot.text import did_you_mean

DAS_EDGE_FRAMES: Final = 6
MAX_PERIOD: Final = 60
MAX_REACTION: Final = 240
USUAL_TAPS: Final = ("10hz", "12hz", "15hz", "20hz", "30hz", "das")

_PERIODS: Final = {"10hz": 6, "12hz": 5, "15hz": 4, "20hz": 3, "30hz": 2}
_PATTERN: Final = re.compile(r"(\.*)(X\.+)", re.IGNORECASE)

# Bot speed -> (reaction frames, frames per input). 10 is the pad's limit, 6 a brisk human, 0 slow enough for a child.
SPEEDS: Final = (
    (48, 30),
    (40, 24),
    (33, 18),
    (27, 13),
    (22, 10),
    (18, 8),
    (15, 6),
    (12, 5),
    (8, 4),
    (4, 3),
    (0, 2),
)
FULL_SPEED: Final = len(SPEEDS) - 1


@dataclass(frozen=True, slots=True)
class Tempo:
    """The limits of the inputs on one pad, in frames.

    An edge is a button that is held in this frame and was not in the last one.

    Taps (`das` false): frames with an edge are at least `period` frames apart. Such a frame may carry one shift edge
    and one rotation edge together. A tap lasts one frame.

    DAS (`das` true): LEFT or RIGHT may be held for any time, so the game repeats the shift by itself. Direction edges
    are at least `period` frames apart, and so are rotation edges, counted apart from direction edges. The charge is
    carried from piece to piece. DOWN is pressed only while no direction is. A full charge shifts every 6 frames too, so
    nothing is held into a coming piece: a tap in its first frame is as quick.

    Both: the first edge comes in any frame under control after `reaction` frames of it. DOWN is free.
    """

    reaction: int
    period: int
    das: bool
    name: str

    def __post_init__(self) -> None:
        if not 0 <= self.reaction <= MAX_REACTION:
            raise UsageError(f"A reaction is 0 to {MAX_REACTION} frames, not {self.reaction}.")
        if not 2 <= self.period <= MAX_PERIOD:
            raise UsageError(f"One input takes 2 to {MAX_PERIOD} frames, not {self.period}.")
        if self.das and self.period != DAS_EDGE_FRAMES:
            raise UsageError(f"DAS takes a new direction every {DAS_EDGE_FRAMES} frames, not every {self.period}.")


def tempo_for_speed(speed: int) -> Tempo:
    """Returns the tempo of bot speed 0 (slow enough for a child to follow) to 10 (an input every second frame)."""
    if not 0 <= speed < len(SPEEDS):
        raise UsageError(f"The speed is 0 to {len(SPEEDS) - 1}, not {speed}.")
    reaction, period = SPEEDS[speed]
    return Tempo(reaction, period, das=False, name=f"speed {speed}")


def parse_taps(text: str) -> Tempo:
    """Returns the tempo of a rate (`12hz`), of `das`, or of a pattern: `..X....` reacts in two frames, X every 5.

    Raises UsageError for anything else.
    """
    word = text.strip()
    if word.lower() == "das":
        return Tempo(0, DAS_EDGE_FRAMES, das=True, name="das")
    if word.lower() in _PERIODS:
        return Tempo(0, _PERIODS[word.lower()], das=False, name=word.lower())
    if match := _PATTERN.fullmatch(word):
        return Tempo(len(match[1]), len(match[2]), das=False, name=word.upper())
    rates, near = ", ".join(_PERIODS), did_you_mean(word, (*_PERIODS, "das"))
    raise UsageError(
        f"Taps cannot be {text!r}{near}: use {rates}, das, or a pattern of dots and one X such as ..X.... "
        "(a dot before X is a frame of reaction; X and the dots after it, at least one, are the frames of one input)."
    )


@dataclass(frozen=True, slots=True)
class InputState:
    """The state of one pad's inputs before the next frame.

    `held` is the pad of the frame before; `rest` how many frames must pass before the next edge (with DAS: the next
    direction edge), `turn_rest` the same for rotation edges.
    """

    held: Pad = Pad.NONE
    rest: int = 0
    turn_rest: int = 0
