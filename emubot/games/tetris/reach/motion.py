"""Moves one piece under control as the game does, frame by frame; knows no search and no evaluation.

The order inside a frame is the game's: shift, rotate, drop (NES Tetris facts 3). `body` is int64[7], see the indices.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.tetris.board.board import LANE, Words
from emubot.games.tetris.reach.state import rows_of_drop
from emubot.jit import Scalar, kernel

LANE_AT, COLUMN_AT, ROW_AT, FALL_TIMER_AT, DAS_AT, AUTOREPEAT_AT, HELD_AT = range(7)
BODY_SIZE: Final = 7

LEFT: Final = 0x02
RIGHT: Final = 0x01
DOWN: Final = 0x04
A: Final = 0x80
B: Final = 0x40
_SIDEWAYS, _DPAD = LEFT | RIGHT, 0x0F


@kernel
def fits_at(fits: Words, lane: Scalar, column: Scalar, row: Scalar) -> bool:
    """Returns whether the orientation in this lane fits there; `row` is 0 to 20."""
    return bool(column >= 0 and fits[row] >> (LANE * lane + column) & 1)


@kernel
def move(
    fits: Words, lanes: Scalar, body: Words, held: Scalar, gravity: Scalar, das_initial: Scalar, das_reset: Scalar
) -> bool:
    """Advance `body` by one frame with the pad byte `held`; returns True if its drop failed in this frame."""
    new = held & ~body[HELD_AT]
    body[HELD_AT] = held
    body[FALL_TIMER_AT] = (body[FALL_TIMER_AT] + 1) & 0xFF
    if held & _SIDEWAYS and not held & DOWN:
        body[DAS_AT] = 0 if new & _SIDEWAYS else body[DAS_AT] + 1
        if new & _SIDEWAYS or body[DAS_AT] >= das_initial:
            column = body[COLUMN_AT] + (1 if held & RIGHT else -1)
            if not fits_at(fits, body[LANE_AT], column, body[ROW_AT]):
                body[DAS_AT] = das_initial
            else:
                body[COLUMN_AT] = column
                if not new & _SIDEWAYS:
                    body[DAS_AT] = das_reset
    if new & (A | B):
        lane = (body[LANE_AT] + (1 if new & A else lanes - 1)) % lanes
        if fits_at(fits, lane, body[COLUMN_AT], body[ROW_AT]):
            body[LANE_AT] = lane
    if not _drops(body, new, held, gravity):
        return False
    body[FALL_TIMER_AT] = 0
    for _ in range(rows_of_drop(gravity)):
        if not fits_at(fits, body[LANE_AT], body[COLUMN_AT], body[ROW_AT] + 1):
            return True
        body[ROW_AT] += 1
    return False


@kernel
def _drops(body: Words, new: Scalar, held: Scalar, gravity: Scalar) -> bool:
    """Advance the start-of-game wait and the soft drop; returns whether soft drop or gravity pulls in this frame."""
    if body[AUTOREPEAT_AT] >= 128:
        if not new & DOWN:
            body[AUTOREPEAT_AT] = (body[AUTOREPEAT_AT] + 1) & 0xFF
            return False
        body[AUTOREPEAT_AT] = 0
    if body[AUTOREPEAT_AT] == 0:
        if not held & _SIDEWAYS and new & _DPAD == DOWN:
            body[AUTOREPEAT_AT] = 1
    elif held & _DPAD == DOWN:
        body[AUTOREPEAT_AT] += 1
        if body[AUTOREPEAT_AT] >= 3:
            body[AUTOREPEAT_AT] = 1
            return True
    else:
        body[AUTOREPEAT_AT] = 0
    return bool((body[FALL_TIMER_AT] - gravity) & 0x80 == 0)


@kernel
def follow(
    fits: Words,
    lanes: Scalar,
    body: Words,
    pads: Words,
    gravity: Scalar,
    das_initial: Scalar,
    das_reset: Scalar,
    steps: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> Scalar:
    """Move `body` through `pads` and write steps[frame] = (lane, column, row) after each frame.

    Returns the number of frames until the lock, or 0 if the pads end first.
    """
    for frame in range(len(pads)):
        locked = move(fits, lanes, body, pads[frame], gravity, das_initial, das_reset)
        steps[frame, 0] = body[LANE_AT]
        steps[frame, 1] = body[COLUMN_AT]
        steps[frame, 2] = body[ROW_AT]
        if locked:
            return frame + 1
    return 0
