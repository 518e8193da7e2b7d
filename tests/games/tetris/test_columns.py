"""Boards as words of columns: locks and line clears are those of the board's rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.tetris.board.board import FULL_ROW, Rows, legal_columns, lock
from emubot.games.tetris.board.columns import columns_of, lock_columns

masks = st.integers(0, FULL_ROW) | st.sampled_from([FULL_ROW, FULL_ROW ^ 1, FULL_ROW ^ 0x200, FULL_ROW ^ 0x38, 0])
boards = st.lists(masks, min_size=22, max_size=22).map(lambda values: np.array(values, dtype=np.uint16))


def words(rows: Rows) -> list[int]:
    """Bit r of a column is the cell r rows above the floor."""
    return [sum((int(rows[21 - up]) >> column & 1) << up for up in range(22)) for column in range(10)]


@settings(deadline=None)
@given(boards)
def test_a_column_is_a_word_from_the_floor_up(rows: Rows) -> None:
    stacks = np.zeros(10, dtype=np.int64)
    columns_of(rows, stacks)
    assert stacks.tolist() == words(rows)


@settings(deadline=None, max_examples=100)
@given(boards, st.integers(0, 18), st.integers(-2, 19))
def test_a_lock_leaves_what_it_leaves_in_rows(rows: Rows, orientation: int, row: int) -> None:
    legal = legal_columns(rows, orientation, row)
    before, after = np.array(words(rows), dtype=np.int64), np.zeros(10, dtype=np.int64)
    for column in range(10):
        if legal >> column & 1:
            board = rows.copy()
            removed = lock(board, orientation, column, row)
            assert lock_columns(before, after, orientation, column, row) == removed
            assert after.tolist() == words(board)
    assert before.tolist() == words(rows), "the board before is not changed"
