"""What a step of an environment can be: a placement, or a pad for some frames; knows no game."""

from __future__ import annotations

from typing import Final

from emubot.pad import Pad, describe

FRAMES, PLACEMENTS = ACTIONS = ("frames", "placements")

# Nothing else moves a piece: UP, SELECT and both ways at once do nothing, and START pauses.
_TURNS: Final = (Pad.NONE, Pad.A, Pad.B)
STEP_PADS: Final = tuple(way | turn for way in (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.DOWN) for turn in _TURNS)
PAD_WORDS: Final = tuple(describe(pad) if pad else "nothing" for pad in STEP_PADS)
