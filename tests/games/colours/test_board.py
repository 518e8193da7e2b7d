"""Boards as bitboards: cells to words and back, drops, removals, nuisance, against the obvious twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.bits import compress, lowest, popcount, spread
from emubot.games.colours.board.words import (
    Board,
    Cells,
    _removed_at_once,
    _removed_one_by_one,
    board_of,
    checked_cells,
    fill_cells,
    filled,
    removed,
    with_nuisance,
)
from emubot.games.colours.layout import WORD
from emubot.games.colours.rules import COLUMNS, NUISANCE, Rules
from emubot.jit import Scalar, kernel
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, RULES, TSU, rules_tried, stacks


def cells_from(board: Board, rules: Rules) -> Cells:
    cells = np.full((rules.stored_rows, COLUMNS), 255, dtype=np.uint8)
    fill_cells(board, cells)
    return cells


@settings(deadline=None)
@given(st.data(), rules_tried)
def test_cells_come_back_from_a_board(data: st.DataObject, rules: Rules) -> None:
    cells = twin.cells_of(data.draw(stacks(rules)), rules)
    assert (cells_from(board_of(cells), rules) == cells).all()


def test_what_hangs_in_the_air_falls_first() -> None:
    cells = np.zeros((13, 6), dtype=np.uint8)
    cells[3, 1], cells[5, 1], cells[12, 1] = 4, NUISANCE, 2
    assert checked_cells(cells)[10:, 1].tolist() == [4, NUISANCE, 2]
    assert cells[3, 1] == 4


@pytest.mark.parametrize("shape", [(15, 6), (0, 6), (13, 5), (6,)])
def test_cells_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rows of 6 cells"):
        checked_cells(np.zeros(shape, dtype=np.uint8))


def test_a_cell_holds_no_item() -> None:
    with pytest.raises(ValueError, match="0 to 8"):
        checked_cells(np.full((13, 6), 9, dtype=np.uint8))


@settings(deadline=None)
@given(st.data(), rules_tried)
def test_removed_cells_let_what_is_above_fall(data: st.DataObject, rules: Rules) -> None:
    columns = data.draw(stacks(rules))
    gone = [[data.draw(st.booleans()) for _ in column] for column in columns]
    words = [0, 0]
    for x, column in enumerate(gone):
        for y, leaves in enumerate(column):
            words[x // 3] |= int(leaves) << (x % 3 * 16 + y)
    left = [
        [kind for kind, leaves in zip(column, flags, strict=True) if not leaves]
        for column, flags in zip(columns, gone, strict=True)
    ]
    after = removed(board_of(twin.cells_of(columns, rules)), words[0], words[1])
    assert (cells_from(after, rules) == twin.cells_of(left, rules)).all()


@settings(deadline=None)
@given(st.data(), st.sampled_from((FAMICOM, TSU)), st.integers(0, 5), st.integers(0, 63))
def test_nuisance_lands_on_every_column_and_vanishes_above(
    data: st.DataObject, rules: Rules, rows: int, extra: int
) -> None:
    columns = data.draw(stacks(rules))
    board = with_nuisance(board_of(twin.cells_of(columns, rules)), rows, extra, NUISANCE, rules.stored_rows)
    for column, stack in enumerate(columns):
        for _ in range(rows + (extra >> column & 1)):
            twin.drop(columns, column, NUISANCE, rules)
        assert stack is columns[column]
    assert (cells_from(board, rules) == twin.cells_of(columns, rules)).all()


@settings(deadline=None)
@given(st.integers(0, (1 << 63) - 1), st.integers(0, (1 << 63) - 1))
def test_bits_are_moved_compiled_or_not(word: int, mask: int) -> None:
    places = [place for place in range(63) if mask >> place & 1]
    together = sum((word >> place & 1) << index for index, place in enumerate(places))
    assert compress(word, mask) == _compressed(word, mask) == together
    assert spread(together, mask) == _spread(together, mask) == word & mask


@kernel
def _compressed(word: Scalar, mask: Scalar) -> Scalar:
    return compress(word, mask)


@kernel
def _spread(word: Scalar, mask: Scalar) -> Scalar:
    return spread(word, mask)


@settings(deadline=None)
@given(st.data(), st.sampled_from((FAMICOM, TSU)))
def test_cells_fall_alike_on_every_processor(data: st.DataObject, rules: Rules) -> None:
    """Some processors move the bits of a word at once, on the others a loop moves them one by one."""
    board = board_of(twin.cells_of(data.draw(stacks(rules)), rules))
    left, right = filled(board)
    words = left & data.draw(st.integers(0, WORD)), right & data.draw(st.integers(0, WORD))
    assert _removed_at_once(board, *words) == _removed_one_by_one(board, *words)


@given(st.integers(1, (1 << 62) - 1))
def test_bits_are_counted_compiled_or_not(word: int) -> None:
    assert popcount(word) == bin(word).count("1")
    assert word >> lowest(word) & 1
    assert word & ((1 << lowest(word)) - 1) == 0


def test_rules_tried_differ() -> None:
    assert len(set(RULES)) == len(RULES)
