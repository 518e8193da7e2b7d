"""What the kernels of reach take and write on, as named tuples; knows no rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Words
from emubot.jit import Scalar


class Begin(NamedTuple):
    """The piece before the first frame that is planned; numbers as in `Start`.

    `wait` is frames without gravity at the start of a game. `limiter` and `turn_limiter` are the frames before the
    first direction edge and rotation edge. `direction` (das.NEUTRAL, LEFT, RIGHT) and `charge` are DAS as the frame
    before left it. `free_hold` (0 or 1): the piece is yet to spawn, so either direction may be held from before then.
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
    """What `fill_locks` records for a way back, each frame before its drop; of 0 frames where nothing is recorded.

    `taps` is int64 (frames, period), `das` (frames, BLOCKS, WAITS), `rows` (frames,) the row of the piece.
    """

    taps: NDArray[np.int64]
    das: NDArray[np.int64]
    rows: Words
