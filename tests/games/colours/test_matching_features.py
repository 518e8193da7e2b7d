"""The features of matching games and the columns that can be entered, against their slow twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.matching_law import law_of
from emubot.games.colours.evaluation.matching_features import chance, measure
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURES
from emubot.games.colours.evaluation.matching_windows import masks_for
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, GROUPS, Rules
from emubot.games.colours.reach.matching_entry import drops_of, fill_rooms, fill_tops
from emubot.games.colours.reach.reach import piece_result
from emubot.games.colours.search.matching_search import straight_drops
from emubot.snapshot import Piece
from emubot.tempo import parse_taps
from tests.games.colours.matching_board_twin import Cells, drawn, fields
from tests.games.colours.matching_feature_twins import MOVES, twin_closed, twin_features, twin_places

SMALL = (
    replace(CAPSULES, columns=6, visible_rows=7, spawn=Piece(0, 2, 0)),
    replace(COLUMNS, visible_rows=7),
    replace(CAPSULES, columns=6, visible_rows=7, spawn=Piece(0, 2, 0), match=GROUPS),
)
GRAVITY = st.sampled_from((0, 1, 2, 5))


def measured(cells: Cells, rules: Rules, gravity: int = 0, soon: int = 0) -> dict[str, float]:
    """The features of a field by name; gravity `soon`, and of much later pieces."""
    tops, values = np.zeros(cells.shape[1], dtype=np.int64), np.full(FEATURES, np.nan)
    fill_tops(cells, tops)
    memory = masks_for(len(cells)), np.zeros_like(tops)
    measure(cells, tops, law_of(rules), drops(soon), drops(gravity), *memory, values)
    return {name: float(value) for name, value in zip(FEATURE_NAMES, values, strict=True) if name not in MOVES}


def drops(gravity: int) -> Cells:
    """The rows fallen by distance; 0: none."""
    return drops_of(parse_taps("12hz"), gravity) if gravity else drops_of()


@settings(deadline=None, max_examples=150)
@given(fields(), st.sampled_from(SMALL), GRAVITY, GRAVITY)
def test_features_are_those_of_the_twin(field: tuple[Cells, Cells], rules: Rules, later: int, soon: int) -> None:
    cells, _ = field
    expected = twin_features(cells, rules, drops(soon).tolist(), drops(later).tolist())
    assert measured(cells, rules, later, soon) == expected


@settings(deadline=None, max_examples=100)
@given(fields(), st.sampled_from(SMALL), GRAVITY, st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_straight_drops_are_those_of_the_twin(
    field: tuple[Cells, Cells], rules: Rules, gravity: int, colors: list[int]
) -> None:
    cells, kinds = field[0].copy(), tuple(colors[: rules.piece_cells])
    cells[:3] = 0  # or nothing fits
    found = straight_drops(cells, kinds, rules, drops(gravity))
    results = [piece_result(kinds, (orientation, column, row), rules) for orientation, column, row in found.tolist()]
    assert len({*results}) == len(results), "each result once"
    assert {*results} == twin_places(cells, rules, kinds, drops(gravity).tolist())
    tops = _tops(cells)
    rooms = np.zeros_like(tops)
    fill_rooms(tops, law_of(rules), drops(gravity), rooms)
    assert {*np.flatnonzero(rooms < 0).tolist()} == twin_closed(cells, rules, drops(gravity).tolist())


def _tops(cells: Cells) -> Cells:
    tops = np.zeros(cells.shape[1], dtype=np.int64)
    fill_tops(cells, tops)
    return tops


def test_a_stack_that_is_in_the_way_closes_the_columns_behind_it() -> None:
    cells = drawn(*["......"] * 8, *["...R.."] * 5)
    assert measured(cells, COLUMNS, 2)["closed"] == 0
    cells = drawn(*["......"] * 4, *["...R.."] * 9)
    assert measured(cells, COLUMNS, 2)["closed"] == 2, "a piece has fallen onto it before it can pass"
    assert measured(cells, COLUMNS)["closed"] == 0, "without a clock it passes"


@pytest.mark.parametrize(("name", "value"), [("target_ready", 2), ("target_begun", 0), ("buried", 1), ("covered", 1)])
def test_a_window_by_hand(name: str, value: int) -> None:
    cells = drawn(*["........"] * 13, "........", "Y.......", "rRR.....")
    cells[15, 4] = 1
    assert measured(cells, CAPSULES)[name] == (value if name != "target_ready" else 1)


def test_chance_looks_at_the_cells_alone() -> None:
    cells, other = drawn("R.....", "Y.....", "......"), drawn("R.....", ".Y....", "......")
    assert 0 <= chance(cells) < 1
    assert chance(cells) == chance(cells.copy()) != chance(other)
