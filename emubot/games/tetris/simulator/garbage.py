"""The garbage with which a simulated B-type game begins; knows no menu and no address.

Facts 4 gives the rows and the shares of the codes; their order, and the draws, are read in a public disassembly and
not run. `s` and `page` are as in play_states.py.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode.addresses import EMPTY, LFSR_HI, LFSR_LO, VRAM_ROW
from emubot.games.tetris.rules import COLUMNS, GARBAGE_ROWS, ROWS
from emubot.games.tetris.simulator.play_states import step_lfsr

FIRST_ROW: Final = ROWS - max(GARBAGE_ROWS)  # the rows of the greatest height are made, then those above it cleared
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


def _draw(s: NDArray[Any]) -> int:
    s[LFSR_HI], s[LFSR_LO] = step_lfsr(np.int64(s[LFSR_HI]), np.int64(s[LFSR_LO]))
    return int(s[LFSR_HI])
