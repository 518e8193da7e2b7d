"""The inputs and the working memory of the kernels of reach, as named tuples, and what both ways of input share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Words
from emubot.games.tetris.rules import TWO_ROWS
from emubot.jit import Scalar, inlined


class Begin(NamedTuple):
    """The piece before the first planned frame; numbers are as in `Start`.

    `wait` is the number of frames without gravity at the start of a game. `limiter` and `turn_limiter` are the frames
    before the first direction edge and the first rotation edge. `direction` (das.NEUTRAL, LEFT, RIGHT) and `charge` are
    the DAS state after the frame before. `free_hold` (0 or 1): the piece has not spawned yet, so either direction may
    be held from before that.
    """

    lane: Scalar
    column: Scalar
    row: Scalar
    fall_timer: Scalar
    wait: Scalar
    limiter: Scalar
    turn_limiter: Scalar
    direction: Scalar
    charge: Scalar
    free_hold: Scalar


class InputRules(NamedTuple):
    """A tempo under the DAS of a release, in frames; `uses_das` is 0 or 1."""

    reaction: Scalar
    period: Scalar
    uses_das: Scalar
    das_initial: Scalar
    das_reset: Scalar


class Scratch(NamedTuple):
    """The working memory of `fill_locks`: int64 (MAX_PERIOD,) and (2, BLOCKS, WAITS)."""

    taps: Words
    das: NDArray[np.int64]


class History(NamedTuple):
    """The states that `fill_locks` records for the trace back, each frame before its drop; 0 frames record nothing.

    `taps` is int64 (frames, period), `das` (frames, BLOCKS, WAITS); `rows` (frames,) is the row of the piece.
    """

    taps: NDArray[np.int64]
    das: NDArray[np.int64]
    rows: Words


@inlined
def rows_of_drop(gravity: Scalar) -> Scalar:
    """Returns how many rows a piece falls when it falls; rules.TWO_ROWS stands for two in each frame."""
    return 2 if gravity == TWO_ROWS else 1


@inlined
def idle_frames(fall_timer: Scalar, wait: Scalar, gravity: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the frames until the one before the row's drop, and the fall timer then; `wait` is as in Begin."""
    fall_timer = (fall_timer + wait) & 0xFF
    idle = max(gravity - 1 - fall_timer, 0)
    return wait + idle, fall_timer + idle
