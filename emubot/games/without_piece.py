"""Takes the piece in the air out of a board whose cartridge draws it there; knows no map and no family."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

Board = tuple[NDArray[Any], NDArray[Any]]  # playfield, row 0 at the top, and hidden rows, the nearest first
Cells = Collection[tuple[int, int]]  # (column, row) of each; rows above the playfield are below 0


class WithoutPiece:
    """Empties the cells of the piece, in fresh arrays that nobody writes to.

    It keeps what it returned: the same arrays come again while the board without the piece stays the same, so that who
    compares a board with the one before need not compare cells.
    """

    def __init__(self) -> None:
        self._asked: tuple[Board, Cells] | None = None
        self._answer: Board | None = None

    def __call__(self, board: Board, cells: Cells) -> Board:
        """Returns the board without these cells; those outside of it do not count."""
        asked = self._asked
        if asked is None or asked[0][0] is not board[0] or asked[0][1] is not board[1] or asked[1] != cells:
            playfield, hidden = board[0].copy(), board[1].copy()
            for column, row in cells:
                rows, place = (playfield, row) if row >= 0 else (hidden, -1 - row)
                if place < len(rows) and 0 <= column < rows.shape[1]:
                    rows[place, column] = 0
            before = self._answer or board
            self._answer = _kept(before[0], playfield), _kept(before[1], hidden)
            self._asked = (board, cells)
        assert self._answer is not None, "it was made above"
        return self._answer


def _kept(before: NDArray[Any], now: NDArray[Any]) -> NDArray[Any]:
    """Returns the array of before if it holds the same."""
    if np.array_equal(before, now):
        return before
    now.flags.writeable = False
    return now
