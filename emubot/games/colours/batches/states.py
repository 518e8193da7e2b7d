"""The states of games by frames in arrays: how each begins, and how a game enters one; knows no family."""

from __future__ import annotations

from typing import Final

from emubot.games.batch import Shown
from emubot.games.colours.batches.air import AIR, GENERATOR, SEEDS, STATE, WAIT, Words
from emubot.games.lots import draw
from emubot.jit import Scalar, inlined, lean
from emubot.snapshot import Phase

# After the piece in the air (air.py) the counters of each game tell its phase and its frames.
PHASE, FRAMES, REST = range(AIR, AIR + 3)
PHASES: Final = (Phase.PLAYING, Phase.LOCKED, Phase.CLEARING, Phase.OVER, Phase.UNKNOWN)
PLAYING, LOCKED, CLEARING, OVER, UNKNOWN = range(len(PHASES))


@inlined
def enter(own: Words, counters: Words, state: Scalar, wait: Scalar, phase: Scalar) -> None:
    """Enter a state, which acts after so many frames."""
    own[STATE], own[WAIT], counters[PHASE] = state, wait, phase


@lean
def wipe(own: Words, lots: Words, shown: Shown, game: Scalar) -> None:
    """Make a game's field and numbers empty, and draw the first state of its generator."""
    counters, cells = shown.counters[game], shown.cells[game]
    for index in range(len(own)):
        own[index] = 0
    for index in range(len(counters)):
        counters[index] = 0
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            cells[row, column] = 0
    own[GENERATOR] = 1 + draw(lots, SEEDS)
    shown.rewards[game], shown.ended[game], shown.cut[game] = 0.0, False, False
