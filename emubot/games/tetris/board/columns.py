"""The playfield as one word for each column: locks and line clears of the search's many boards; knows no reach.

Bit r of a column's word is the cell r rows above the floor: bits 0 to 19 are the visible rows, 20 and 21 the hidden
ones. A lock changes at most four of the ten words, so boards in this form are quick to make and to value.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, CELLS, Rows
from emubot.games.tetris.rules import COLUMNS, DX, DY, ORIENTATIONS, ROWS
from emubot.jit import Scalar, lean

Stacks = NDArray[np.int64]  # int64 (10,): the words of the columns, leftmost first

VISIBLE: Final = (1 << ROWS) - 1

LEFT: Final = DX.min(axis=1).astype(np.int64)  # of each orientation, from the pivot's column
WIDTH: Final = DX.max(axis=1).astype(np.int64) - LEFT + 1
# The cells of each orientation in each of its columns, as a word; bit 1 is the pivot's row.
CELLS_IN: Final = np.zeros((ORIENTATIONS, CELLS), dtype=np.int64)
for _orientation in range(ORIENTATIONS):
    for _dx, _dy in zip(DX[_orientation], DY[_orientation], strict=True):
        CELLS_IN[_orientation, int(_dx) - LEFT[_orientation]] |= 1 << (1 - int(_dy))


@lean
def columns_of(rows: Rows, stacks: Stacks) -> None:
    """Write the board uint16 (22,) as words of its columns, hidden rows included."""
    for column in range(COLUMNS):
        stack = 0
        for index in range(BOARD_ROWS):
            stack = stack << 1 | (int(rows[index]) >> column & 1)
        stacks[column] = stack


@lean
def lock_columns(before: Stacks, after: Stacks, orientation: Scalar, column: Scalar, row: Scalar) -> Scalar:
    """Write the afterstate of a lock with its pivot at (column, row); returns the number of rows counted.

    The same as board.lock: a full row 0 too, which meets a bug of the game.
    """
    first = column + LEFT[orientation]
    up = ROWS - 1 - row
    full = VISIBLE
    for index in range(COLUMNS):
        after[index] = before[index]
    for index in range(WIDTH[orientation]):
        after[first + index] |= (CELLS_IN[orientation, index] << up) >> 1
    for index in range(COLUMNS):
        full &= after[index]
    if full == 0:
        return 0
    return _remove(after, row)


@lean
def _remove(stacks: Stacks, row: Scalar) -> Scalar:
    """Remove the full rows among the four that the game checks, as board.clear_rows; returns the rows counted."""
    counted = 0
    first = max(0, row - 2)
    for checked in range(first, min(first + CELLS, ROWS)):
        height = ROWS - 1 - checked
        full = VISIBLE
        for column in range(COLUMNS):
            full &= stacks[column]
        if not full >> height & 1:
            continue
        counted += 1
        below = (1 << height) - 1
        for column in range(COLUMNS):
            stack = stacks[column]
            if checked == 0:
                # The whole memory page moves down by one row: row 0 becomes row 1, and row -2 becomes row -1.
                stacks[column] = (stack & VISIBLE) >> 1 | (stack >> (ROWS + 1) & 1) << ROWS
            else:
                stacks[column] = stack & (below | ~VISIBLE) | (stack & VISIBLE & ~below) >> 1 & ~below
    return counted
