"""How often a person misses a placement: its taps, each too early, too late or missed, played by the frame.

The person does not look again: a tap that went wrong is not mended. The piece falls by itself, so that no soft drop
hides a tap that came too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.explanation import Misdrops
from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ROWS, Profile
from emubot.games.tetris.simulator.simulator import step_frame
from emubot.games.tetris.timing import ReleaseTiming, timing_of
from emubot.human_error import HumanError, kept, made, taps_of
from emubot.jit import Scalar, kernel
from emubot.pad import Pad
from emubot.snapshot import Step

TRIES: Final = 500
_BUTTONS: Final = (Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B)
_LONGEST: Final = 1_300  # frames: a piece at level 0 falls for 20 times 48, after a wait of at most 255
_CONTROL, _FILLED = 1, 0x7B  # the play state, and the tile of a filled cell


def misdrops(
    rows: Rows, start: Start, level: int, timeline: Sequence[Step], profile: Profile, human: HumanError, seed: int
) -> Misdrops:
    """Returns how often the taps of a timeline, made by a person, lead elsewhere; a seed draws the same errors.

    The timeline must be one without soft drop.
    """
    planned = [step.pad for step in timeline]
    taps, going_on = taps_of(planned, start.held, _BUTTONS), kept(planned, start.held, _BUTTONS)
    target = timeline[-1]
    state, page = _console(rows, start, level)
    rng, misses = np.random.default_rng(seed), 0
    for _ in range(TRIES):
        pads = made(taps, human, rng, _LONGEST)
        pads[: len(going_on)] |= going_on
        place = _locked(state.copy(), page.copy(), pads, int(start.held), timing_of(profile))
        misses += place != (target.orientation, target.column, target.row)
    return Misdrops(TRIES, misses)


def _console(rows: Rows, start: Start, level: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns the state and the page of the frame before the first one, as the cartridge has them."""
    state, page = np.zeros(len(reg.FIELDS), dtype=np.uint8), np.full(reg.PAGE_SIZE, reg.EMPTY, dtype=np.uint8)
    filled = (rows[HIDDEN_ROWS:BOARD_ROWS, None] >> np.arange(COLUMNS) & 1).astype(np.bool_)
    page[: ROWS * COLUMNS][filled.reshape(-1)] = _FILLED
    for field, number in (
        (reg.PIECE, start.orientation),
        (reg.X, start.column),
        (reg.Y, start.row),
        (reg.FALL_TIMER, start.fall_timer),
        (reg.AUTOREPEAT_Y, start.autorepeat_y),
        (reg.DAS, start.das),
        (reg.LEVEL, level),
        (reg.PLAY_STATE, _CONTROL),
        (reg.GAME_MODE, reg.MODE_PLAY),
        (reg.MODE_STATE, reg.MODE_STATE_PLAY),
    ):
        state[field] = number & 0xFF
    return state, page


@kernel
def _locked(
    state: NDArray[np.uint8], page: NDArray[np.uint8], pads: NDArray[np.int64], held: Scalar, timing: ReleaseTiming
) -> tuple[Scalar, Scalar, Scalar]:
    """Returns orientation, column and row of the piece's lock."""
    orientation, column, row = np.int64(0), np.int64(0), np.int64(0)
    for frame in range(len(pads)):
        if state[reg.PLAY_STATE] != _CONTROL:
            break
        step_frame(state, page, pads[frame] & ~held, pads[frame], timing)
        held = pads[frame]
        orientation, column, row = np.int64(state[reg.PIECE]), np.int64(state[reg.X]), np.int64(state[reg.Y])
    return orientation, column, row
