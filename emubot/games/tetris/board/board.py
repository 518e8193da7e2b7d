"""The playfield as row masks: where a piece fits, what a lock leaves behind; knows no time, no pad and no search.

A board is uint16[22], index = row + 2: rows -2 and -1 (hidden), then 0 to 19; bit c = column c is filled.
A packed word is one int64 with four lanes of 16 bits, one for each orientation of a piece. The first lane is the spawn
orientation, and button A turns the piece to the next lane. Bit x of a lane = pivot column x. So one step of a search
handles every orientation and column at once. A lane uses ten bits, so the sign bit is never reached.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import (
    CLOCKWISE,
    COLUMNS,
    DX,
    DY,
    HIDDEN_ROWS,
    ORIENTATIONS,
    PIECE_OF,
    ROWS,
    SPAWN_ORIENTATION,
)
from emubot.jit import Scalar, inlined, kernel

FULL_ROW: Final = (1 << COLUMNS) - 1
BOARD_ROWS: Final = ROWS + HIDDEN_ROWS
LANE: Final = 16  # bits
CELLS: Final = 4


_CYCLES: list[list[int]] = []
for _spawned in SPAWN_ORIENTATION:
    _cycle = [int(_spawned)]
    while int(CLOCKWISE[_cycle[-1]]) != _cycle[0]:
        _cycle.append(int(CLOCKWISE[_cycle[-1]]))
    _CYCLES.append(_cycle)

LANES: Final = np.array([len(cycle) for cycle in _CYCLES], dtype=np.int64)  # orientations of each piece: 4, 2 or 1
ORIENTATION_OF_LANE: Final = np.array([cycle + [-1] * (4 - len(cycle)) for cycle in _CYCLES], dtype=np.int64)  # (7, 4)
LANE_OF: Final = np.array([_CYCLES[PIECE_OF[o]].index(o) for o in range(ORIENTATIONS)], dtype=np.int64)

Rows = NDArray[np.uint16]
Words = NDArray[np.int64]


def rows_from(playfield: NDArray[Any], hidden: NDArray[Any]) -> Rows:
    """Returns the board of a decoded frame: `playfield` (20, 10), `hidden` (2, 10) with row -1 first; 0 = empty."""
    cells = np.concatenate([np.asarray(hidden)[::-1], np.asarray(playfield)]) != 0
    if cells.shape != (BOARD_ROWS, COLUMNS):
        raise ValueError(f"a board has {BOARD_ROWS} rows of {COLUMNS} cells, not {cells.shape}")
    rows: Rows = (cells @ (1 << np.arange(COLUMNS))).astype(np.uint16)
    return rows


@kernel
def legal_columns(rows: Rows, orientation: Scalar, row: Scalar) -> Scalar:
    """Returns a mask of the pivot columns at which the piece fits with its pivot in `row` (-2 or more).

    Hidden rows are tested like visible ones. Nothing fits below row 19, beside the board or above row -2.
    """
    legal = FULL_ROW
    for cell in range(CELLS):
        index = row + int(DY[orientation, cell]) + HIDDEN_ROWS
        if index < 0 or index >= BOARD_ROWS:
            return 0
        # The empty cells are shifted three columns up, so that every dx is a shift to the right.
        legal &= ((FULL_ROW ^ int(rows[index])) << 3) >> (3 + int(DX[orientation, cell]))
    return legal & FULL_ROW


@kernel
def fill_fits(rows: Rows, piece: Scalar, fits: Words) -> None:
    """Write fits[row], row 0 to 20: the packed word of every orientation and column at which `piece` fits.

    Nothing fits in row 20: it is below the floor.
    """
    for row in range(ROWS + 1):
        word = 0
        for lane in range(LANES[piece]):
            word |= legal_columns(rows, ORIENTATION_OF_LANE[piece, lane], row) << (LANE * lane)
        fits[row] = word


@kernel
def write_piece(rows: Rows, orientation: Scalar, column: Scalar, row: Scalar) -> None:
    """Fill the piece's four cells in place. The piece must fit: nothing is checked."""
    for cell in range(CELLS):
        index = row + int(DY[orientation, cell]) + HIDDEN_ROWS
        rows[index] = int(rows[index]) | (1 << (column + int(DX[orientation, cell])))


@kernel
def cells_in_full_rows(rows: Rows, orientation: Scalar, row: Scalar) -> Scalar:
    """Returns how many cells of a written piece are in visible full rows, before these are removed."""
    count = 0
    for cell in range(CELLS):
        index = row + int(DY[orientation, cell]) + HIDDEN_ROWS
        if index >= HIDDEN_ROWS and rows[index] == FULL_ROW:
            count += 1
    return count


@kernel
def clear_rows(rows: Rows, row: Scalar) -> Scalar:
    """Remove full rows in place, as the game does after a lock with its pivot in `row`; returns the rows counted.

    The game checks four rows from row - 2 (from 0 at the top) downwards, one after the other. Removing row r moves rows
    0 to r - 1 down and empties row 0; hidden rows stay. A full row 0 meets a bug of the game (NES Tetris facts 5.4):
    the whole memory page moves down by one row. So the old row 0 is then row 1 and counts again, row 19 leaves the
    board, and row -2 becomes row -1. Filler bytes move into row -2; they are empty until the fourth such clear of a
    game.
    """
    counted = 0
    first = max(0, row - 2)
    for checked in range(first, min(first + CELLS, ROWS)):
        if rows[checked + HIDDEN_ROWS] != FULL_ROW:
            continue
        counted += 1
        if checked == 0:
            for index in range(BOARD_ROWS - 1, HIDDEN_ROWS, -1):
                rows[index] = rows[index - 1]
            rows[1] = rows[0]
            rows[0] = 0
        else:
            for index in range(checked + HIDDEN_ROWS, HIDDEN_ROWS, -1):
                rows[index] = rows[index - 1]
        rows[HIDDEN_ROWS] = 0
    return counted


@kernel
def lock(rows: Rows, orientation: Scalar, column: Scalar, row: Scalar) -> Scalar:
    """Turn the board into the afterstate: write the piece, remove full rows; returns the number of rows counted."""
    write_piece(rows, orientation, column, row)
    return clear_rows(rows, row)


@inlined
def turn(word: Scalar, lanes: Scalar) -> Scalar:
    """Returns the packed word with every orientation turned by button A; the piece has `lanes` orientations."""
    return word << LANE | word >> (LANE * (lanes - 1))


@inlined
def turn_back(word: Scalar, lanes: Scalar) -> Scalar:
    """Like `turn`, by button B. Both leave bits outside the lanes: mask the result by a fit."""
    return word >> LANE | (word & FULL_ROW) << (LANE * (lanes - 1))
