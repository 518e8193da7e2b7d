"""A pseudo-random number from a field alone, for a player at random that repeats; knows no rules."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.colours.board.groups import Cells
from emubot.games.colours.matching_rules import EMPTY
from emubot.jit import lean

_MASK: Final = (1 << 31) - 1  # products of two 31-bit numbers fit a signed word, compiled or not
_FACTOR: Final = 1_812_433_253


@lean
def chance(cells: Cells) -> float:
    """Returns a pseudo-random number, 0 to below 1, from the cells alone."""
    rows, columns = cells.shape
    state = np.int64(_MASK)
    for row in range(rows):
        for column in range(columns):
            kind = np.int64(cells[row, column])
            if kind != EMPTY:
                state = ((state ^ (kind + 32 * (row * columns + column + 1))) & _MASK) * _FACTOR
                state = (state ^ state >> 31) & _MASK
    return state / (_MASK + 1)
