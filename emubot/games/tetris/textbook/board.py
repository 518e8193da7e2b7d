"""Drops from above on a board of any size; knows no generator, no features and no search.

A board is a word for each column, as features.Stacks. Cells above its top row are kept until lines are cleared: no
piece is taller than HIDDEN_ROWS. A stack that is still above the top row after that has topped out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.board import CELLS
from emubot.games.tetris.evaluation.features import Stacks
from emubot.games.tetris.rules import DX, DY, ORIENTATIONS, PIECE_NAMES, PIECE_OF
from emubot.jit import Scalar, inlined, lean

HIDDEN_ROWS: Final = 4
PIECES: Final = len(PIECE_NAMES)
# The orientations of piece p are FIRST_ORIENTATION[p] to FIRST_ORIENTATION[p + 1] - 1.
FIRST_ORIENTATION: Final = np.searchsorted(PIECE_OF, np.arange(PIECES + 1)).astype(np.int64)

# For each orientation: its columns, and those from its leftmost cell to its pivot; its rows, and those from its lowest
# cell up to its pivot.
WIDTH: Final = (DX.max(axis=1) - DX.min(axis=1) + 1).astype(np.int64)
PIVOT_COLUMN: Final = (-DX.min(axis=1)).astype(np.int64)
TALL: Final = (DY.max(axis=1) - DY.min(axis=1) + 1).astype(np.int64)
PIVOT_ROW: Final = DY.max(axis=1).astype(np.int64)


def _columns_of(orientation: int) -> list[int]:
    """Returns the cells of each column, bit 0 = the piece's lowest row."""
    columns = [0] * CELLS
    for dx, dy in zip(DX[orientation].tolist(), DY[orientation].tolist(), strict=True):
        columns[dx + int(PIVOT_COLUMN[orientation])] |= 1 << (int(PIVOT_ROW[orientation]) - dy)
    return columns


SHAPE: Final = np.array([_columns_of(o) for o in range(ORIENTATIONS)], dtype=np.int64)  # (19, 4) of words as in Stacks
UNDERSIDE: Final = np.array([[(w & -w).bit_length() - 1 for w in _columns_of(o)] for o in range(ORIENTATIONS)])

Words = NDArray[np.int64]


@lean
def drops_of(piece: Scalar, columns: Scalar) -> Scalar:
    """Returns the number of a piece's drops: every orientation in every column where it fits between the walls."""
    count = 0
    for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
        count += columns - WIDTH[orientation] + 1
    return count


@lean
def drop_by_number(piece: Scalar, columns: Scalar, number: Scalar) -> tuple[Scalar, Scalar]:
    """Returns (orientation, leftmost column) of a piece's drop; they are numbered by orientation, then column."""
    orientation = FIRST_ORIENTATION[piece]
    while number > columns - WIDTH[orientation]:
        number -= columns - WIDTH[orientation] + 1
        orientation += 1
    return orientation, number


@inlined
def resting_row(stacks: Stacks, orientation: Scalar, left: Scalar) -> Scalar:
    """Returns the row of the piece's lowest cell at rest; `left` is its leftmost column, the floor is row 0."""
    row = 0
    for column in range(WIDTH[orientation]):
        row = max(row, length(stacks[left + column]) - UNDERSIDE[orientation, column])
    return row


@lean
def drop(stacks: Stacks, after: Stacks, orientation: Scalar, left: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Write the board after the drop, full rows removed, to `after`; `stacks` is only read.

    Returns (row of the piece's lowest cell, rows removed, own cells). Own cells are the piece's cells in the rows
    removed; these rows may be above the top row.
    """
    lowest = resting_row(stacks, orientation, left)
    right = left + WIDTH[orientation]
    full = np.int64(-1)
    for column in range(left):
        after[column] = stacks[column]
        full &= stacks[column]
    for column in range(left, right):
        filled = stacks[column] | SHAPE[orientation, column - left] << lowest
        after[column] = filled
        full &= filled
    for column in range(right, len(stacks)):
        after[column] = stacks[column]
        full &= stacks[column]
    if full == 0:
        return lowest, 0, 0
    own = 0
    for column in range(WIDTH[orientation]):
        own += popcount(SHAPE[orientation, column] << lowest & full)
    remove_rows(after, full)
    return lowest, popcount(full), own


@lean
def remove_rows(stacks: Stacks, removed: Scalar) -> None:
    """Remove these rows (bit r = row r) from the board in place; the rows above move down."""
    while removed:
        row = length(removed) - 1
        below = (1 << row) - 1
        for column in range(len(stacks)):
            stacks[column] = (stacks[column] & below) | (stacks[column] >> 1 & ~below)
        removed &= below


@lean
def topped_out(stacks: Stacks, rows: Scalar) -> bool:
    """Returns whether a cell is above the top row."""
    filled = np.int64(0)
    for column in range(len(stacks)):
        filled |= stacks[column]
    return bool(filled >> rows)
