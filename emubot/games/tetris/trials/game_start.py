"""What a game begins with: its level, its lines and the board of B-type; knows no game and no generator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.rules import COLUMNS, GARBAGE_ROWS
from emubot.jit import Scalar, kernel

_ROWS = np.array(GARBAGE_ROWS, dtype=np.int64)


class GameStart(NamedTuple):
    """The level and the lines of a game before its first piece, and the height of its garbage."""

    level: Scalar
    lines: Scalar = 0
    garbage: Scalar = 0


@kernel
def fill_garbage(rng: np.random.Generator, height: Scalar, rows: Rows) -> None:
    """Fill the lowest rows of a board (22,): half of their cells, at least one of each row stays empty.

    The first cell of the garbage is always empty, because the cartridge clears one cell too many (facts 4). With height
    0 the whole board is empty.
    """
    first = BOARD_ROWS - _ROWS[height]
    for row in range(BOARD_ROWS):
        rows[row] = 0
        if row >= first:
            filled, hole = rng.integers(0, 1 << COLUMNS), rng.integers(0, COLUMNS)
            rows[row] = filled & ~(1 << hole)
    if height > 0:
        rows[first] = rows[first] >> 1 << 1
