"""Locks, groups, chains and points against the obvious twin and the published tables."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.board.resolve import resolve
from emubot.games.colours.board.words import NO_PUYO, board_of
from emubot.games.colours.rules import COLORS, COLUMNS, LEFT, NUISANCE, OBSTACLE, RIGHT, Rules
from emubot.games.colours.scoring import group_bonus, nuisance_of, step_points, table_of
from emubot.games.colours.search.two_plies import lock_cells, resolve_cells
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, RULES, TSU, random_stacks, rules_tried, stacks

TABLES = {rules: table_of(rules) for rules in RULES}
# Facts: Famicom Puyo 4, cumulative points of chains of bare groups of four.
TSU_TOTALS = (
    40, 360, 1000, 2280, 4840, 8680, 13800, 20200, 27880, 36840, 47080, 58600, 71400, 85480, 100840, 117480, 135400,
    154600, 175080,
)  # fmt: skip
FAMICOM_POWERS = (0, 8, 16, 32, 64, 128, 256, 512, 999, 999, 999)


def check(columns: twin.Stacks, orientation: int, column: int, pivot: int, satellite: int, rules: Rules) -> int:
    cells = twin.cells_of(columns, rules)
    found = lock_cells(cells, orientation, column, pivot, satellite, TABLES[rules])
    twin.drop_pair(columns, orientation, column, pivot, satellite, rules)
    landed = twin.cells_of(columns, rules)
    resolve_cells(landed, TABLES[rules])
    expected = twin.resolve(columns, rules)
    assert found == expected
    assert (cells == twin.cells_of(columns, rules)).all()
    assert (landed == cells).all()
    return expected[0]


@settings(deadline=None, max_examples=50)
@given(st.data(), rules_tried, st.integers(0, 3), st.integers(1, COLORS), st.integers(1, COLORS))
def test_a_lock_does_what_the_twin_does(
    data: st.DataObject, rules: Rules, orientation: int, pivot: int, satellite: int
) -> None:
    column = data.draw(st.integers(int(orientation == LEFT), COLUMNS - 1 - int(orientation == RIGHT)))
    check(data.draw(stacks(rules)), orientation, column, pivot, satellite, rules)


@pytest.mark.jit
@pytest.mark.parametrize(
    ("chunk", "locks"), [(10, 1_000), *(pytest.param(chunk, 10_000, marks=pytest.mark.slow) for chunk in range(10))]
)
def test_a_hundred_thousand_random_locks_do(chunk: int, locks: int) -> None:
    rng = np.random.default_rng(chunk)
    longest = 0
    for index in range(locks):
        rules = RULES[index % len(RULES)]
        orientation = int(rng.integers(4))
        column = int(rng.integers(int(orientation == LEFT), COLUMNS - int(orientation == RIGHT)))
        pivot, satellite = (int(kind) for kind in rng.integers(1, COLORS + 1, size=2))
        longest = max(longest, check(random_stacks(rng, rules), orientation, column, pivot, satellite, rules))
    assert longest >= (5 if locks == 10_000 else 3)


def test_cumulative_points_of_bare_groups_are_the_published_ones() -> None:
    table = table_of(TSU)
    total = 0
    for chain, published in enumerate(TSU_TOTALS, start=1):
        total += step_points(table, chain, 4, 1, 0)
        assert total == published
    assert total == 175_080


def test_the_power_of_1992_doubles_up_to_999() -> None:
    table = table_of(FAMICOM)
    for chain, power in enumerate(FAMICOM_POWERS, start=1):
        assert step_points(table, chain, 4, 1, 0) == 40 * max(power, 1)


@pytest.mark.parametrize("rules", [FAMICOM, TSU])
def test_bonuses_are_the_published_ones(rules: Rules) -> None:
    table = table_of(rules)
    assert [group_bonus(table, size) for size in range(4, 14)] == [0, 2, 3, 4, 5, 6, 7, 10, 10, 10]
    for colors, bonus in enumerate((0, 3, 6, 12, 24, 48), start=1):
        assert step_points(table, 1, 10, colors, 0) == 100 * max(bonus, 1)
    assert step_points(table, 19, 4, 6, 999) == 40 * 999


# Fields in which one group of four stands ready, its removal makes the next, and so on; columns from the floor up.
# Grown backwards: four puyos put in so that what was there fits together only when they are gone.
LONGEST = (
    (TSU, 19, "333112134224/1343255121534/5423423125314/4421251243142/5114212535345/414431552233"),
    (TSU, 19, "134553413351/1542533513225/354344135121/1335251144132/2532142313213/4443444343212"),
    (FAMICOM, 20, "1225544121344/2121452513234/54251525253214/4254414352512/15533224245135/1122341243133"),
)


@pytest.mark.parametrize(("rules", "length", "field"), LONGEST)
def test_real_chains_of_every_length_score_as_published(rules: Rules, length: int, field: str) -> None:
    columns = [[int(kind) for kind in column] for column in field.split("/")]
    while length:
        points = sum(40 * max(rules.chain_power[min(step, len(rules.chain_power) - 1)], 1) for step in range(length))
        board, _, chain, scored = resolve(board_of(twin.cells_of(columns, rules)), TABLES[rules])
        assert (chain, scored) == (length, points)
        assert board == NO_PUYO
        if rules is TSU:
            assert scored == TSU_TOTALS[length - 1]
        (group,) = twin.groups(columns, rules)
        columns = [[kind for y, kind in enumerate(column) if (x, y) not in group] for x, column in enumerate(columns)]
        length -= 1
    assert columns == [[]] * COLUMNS


def test_nuisance_goes_with_its_neighbours_and_counts_for_nothing() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[13] = [1, 1, 1, NUISANCE, OBSTACLE, 2]
    cells[12] = [NUISANCE, OBSTACLE, 0, NUISANCE, 0, 0]
    cells[11, 3] = NUISANCE
    assert lock_cells(cells, 0, 2, 1, 3, table_of(FAMICOM)) == (1, 40)
    assert cells[13].tolist() == [0, OBSTACLE, 3, NUISANCE, OBSTACLE, 2]
    assert not cells[12].any()


def test_the_hidden_row_neither_links_nor_pops() -> None:
    columns = [[1, 2] * 6 + [5], [2, 1] * 6 + [5], [], [], [], []]
    columns[0][-3:] = [6, 5, 5]
    rules = FAMICOM
    for pops, length in ((False, 0), (True, 1)):
        tried = dataclasses.replace(rules, hidden_pops=pops)
        cells = twin.cells_of([list(column) for column in columns], tried)
        chain, _ = lock_cells(cells, 0, 0, 5, 5, table_of(tried))
        assert chain == length


def test_what_ends_above_the_stored_rows_vanishes() -> None:
    columns = [[1, 2] * 7, [], [], [], [], []]
    cells = twin.cells_of(columns, FAMICOM)
    lock_cells(cells, 1, 0, 3, 4, table_of(FAMICOM))
    assert cells[0, 0] == 2
    assert cells[13, 1] == 4
    assert np.count_nonzero(cells) == 15


def test_nuisance_by_points() -> None:
    assert nuisance_of(69, FAMICOM) == 0
    assert nuisance_of(700, FAMICOM) == 10
    assert nuisance_of(100_000, FAMICOM) == 30
    assert nuisance_of(100_000, TSU) == 1428
