"""The value of each line of the course, from what whole games brought; knows no game and no training method."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.course import MOST_LINES
from emubot.games.tetris.evaluation.layout import LINES_AT, PHASE_STARTS
from emubot.games.tetris.trials.td_games import MISSED, SEEN

_NEAR: Final = 11  # lines: boards nearer than this count for a line, the nearer the more
_FEW: Final = 50  # with fewer boards a line keeps its value
_WEIGHTS: Final = np.maximum(0, _NEAR - np.abs(np.arange(-_NEAR, _NEAR + 1)))


def calibrate(values: NDArray[np.float32], shortfall: NDArray[np.float64]) -> None:
    """Add the mean shortfall of whole games (td_games.py) to the value of each line, so that it would have been 0.

    Only boards of the same phase count, since each phase has tables of its own.
    """
    for first, end in pairwise((*PHASE_STARTS, MOST_LINES + 1)):
        missed, seen = (_near(shortfall[part, first:end]) for part in (MISSED, SEEN))
        enough = seen >= _FEW
        values[LINES_AT + first : LINES_AT + end][enough] += (missed[enough] / seen[enough]).astype(np.float32)


def _near(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns for each line the sum over the lines around it, by their weights."""
    return np.convolve(sums, _WEIGHTS, "full")[_NEAR : _NEAR + len(sums)]
