"""Triggers, the chains that they set off, and the shape of a field, against slow, obvious twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import Board, board_of, heights_of
from emubot.games.colours.evaluation.building import BUILDING, TORN, chain_value, shape_value
from emubot.games.colours.evaluation.puyo_names import BUILDING_NAMES
from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.scoring import LINKING_AT, table_of
from tests.games.colours import building_twins as slow
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import RULES, TSU, random_stacks, stacks

FOURS = tuple(rules for rules in RULES if rules.group_size == 4)
TABLES = {rules: table_of(rules) for rules in FOURS}
SHAPE = [name for name in BUILDING_NAMES if name in slow.shape([[]] * COLUMNS, TSU)]


def only(**given: float) -> np.ndarray:
    weights = np.zeros(BUILDING)
    for name, weight in given.items():
        weights[BUILDING_NAMES.index(name)] = weight
    return weights


def chains(board: Board, rules: Rules, **weights: float) -> float:
    table = TABLES[rules]
    tried = np.zeros((COLUMNS, 3), dtype=np.int64)
    return float(chain_value(board, links_of(board, int(table[LINKING_AT])), table, only(**weights), tried))


def check(columns: twin.Stacks, rules: Rules) -> None:
    """Compare everything on a field once its own groups have popped."""
    twin.resolve(columns, rules)
    board, table = board_of(twin.cells_of(columns, rules)), TABLES[rules]
    found = slow.triggers(columns, rules)
    lengths = sorted((chain for _, _, chain, _ in found), reverse=True)
    assert chains(board, rules, triggers=1) == len(found)
    assert chains(board, rules, chain_sum=1) == sum(lengths)
    assert chains(board, rules, chain=1) == max(lengths, default=0)
    assert chains(board, rules, chain=1, second_chain=100) == max(lengths, default=0) + 100 * sum(lengths[1:2])
    best = max(
        (100 * chain + 7 * row - 30 * (need == 2) - 45 * (need == 3) for row, need, chain, _ in found), default=0
    )
    assert chains(board, rules, chain=100, trigger_height=7, second_puyo=-30, third_puyo=-45) == best
    links, heights, expected = links_of(board, int(table[LINKING_AT])), heights_of(board), slow.shape(columns, rules)
    for name in SHAPE:
        value = shape_value(board, links, heights, table, only(**{name: 1.0}))
        assert value == pytest.approx(expected[name]), name


@settings(deadline=None)
@given(st.data(), st.sampled_from(FOURS))
def test_every_feature_is_that_of_its_twin(data: st.DataObject, rules: Rules) -> None:
    check(data.draw(stacks(rules)), rules)


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(300, marks=pytest.mark.jit), pytest.param(30_000, marks=pytest.mark.slow)]
)
def test_so_it_is_on_many_fields(count: int) -> None:
    rng = np.random.default_rng(count)
    for index in range(count):
        rules = FOURS[index % len(FOURS)]
        check(random_stacks(rng, rules), rules)


def test_a_staircase_is_a_chain_of_its_steps() -> None:
    """Three of each colour in a column, and the fourth on the next one: one puyo beside the first sets off all."""
    columns: twin.Stacks = [[], [1, 1, 1, 2], [2, 2, 2, 3], [3, 3, 3, 4], [4, 4, 4], []]
    found = max(slow.triggers(columns, TSU), key=lambda trigger: trigger[2])
    assert found[2] == chains(board_of(twin.cells_of(columns, TSU)), TSU, chain=1) == 4


@pytest.mark.parametrize("height", [10, 11, 12])
def test_a_trigger_needs_rows_that_link(height: int) -> None:
    """Nothing links in the hidden row, so a group that needs it is no group."""
    columns: twin.Stacks = [[*([1, 2] * 6)[: height - 3], 6, 6, 6], [], [], [], [], []]
    assert [trigger for trigger in slow.triggers(columns, TSU) if trigger[0] == height] == (
        [(height, 1, 1, 6)] if height < TSU.visible_rows else []
    )
    check(columns, TSU)


def test_names_and_indices_agree() -> None:
    assert BUILDING_NAMES[TORN] == "torn"
    assert len(set(BUILDING_NAMES)) == BUILDING
