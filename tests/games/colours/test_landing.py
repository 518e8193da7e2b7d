"""Where pieces of kinds locked, from the fields before and after, whatever the map's phases say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.board.turning import pair_cells
from emubot.games.colours.decode.landing import FieldJudge
from emubot.snapshot import Phase, Piece, Placement, Snapshot

ROWS, COLUMNS, HIDDEN = 10, 6, 1
KINDS = (2, 3)
JUDGE = FieldJudge(lambda snapshot, piece: pair_cells(KINDS, piece))
Field = NDArray[np.uint8]


def frame(field: Field, piece: Piece | None, phase: Phase = Phase.PLAYING) -> Snapshot:
    """A frame of a field with its hidden row on top."""
    return Snapshot(phase, "state", field[HIDDEN:], field[:HIDDEN][::-1], piece, (), {})


def heap(heights: list[int]) -> Field:
    field = np.zeros((HIDDEN + ROWS, COLUMNS), dtype=np.uint8)
    for column, height in enumerate(heights):
        field[HIDDEN + ROWS - height :, column] = 5
    return field


def fits(field: Field, place: Piece) -> bool:
    there = [(cell.row + HIDDEN, cell.column) for cell in pair_cells(KINDS, place)]
    return all(0 <= row < len(field) and 0 <= column < COLUMNS and not field[row, column] for row, column in there)


def fallen(field: Field, place: Piece, by: int) -> Field:
    """The field with both halves, each fallen by so many rows at most."""
    after = field.copy()
    for cell in sorted(pair_cells(KINDS, place), key=lambda cell: -cell.row):
        row = cell.row + HIDDEN
        for _ in range(by):
            row += row + 1 < len(after) and not after[row + 1, cell.column]
        after[row, cell.column] = cell.kind
    return after


HEIGHTS = st.lists(st.integers(0, 8), min_size=COLUMNS, max_size=COLUMNS)


@given(HEIGHTS, st.integers(0, 3), st.integers(0, 5), st.integers(0, 10), st.integers(0, 5))
def test_the_place_is_found_from_the_field_while_halves_fall(
    heights: list[int], orientation: int, column: int, by: int, above: int
) -> None:
    field = heap(heights)
    rests = [row for row in range(ROWS) if fits(field, Piece(orientation, column, row))]
    assume(rests)
    row = next(row for row in rests if row + 1 not in rests)
    assume(all(row_ in rests for row_ in range(rests[0], row + 1)))
    place, last = Piece(orientation, column, row), Piece(orientation, column, row - above)
    after = fallen(field, place, by)
    assert JUDGE.place(frame(field, last), frame(after, None), Placement(orientation, column, row)) == place
    found = JUDGE.place(frame(field, last), frame(after, None), None)
    assert found is not None
    assert np.array_equal(fallen(field, found, 20), fallen(field, place, 20))


FIELD, LAST = heap([0, 0, 4, 0, 0, 0]), Piece(0, 3, 8)


def test_nothing_is_said_before_the_field_shows_it_unless_the_map_says_locked() -> None:
    before = frame(FIELD, LAST)
    assert JUDGE.place(before, frame(FIELD.copy(), LAST), None) is None
    assert JUDGE.place(before, frame(FIELD.copy(), None, Phase.CLEARING), None) is None
    assert JUDGE.place(before, frame(FIELD, Piece(0, 3, 9), Phase.LOCKED), None) == Piece(0, 3, 9)
    assert JUDGE.place(before, frame(FIELD, None, Phase.LOCKED), None) == LAST
    assert JUDGE.place(before, frame(FIELD, Piece(0, 0, 0), Phase.LOCKED), None) == LAST, "it is parked there"


@pytest.mark.parametrize(("row", "column", "kind"), [(9, 0, 2), (9, 3, 4), (6, 2, 0)])
def test_a_field_that_a_piece_does_not_explain_is_not_explained(row: int, column: int, kind: int) -> None:
    after = fallen(FIELD, Piece(0, 3, 9), 0)
    after[HIDDEN + row, column] = kind
    assert JUDGE.place(frame(FIELD, LAST), frame(after, None), Placement(0, 3, 9)) is None


def test_a_piece_does_not_rise_to_its_lock() -> None:
    after = fallen(FIELD, Piece(0, 3, 9), 0)
    assert JUDGE.place(frame(FIELD, Piece(0, 3, 9)), frame(after, None), Placement(0, 3, 9)) == Piece(0, 3, 9)
    higher = fallen(FIELD, Piece(0, 2, 5), 0)
    assert JUDGE.place(frame(FIELD, Piece(0, 2, 6)), frame(higher, None), Placement(0, 2, 5)) is None


def test_a_piece_over_filled_cells_is_not_in_play() -> None:
    assert JUDGE.is_free(frame(FIELD, Piece(0, 2, 5)))
    assert not JUDGE.is_free(frame(FIELD, Piece(0, 2, 6)))
    assert JUDGE.is_free(frame(FIELD, None))
