"""Garbage in the field: what a simulated B-type game begins with, and rows from an opponent; knows no menu.

B-type: facts 4 gives the rows and the shares of the codes. Their order and the draws are from a public disassembly; not
tested on the original. `s` and `page` are as in play_states.py.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode.addresses import EMPTY, LFSR_HI, LFSR_LO, VRAM_ROW
from emubot.games.tetris.rules import COLUMNS, GARBAGE_ROWS, ROWS
from emubot.games.tetris.simulator.play_states import step_lfsr

FIRST_ROW: Final = ROWS - max(GARBAGE_ROWS)  # the rows of the greatest height are made, then those above it cleared
_SENT: Final = 0x78  # the cell of garbage in the original's unfinished game for two (read)
_CODES: Final = (EMPTY, 0x7B, EMPTY, 0x7C, 0x7D, 0x7D, EMPTY, EMPTY)  # by the low three bits of a draw


def fill_row(s: NDArray[Any], page: NDArray[Any], row: int) -> None:
    """Draw the cells of a row, right to left, then draw the column that is empty."""
    for column in reversed(range(COLUMNS)):
        page[COLUMNS * row + column] = _CODES[_draw(s) & 7]
    hole = _draw(s) & 0xF
    while hole >= COLUMNS:
        hole = _draw(s) & 0xF
    page[COLUMNS * row + hole] = EMPTY
    s[VRAM_ROW] = 0


def clear_above(page: NDArray[Any], height: int) -> None:
    """Leave the garbage of this height, without its first cell: the original clears one cell too many."""
    page[: COLUMNS * (ROWS - GARBAGE_ROWS[height]) + 1] = EMPTY


def raise_rows(page: NDArray[Any], rows: int, hole: int) -> None:
    """Push the field up by this number of rows of garbage with a hole in this column; what leaves the top is lost."""
    cells = COLUMNS * min(rows, ROWS)
    field = page[: COLUMNS * ROWS]
    field[: len(field) - cells] = field[cells:].copy()
    field[len(field) - cells :] = _SENT
    field[len(field) - cells + hole :: COLUMNS] = EMPTY


def _draw(s: NDArray[Any]) -> int:
    s[LFSR_HI], s[LFSR_LO] = step_lfsr(np.int64(s[LFSR_HI]), np.int64(s[LFSR_LO]))
    return int(s[LFSR_HI])
