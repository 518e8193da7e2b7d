"""Numbers of the game's own decimal bytes, for kernels; knows no batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode.addresses import SCORE
from emubot.jit import Scalar, inlined


@inlined
def number_of(bcd: Scalar) -> Scalar:
    """Returns the number that a byte shows in two decimal digits; a digit may be more than 9 for a moment."""
    return (bcd >> 4) * 10 + (bcd & 0x0F)


@inlined
def score_of(state: NDArray[np.uint8]) -> Scalar:
    """Returns the score of a game's state, three such bytes from the lowest."""
    low, middle, high = np.int64(state[SCORE]), np.int64(state[SCORE + 1]), np.int64(state[SCORE + 2])
    return number_of(low) + 100 * number_of(middle) + 10_000 * number_of(high)
