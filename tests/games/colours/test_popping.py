"""What pops in one step, in vectors, on integers and by the obvious twin."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.popping import Step, popping
from emubot.games.colours.board.words import Board, board_of
from emubot.games.colours.layout import HALF, LANE
from emubot.games.colours.rules import COLUMNS, NUISANCE, Rules
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.jit import Scalar, kernel
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU, stacks

HIDDEN_POPS = dataclasses.replace(FAMICOM, hidden_pops=True)


@kernel
def in_vectors(board: Board, cells: Scalar) -> Step:
    return popping(board[0], board[1], board[2], board[4], board[5], board[6], cells)


def words_of(cells: set[tuple[int, int]]) -> tuple[int, int]:
    words = [0, 0]
    for x, y in cells:
        words[x // HALF] |= 1 << (x % HALF * LANE + y)
    return words[0], words[1]


@settings(deadline=None)
@given(st.data(), st.sampled_from((FAMICOM, TSU, HIDDEN_POPS)))
def test_groups_of_four_pop_with_the_nuisance_beside_them(data: st.DataObject, rules: Rules) -> None:
    columns = data.draw(stacks(rules))
    puyos: set[tuple[int, int]] = set().union(*twin.groups(columns, rules))
    rows = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    beside = {cell for puyo in puyos for cell in twin.neighbours(*puyo)}
    gray = {
        (x, y) for x in range(COLUMNS) for y, kind in enumerate(columns[x]) if kind == NUISANCE and y < rows
    } & beside
    board, cells = board_of(twin.cells_of(columns, rules)), int(table_of(rules)[LINKING_AT])
    expected = (*words_of(puyos), *words_of(puyos | gray))
    assert in_vectors(board, cells) == expected
    assert popping(board[0], board[1], board[2], board[4], board[5], board[6], cells) == expected


@pytest.mark.parametrize("column", range(COLUMNS))
def test_a_full_column_pops_alone(column: int) -> None:
    """The bits beside a column are another's, and those above it none."""
    columns = [[2, 3] * 7 if x % 2 == column % 2 else [3, 2] * 7 for x in range(COLUMNS)]
    columns[column] = [1] * 14
    cells = int(table_of(HIDDEN_POPS)[LINKING_AT])
    whole = words_of({(column, y) for y in range(14)})
    assert in_vectors(board_of(twin.cells_of(columns, HIDDEN_POPS)), cells) == whole * 2
