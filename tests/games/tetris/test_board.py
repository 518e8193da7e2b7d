"""Boards as row masks: fits, locks and cleared rows as the simulator's page has them, its top-row bug included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.tetris.board.board import (
    FULL_ROW,
    LANE,
    LANES,
    ORIENTATION_OF_LANE,
    Rows,
    cells_in_full_rows,
    clear_rows,
    fill_fits,
    legal_columns,
    lock,
    rows_from,
    turn,
    turn_back,
    write_piece,
)
from emubot.games.tetris.decode import addresses as reg
from emubot.games.tetris.rules import CLOCKWISE, COUNTERCLOCKWISE, DX, DY
from emubot.games.tetris.simulator import play_states
from tests.games.tetris.reach_twin import page_of, rows_of

masks = st.integers(0, FULL_ROW) | st.just(FULL_ROW) | st.just(0)
boards = st.lists(masks, min_size=22, max_size=22).map(lambda values: np.array(values, dtype=np.uint16))
pieces = st.integers(0, 18)


def check_rows(page: np.ndarray[tuple[int], np.dtype[np.uint8]], row: int) -> int:
    """The game's four checks, on its page."""
    lines = 0
    for index in range(4):
        checked = max(row - 2, 0) + index
        if all(page[10 * checked + column] != reg.EMPTY for column in range(10)):
            play_states.remove_row(page, checked)
            lines += 1
    return lines


@settings(deadline=None)
@given(boards, pieces, st.integers(-2, 20))
def test_legal_columns_are_where_the_game_says_it_fits(rows: Rows, orientation: int, row: int) -> None:
    mask = legal_columns(rows, orientation, row)
    page = page_of(rows)
    for column in range(10):
        # Above row -2 the game would read on in the page's filler; no piece gets there, and none fits here.
        above = row + int(DY[orientation].min()) < -2
        expected = not above and play_states.fits(page, orientation, np.int64(column), np.int64(row))
        assert bool(mask >> column & 1) == expected


@settings(deadline=None)
@given(boards, st.integers(0, 6))
def test_packed_fits_are_the_legal_columns_of_each_orientation(rows: Rows, piece: int) -> None:
    fits = np.zeros(21, dtype=np.int64)
    fill_fits(rows, piece, fits)
    assert fits[20] == 0
    for row in range(20):
        for lane in range(4):
            orientation = int(ORIENTATION_OF_LANE[piece, lane])
            expected = legal_columns(rows, orientation, row) if orientation >= 0 else 0
            assert int(fits[row]) >> (LANE * lane) & 0xFFFF == expected


@pytest.mark.parametrize("piece", range(7))
def test_lanes_turn_as_the_buttons_do(piece: int) -> None:
    lanes = int(LANES[piece])
    valid = sum(FULL_ROW << (LANE * lane) for lane in range(lanes))
    for lane in range(lanes):
        orientation = int(ORIENTATION_OF_LANE[piece, lane])
        for turned, table in (
            (turn(1 << (LANE * lane + 9), lanes), CLOCKWISE),
            (turn_back(1 << (LANE * lane + 9), lanes), COUNTERCLOCKWISE),
        ):
            to = [int(o) for o in ORIENTATION_OF_LANE[piece]].index(int(table[orientation]))
            assert int(turned) & valid == 1 << (LANE * to + 9)


@settings(deadline=None)
@given(boards, pieces, st.data())
def test_lock_leaves_the_board_the_game_leaves(rows: Rows, orientation: int, data: st.DataObject) -> None:
    places = [
        (column, row)
        for row in range(20)
        for column in range(10)
        if legal_columns(rows, orientation, row) >> column & 1
    ]
    if not places:
        return
    column, row = data.draw(st.sampled_from(places))
    page = page_of(rows)
    for cell in range(4):
        x, y = DX[orientation, cell] + column, DY[orientation, cell] + row
        page[(10 * int(y) + int(x)) & 0xFF] = 0x7B
    written = rows.copy()
    write_piece(written, orientation, column, row)
    assert written.tolist() == rows_of(page).tolist()
    lines = check_rows(page, row)
    assert lock(rows, orientation, column, row) == lines
    assert rows.tolist() == rows_of(page).tolist()


def test_top_row_bug_counts_a_line_twice_and_moves_hidden_rows() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[0], rows[1], rows[2], rows[3], rows[21] = 0b1, 0b10, FULL_ROW, 0b100, 0b1000
    assert clear_rows(rows, 0) == 2
    assert rows.tolist() == [0, 0b1, 0, 0, 0b100, *17 * [0]]


def test_three_top_row_clears_bring_nothing_from_the_filler() -> None:
    page, rows = page_of(np.zeros(22, dtype=np.uint16)), np.zeros(22, dtype=np.uint16)
    for _ in range(3):
        rows[2], rows[21] = FULL_ROW, 0b1
        page[:10] = 0x7B
        page[190] = 0x7B
        assert clear_rows(rows, 0) == check_rows(page, 0) == 2
        assert rows.tolist() == rows_of(page).tolist()


def test_hidden_rows_stay_when_a_line_clears() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[0], rows[1], rows[2], rows[20], rows[21] = 1, 2, 4, FULL_ROW, FULL_ROW
    assert clear_rows(rows, 18) == 2
    assert rows.tolist() == [1, 2, 0, 0, 4, *17 * [0]]


def test_rows_further_down_than_the_checks_stay() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[2 + 10] = FULL_ROW
    assert clear_rows(rows, 8) == 0
    assert clear_rows(rows, 9) == 1


def test_cells_in_full_rows() -> None:
    rows = np.zeros(22, dtype=np.uint16)
    rows[21] = FULL_ROW ^ 0b1
    write_piece(rows, 17, 0, 18)
    assert cells_in_full_rows(rows, 17, 18) == 1


def test_rows_from_a_decoded_frame() -> None:
    playfield, hidden = np.zeros((20, 10), dtype=np.uint8), np.zeros((2, 10), dtype=np.uint8)
    playfield[0, 0], playfield[19, 9], hidden[0, 3], hidden[1, 4] = 1, 2, 3, 1
    rows = rows_from(playfield, hidden)
    assert rows.dtype == np.uint16
    assert rows.tolist() == [1 << 4, 1 << 3, 1, *18 * [0], 1 << 9]
    with pytest.raises(ValueError, match="22 rows"):
        rows_from(playfield, hidden[:1])
