"""What happens in a field: landing, groups, points, falls, nuisance, items; the same as the search's kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.board.control import Falling
from emubot.games.colours.board.resolve import resolve
from emubot.games.colours.board.words import board_of, drop_pair, fill_cells, with_nuisance
from emubot.games.colours.rules import (
    BIG,
    CARBUNCLE,
    DOWN,
    FAMICOM_1991,
    LEFT,
    NUISANCE,
    POPPING,
    RIGHT,
    TSU,
    UP,
    Rules,
)
from emubot.games.colours.scoring import table_of
from emubot.games.colours.simulator import field

Cells = NDArray[np.uint8]
POP = POPPING


def cells_of(*rows: str, rules: Rules = FAMICOM_1991) -> Cells:
    """The lowest rows as text, a dot for empty; the rest of the field is empty."""
    cells = np.zeros((rules.stored_rows, 6), dtype=np.uint8)
    for index, row in enumerate(reversed(rows)):
        cells[-1 - index] = [0 if letter == "." else int(letter, 16) for letter in row]
    return cells


def text_of(cells: Cells, rows: int) -> list[str]:
    return ["".join("." if kind == 0 else f"{kind:X}" for kind in row) for row in cells[-rows:]]


def columns(heights: list[int], kinds: list[int]) -> Cells:
    """Stacks of these heights, their kinds taken in turn."""
    cells = np.zeros((FAMICOM_1991.stored_rows, 6), dtype=np.uint8)
    number = 0
    for column, height in enumerate(heights):
        for level in range(height):
            cells[-1 - level, column] = kinds[number % len(kinds)]
            number += 1
    return cells


settled = st.builds(
    columns,
    st.lists(st.integers(0, 14), min_size=6, max_size=6),
    st.lists(st.integers(1, 7), min_size=1, max_size=90),
)


def test_both_halves_fall_to_the_top_of_their_columns() -> None:
    cells = cells_of("3.....", "3.....")
    fallen = field.land(cells, FAMICOM_1991, Falling((1, 2), RIGHT, 0, 9))
    assert text_of(cells, 3) == ["1.....", "3.....", "32...."]
    assert fallen == 3, "the satellite fell from row 9 to row 12"


@pytest.mark.parametrize(("orientation", "rows"), [(UP, ["2.....", "1....."]), (DOWN, ["1.....", "2....."])])
def test_the_lower_half_lands_first(orientation: int, rows: list[str]) -> None:
    cells = cells_of()
    field.land(cells, FAMICOM_1991, Falling((1, 2), orientation, 0, 11))
    assert text_of(cells, 2) == rows


def test_what_ends_above_the_hidden_row_vanishes() -> None:
    cells = columns([13, 0, 0, 0, 0, 0], [3, 4])
    assert field.land(cells, FAMICOM_1991, Falling((1, 2), UP, 0, -1)) == 0
    assert cells[0, 0] == 1
    assert (cells == 2).sum() == 0
    cells = columns([14, 0, 0, 0, 0, 0], [3, 4])
    assert field.land(cells, FAMICOM_1991, Falling((1, 2), LEFT, 1, -2)) == 14
    assert (cells != 0).sum() == 15


def test_four_of_a_colour_pop_and_three_do_not() -> None:
    assert field.groups(cells_of("11....", "1....."), FAMICOM_1991) == []
    assert [len(group) for group in field.groups(cells_of("11....", "11...."), FAMICOM_1991)] == [4]
    assert field.groups(cells_of("77....", "77...."), FAMICOM_1991) == [], "nuisance does not link"
    assert field.groups(cells_of("88....", "88...."), FAMICOM_1991) == [], "nor do walls"


def test_the_hidden_row_neither_links_nor_pops() -> None:
    cells = columns([14, 0, 0, 0, 0, 0], [2, 3])
    cells[:4, 0] = 1
    assert field.groups(cells, FAMICOM_1991) == []
    cells[4, 0] = 1
    assert [len(group) for group in field.groups(cells, FAMICOM_1991)] == [4]
    field.mark(cells, FAMICOM_1991, field.groups(cells, FAMICOM_1991))
    assert cells[0, 0] == 1


def test_nuisance_beside_a_group_goes_with_it_and_other_nuisance_does_not() -> None:
    cells = cells_of("77....", "117...", "117.7.")
    field.mark(cells, FAMICOM_1991, field.groups(cells, FAMICOM_1991))
    assert text_of(cells, 3) == ["BB....", "BBB...", "BBB.7."]
    assert field.remove(cells) == (8, 0)
    assert text_of(cells, 1) == ["....7."]


def test_nuisance_in_the_hidden_row_stays() -> None:
    cells = columns([14, 0, 0, 0, 0, 0], [2, 3])
    cells[0, 0] = NUISANCE
    cells[1:5, 0] = 1
    field.mark(cells, FAMICOM_1991, field.groups(cells, FAMICOM_1991))
    assert cells[0, 0] == NUISANCE


def test_everything_above_what_is_removed_falls() -> None:
    cells = cells_of("2.....", "3.....", "B.....", "4.....", "BB....")
    assert field.remove(cells) == (3, 2)
    assert text_of(cells, 3) == ["2.....", "3.....", "4....."]


@pytest.mark.parametrize(
    ("rows", "chain", "points"),
    [
        (["1111.."], 1, 40),  # a bare group counts once
        (["1111.."], 2, 320),
        (["11111."], 1, 100),  # five: bonus 2
        (["111111", "11111."], 1, 1100),  # eleven: bonus 10
        (["1111..", "2222.."], 1, 240),  # two colours: bonus 3
        (["1111..", "2222.."], 9, 79920),  # 999 of the chain and 3 of the colours are at most 999
        (["11.11.", "11.11."], 1, 80),  # two groups of one colour: no colour bonus
    ],
)
def test_points_of_a_step(rows: list[str], chain: int, points: int) -> None:
    cells = cells_of(*rows)
    assert field.points(cells, FAMICOM_1991, chain, field.groups(cells, FAMICOM_1991)) == points


def test_a_chain_longer_than_the_table_has_its_last_power() -> None:
    cells = cells_of("1111..")
    popping = field.groups(cells, TSU)
    assert field.points(cells, TSU, 19, popping) == field.points(cells, TSU, 40, popping) == 40 * 512


def test_nuisance_falls_in_whole_rows_and_the_rest_where_it_is_drawn() -> None:
    cells = cells_of("1.....")
    drawn = iter([3, 3, 5, 3, 0])
    field.rain(cells, 9, lambda: next(drawn))
    assert text_of(cells, 3) == ["7.....", "7..7.7", "177777"]


def test_nuisance_above_the_hidden_row_vanishes() -> None:
    cells = columns([14, 13, 12, 0, 0, 0], [1, 2])
    field.rain(cells, 12, lambda: 0)
    assert (cells == NUISANCE).sum() == 1 + 2 + 6


def test_a_big_puyo_empties_its_two_columns() -> None:
    cells = columns([14, 3, 2, 1, 0, 5], [1, 7, 2])
    assert field.land(cells, FAMICOM_1991, Falling((BIG, BIG), UP, 0, 3)) == 0
    assert (cells[:, :2] == 0).all()
    assert [(cells[:, column] != 0).sum() for column in range(2, 6)] == [2, 1, 0, 5]


def carbuncle(rows: list[str], column: int) -> list[str]:
    cells = cells_of(*rows)
    assert field.land(cells, FAMICOM_1991, Falling((CARBUNCLE, CARBUNCLE), UP, column, 0)) == 0
    return text_of(cells, len(rows))


def test_a_carbuncle_gives_its_neighbours_the_colour_below_it() -> None:
    assert carbuncle(["2.3...", "414..."], 1) == ["1.1...", "414..."]
    assert carbuncle(["7.3...", "414..."], 1) == ["7.1...", "414..."], "nuisance is no coloured puyo"
    assert carbuncle([".3....", "14...."], 0) == [".1....", "14...."], "at the wall"


def test_a_carbuncle_on_the_floor_or_on_nuisance_does_nothing() -> None:
    assert carbuncle(["2.3..."], 1) == ["2.3..."]
    assert carbuncle(["2.3...", "474..."], 1) == ["2.3...", "474..."]


def test_a_carbuncle_above_a_full_column_touches_nothing() -> None:
    cells = columns([14, 14, 0, 0, 0, 0], [1, 2])
    before = cells.copy()
    field.land(cells, FAMICOM_1991, Falling((CARBUNCLE, CARBUNCLE), UP, 0, -2))
    np.testing.assert_array_equal(cells, before)
    cells = cells_of("......", "3.....", "1.....")
    cells[-1, 1] = 2
    field.land(cells, FAMICOM_1991, Falling((CARBUNCLE, CARBUNCLE), UP, 0, 0))
    assert text_of(cells, 1) == ["12...."], "it has no neighbour at its own height"


@given(cells=settled)
@settings(max_examples=100, deadline=None)
def test_a_whole_chain_is_that_of_the_search(cells: Cells) -> None:
    """Board, length and points, on fields of every height."""
    table = table_of(FAMICOM_1991)
    board, _, chain, points = resolve(board_of(cells), table)
    expected = np.zeros_like(cells)
    fill_cells(board, expected)
    own_chain = own_points = 0
    while popping := field.groups(cells, FAMICOM_1991):
        own_chain += 1
        own_points += field.points(cells, FAMICOM_1991, own_chain, popping)
        field.mark(cells, FAMICOM_1991, popping)
        field.remove(cells)
    np.testing.assert_array_equal(cells, expected)
    assert (own_chain, own_points) == (chain, points)


@given(
    cells=settled, orientation=st.integers(0, 3), column=st.integers(0, 5), amount=st.integers(0, 30), data=st.data()
)
@settings(max_examples=100, deadline=None)
def test_landing_and_nuisance_are_those_of_the_search(
    cells: Cells, orientation: int, column: int, amount: int, data: st.DataObject
) -> None:
    column = min(column, 4) if orientation == RIGHT else max(column, 1) if orientation == LEFT else column
    board = board_of(cells)
    board = drop_pair(board, orientation, column, 1, 2, FAMICOM_1991.stored_rows)
    extra = data.draw(st.lists(st.integers(0, 5), min_size=amount % 6, max_size=amount % 6, unique=True))
    board = with_nuisance(board, amount // 6, sum(1 << chosen for chosen in extra), NUISANCE, FAMICOM_1991.stored_rows)
    expected = np.zeros_like(cells)
    fill_cells(board, expected)
    # A half over a full column can be no lower than where it is already: one row above the stored ones.
    field.land(cells, FAMICOM_1991, Falling((1, 2), orientation, column, -3))
    drawn = iter(extra)
    field.rain(cells, amount, lambda: next(drawn))
    np.testing.assert_array_equal(cells, expected)
