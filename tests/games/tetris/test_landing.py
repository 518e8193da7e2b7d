"""Where a piece locked, from the boards before and after alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.tetris.decode.landing import USUAL, BoardJudge
from emubot.games.tetris.rules import ORIENTATIONS
from emubot.snapshot import Phase, Piece, Placement, Snapshot

ROWS, COLUMNS = 20, 10
JUDGE = BoardJudge(USUAL)
Board = NDArray[np.uint8]


def frame(board: Board, piece: Piece | None, sky: int = 0) -> Snapshot:
    hidden = np.full((2, COLUMNS), sky, dtype=np.uint8)
    return Snapshot(Phase.PLAYING, "playing", board, hidden, piece, (), {})


def cells(place: Piece) -> list[tuple[int, int]]:
    return [(place.row + dy, place.column + dx) for dx, dy in USUAL[place.orientation].cells]


def with_piece(board: Board, place: Piece) -> Board | None:
    """The board with a piece at rest there; None if it cannot be."""
    there = cells(place)
    if any(not (0 <= row < ROWS and 0 <= column < COLUMNS) or board[row, column] for row, column in there):
        return None
    if not any(row + 1 == ROWS or board[row + 1, column] for row, column in there):
        return None
    joined = board.copy()
    for row, column in there:
        joined[row, column] = 7
    return joined


def without(board: Board, rows: list[int]) -> Board:
    kept = [line for row, line in enumerate(board) if row not in rows]
    return np.array([np.zeros(COLUMNS)] * len(rows) + kept, dtype=np.uint8)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    board = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    for row in range(draw(st.integers(4, ROWS)), ROWS):
        word = draw(st.one_of(st.integers(1, 1022), st.sampled_from([1023 - (1 << c) for c in range(COLUMNS)])))
        board[row] = [word >> column & 1 for column in range(COLUMNS)]
    return board


@st.composite
def locks(draw: st.DrawFn) -> tuple[Board, Piece, Board]:
    """A board, where a piece comes to rest on it, and the board with the piece."""
    board, orientation = draw(boards()), draw(st.integers(0, ORIENTATIONS - 1))
    places = [Piece(orientation, column, row) for row in range(ROWS) for column in range(COLUMNS)]
    found = [(place, joined) for place in places if (joined := with_piece(board, place)) is not None]
    assume(found)
    return (board, *draw(st.sampled_from(found)))


@given(locks(), st.data())
def test_the_place_is_one_that_makes_the_board_after_of_that_before(
    lock: tuple[Board, Piece, Board], data: st.DataObject
) -> None:
    board, place, joined = lock
    full = [row for row in range(ROWS) if joined[row].all()]
    gone = data.draw(st.sets(st.sampled_from(full))) if full else set()
    after = without(joined, sorted(gone))
    if full and not gone:  # on their way out they may show anything
        for row in full:
            after[row] = data.draw(st.lists(st.integers(0, 1), min_size=COLUMNS, max_size=COLUMNS))
    assume(not np.array_equal(after != 0, board != 0))
    last = Piece(place.orientation, place.column, place.row - data.draw(st.integers(0, 15)))
    meant = Placement(place.orientation, place.column, place.row)
    assert JUDGE.place(frame(board, last), frame(after, None), meant) == place
    found = JUDGE.place(frame(board, last), frame(after, None), None)
    assert found is not None
    again = with_piece(board, found)
    assert again is not None
    if not full:
        assert sorted(cells(found)) == sorted(cells(place))
    elsewhere = Placement(place.orientation, place.column, place.row + 1)
    assert JUDGE.place(frame(board, last), frame(after, None), elsewhere) is not None


@given(locks(), st.integers(0, ROWS - 1), st.integers(0, COLUMNS - 1))
def test_a_board_with_another_cell_changed_is_not_explained(
    lock: tuple[Board, Piece, Board], row: int, column: int
) -> None:
    board, place, joined = lock
    assume(not joined.all(axis=1).any())
    after = joined.copy()
    after[row, column] = 0 if after[row, column] else 1
    assume(not after.all(axis=1).any())
    assume((row, column) not in cells(place))
    meant = Placement(place.orientation, place.column, place.row)
    assert JUDGE.place(frame(board, Piece(place.orientation, place.column, 0)), frame(after, None), meant) != place


def board_of(*rows: str) -> Board:
    board = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    for row, line in enumerate(rows, ROWS - len(rows)):
        board[row] = [mark == "#" for mark in line]
    return board


BEFORE = board_of("#########.", "#########.", "#########.")
UPRIGHT, FLAT = 17, 18


def test_an_unchanged_board_says_nothing_yet() -> None:
    assert JUDGE.place(frame(BEFORE, Piece(UPRIGHT, 9, 18)), frame(BEFORE.copy(), None), None) is None


def test_a_piece_that_came_to_its_place_above_the_visible_rows_locks_unseen() -> None:
    board = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    board[:, 4] = 1
    place = Piece(UPRIGHT, 4, -2)
    assert all(row < 0 for row, _ in cells(place))
    meant = Placement(UPRIGHT, 4, -2)
    unchanged = frame(board.copy(), None)
    assert JUDGE.place(frame(board, place), unchanged, meant) == place
    assert JUDGE.place(frame(board, Piece(UPRIGHT, 4, -3)), unchanged, meant) is None
    assert JUDGE.place(frame(board, place), unchanged, None) is None


@pytest.mark.parametrize("count", [1, 2, 3])
def test_some_of_the_full_rows_may_be_gone(count: int) -> None:
    joined = with_piece(BEFORE, Piece(UPRIGHT, 9, 18))
    assert joined is not None
    after = without(joined, list(range(17, 17 + count)))
    assert JUDGE.place(frame(BEFORE, Piece(UPRIGHT, 9, 5)), frame(after, None), None) == Piece(UPRIGHT, 9, 18)


def test_a_piece_of_which_the_board_shows_a_part_is_found() -> None:
    board = np.zeros((ROWS, COLUMNS), dtype=np.uint8)
    board[2:, 4] = 1
    after = board.copy()
    after[0:2, 4] = 1
    assert JUDGE.place(frame(board, Piece(UPRIGHT, 4, -1)), frame(after, None), None) == Piece(UPRIGHT, 4, 0)


def test_cells_that_come_down_from_hidden_rows_are_allowed() -> None:
    joined = with_piece(BEFORE, Piece(UPRIGHT, 9, 18))
    assert joined is not None
    after = without(joined, [17, 18, 19])
    after[0:3, 5] = 1
    last = Piece(UPRIGHT, 9, 18)
    assert JUDGE.place(frame(BEFORE, last, sky=1), frame(after, None), None) == last
    assert JUDGE.place(frame(BEFORE, last), frame(after, None), None) is None


def test_a_piece_does_not_rise_to_its_lock() -> None:
    board, place = np.zeros((ROWS, COLUMNS), dtype=np.uint8), Piece(FLAT, 5, 19)
    after = with_piece(board, place)
    assert after is not None
    meant = Placement(FLAT, 5, 19)
    assert JUDGE.place(frame(board, place), frame(after, None), meant) == place
    assert JUDGE.place(frame(board, Piece(FLAT, 5, 20)), frame(after, None), meant) is None


def test_another_piece_is_no_explanation() -> None:
    board, place = np.zeros((ROWS, COLUMNS), dtype=np.uint8), Piece(FLAT, 5, 19)
    after = with_piece(board, place)
    assert after is not None
    assert JUDGE.place(frame(board, Piece(10, 5, 18)), frame(after, None), None) is None


def test_a_piece_over_filled_cells_is_not_in_play() -> None:
    assert JUDGE.is_free(frame(BEFORE, Piece(FLAT, 5, 16)))
    assert not JUDGE.is_free(frame(BEFORE, Piece(FLAT, 5, 17)))
    assert JUDGE.is_free(frame(BEFORE, Piece(UPRIGHT, 5, -1)))


def test_a_full_row_is_about_to_vanish() -> None:
    assert JUDGE.is_settled(frame(BEFORE, None))
    assert not JUDGE.is_settled(frame(board_of("##########"), None))


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        (Piece(17, 5, 0), Piece(18, 4, 0), True),
        (Piece(17, 5, 0), Piece(10, 5, 0), False),
        (Piece(0, 5, 0), Piece(2, 5, 0), False),
        (Piece(0, 5, 0), Piece(0, 9, 0), False),
    ],
)
def test_one_piece_turns_once_and_moves_a_little(before: Piece, now: Piece, same: bool) -> None:
    assert JUDGE.is_same(before, now) is same
