"""The board of matching games: pieces, lines, links, falls, chains, against drawn fields and the slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.control import fits
from emubot.games.colours.board.groups import marks_for
from emubot.games.colours.board.matching_cells import (
    checked_field,
    empty_field,
    fall_a_row,
    mark_lines,
    put_piece,
    remove_marked,
    resolve_field,
    targets_in,
)
from emubot.games.colours.matching_rules import (
    CAPSULES,
    COLUMNS,
    DIAGONALS,
    GROUPS,
    LINES,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_UP,
    rules_of,
)
from tests.games.colours.matching_board_twin import Cells, drawn, fields, text, twin_fall, twin_lines, twin_resolve

WAYS = st.tuples(st.sampled_from((LINES, DIAGONALS, GROUPS)), st.integers(3, 4))


@settings(deadline=None)  # the first example compiles
@given(fields(), WAYS)
def test_lines_are_those_of_the_twin(field: tuple[Cells, Cells], way: tuple[int, int]) -> None:
    cells, _ = field
    marks = marks_for(*cells.shape)
    found = twin_lines(cells, *way)
    for _ in range(2):  # what was marked before is forgotten
        assert mark_lines(cells, *way, marks) == len(found)
        assert {*map(tuple, np.argwhere(marks.seen == marks.stamp[0] + 1).tolist())} == set().union(*found)


@settings(deadline=None)  # the first example compiles
@given(fields())
def test_a_fall_by_one_row_is_that_of_the_twin(field: tuple[Cells, Cells]) -> None:
    cells, links = field
    twin = cells.copy(), links.copy()
    assert fall_a_row(cells, links) == twin_fall(*twin)
    assert cells.tolist() == twin[0].tolist()
    assert links.tolist() == twin[1].tolist()


@settings(deadline=None)  # the first example compiles
@given(fields(), WAYS)
def test_a_resolution_is_that_of_the_twin(field: tuple[Cells, Cells], way: tuple[int, int]) -> None:
    cells, links = field
    twin = cells.copy(), links.copy()
    rules = rules_of("capsules", {"match": ("lines", "diagonals", "groups")[way[0]], "match_size": way[1]})
    assert resolve_field(cells, links, rules) == twin_resolve(*twin, *way)
    assert cells.tolist() == twin[0].tolist()
    assert links.tolist() == twin[1].tolist()
    same = checked_field(cells, links)
    assert same[0].tolist() == cells.tolist()
    assert same[1].tolist() == links.tolist()


def test_four_in_a_row_vanish_and_the_half_left_over_falls_alone() -> None:
    cells = drawn("......", "Y.....", "RRRr..")
    links = np.zeros_like(cells)
    links[1, 0], links[2, 0] = LINK_DOWN, LINK_UP
    done = resolve_field(cells, links, CAPSULES)
    assert text(cells) == ["......", "......", "Y....."]
    assert not links.any()
    assert (done.chain, done.lines, done.removed, done.targets, done.rows) == (1, 1, 4, 1, 1)


def test_joined_halves_rest_on_one_support() -> None:
    cells = drawn("RY....", "......", "B.....")
    links = np.zeros_like(cells)
    links[0, 0], links[0, 1] = LINK_RIGHT, LINK_LEFT
    assert fall_a_row(cells, links) == 2
    assert fall_a_row(cells, links) == 0
    assert text(cells) == ["......", "RY....", "B....."]
    assert links[1].tolist() == [LINK_RIGHT, LINK_LEFT, 0, 0, 0, 0]


def test_targets_hang_in_the_air_and_hold_others() -> None:
    cells = drawn("R.....", "r.....", "......")
    links = np.zeros_like(cells)
    assert fall_a_row(cells, links) == 0


def test_all_lines_vanish_at_once_and_share_cells() -> None:
    cells = drawn("...R..", "...R..", "...R..", "RRRR..")
    links, marks = np.zeros_like(cells), marks_for(*cells.shape)
    assert mark_lines(cells, LINES, 4, marks) == 2
    assert remove_marked(cells, links, marks) == (7, 0)
    assert not cells.any()


def test_columns_match_on_diagonals_and_chain() -> None:
    cells = drawn("PG....", "RPY...", "GRBYY.", "YGRYGP")
    done = resolve_field(cells, np.zeros_like(cells), COLUMNS)
    assert (done.chain, done.removed) == (2, 6)
    assert text(cells) == ["......", "PG....", "GP....", "YGBYGP"]


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [(0, ["..", "RY"]), (1, ["R.", "Y."]), (2, ["..", "YR"]), (3, ["Y.", "R."])],
)
def test_a_capsule_turns_clockwise_in_its_box(orientation: int, expected: list[str]) -> None:
    cells, links = empty_field(CAPSULES)
    assert put_piece(cells, links, CAPSULES, (orientation, 2, 15), (1, 2)) == 2
    assert text(cells[-2:, 2:4]) == expected
    assert checked_field(cells, links)[1].tolist() == links.tolist()
    assert np.count_nonzero(links) == 2


def test_a_half_above_the_field_is_lost_and_the_other_one_single() -> None:
    cells, links = empty_field(CAPSULES)
    assert fits(cells, 0, CAPSULES.shapes[1], 3, 0)
    assert put_piece(cells, links, CAPSULES, (1, 3, 0), (1, 2)) == 1
    assert text(cells)[0] == "...Y...."
    assert not links.any()
    assert not fits(cells, 0, CAPSULES.shapes[0], 3, 0)
    assert not fits(cells, 0, CAPSULES.shapes[0], 7, 1)


def test_a_press_moves_a_triple_down_in_itself() -> None:
    columns = []
    for orientation in range(3):
        cells, links = empty_field(COLUMNS)
        put_piece(cells, links, COLUMNS, (orientation, 0, 12), (1, 2, 3))
        columns.append("".join(row[0] for row in text(cells))[-3:])
    assert columns == ["RYB", "BRY", "YBR"]


def test_a_link_without_its_half_is_cut() -> None:
    cells, links = drawn("R.....", "Yr...."), np.zeros((2, 6), dtype=np.uint8)
    links[0, 0], links[1, 0], links[1, 1] = LINK_LEFT, LINK_RIGHT, LINK_LEFT
    assert not checked_field(cells, links)[1].any()
    assert targets_in(cells) == 1
    with pytest.raises(ValueError, match="cannot hold 9"):
        checked_field(cells + 9 * (cells == 0), links)
