"""Search against an obvious twin: every placement, every placement after it, on plain columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import BIG, CARBUNCLE, COLORS, COLUMNS, EMPTY, NUISANCE, OBSTACLE, SATELLITE, Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search import search, two_plies
from emubot.games.colours.search.choice import Choice
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU, stacks
from tests.games.colours.feature_twins import TWINS

REFERENCE = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
FAST = tempo_for_speed(10)
kinds = st.integers(1, COLORS)
pieces = st.one_of(st.tuples(kinds, kinds), st.just((BIG, BIG)), st.just((CARBUNCLE, CARBUNCLE)))


def drop_item(columns: twin.Stacks, item: int, column: int, rules: Rules) -> None:
    if item == BIG:
        for x in (column, column + 1):
            columns[x] = [kind for kind in columns[x] if kind == OBSTACLE]
        return
    level = len(columns[column])
    if 0 < level < rules.stored_rows and columns[column][-1] <= COLORS:
        for x in (column - 1, column + 1):
            if 0 <= x < COLUMNS and len(columns[x]) > level and columns[x][level] <= COLORS:
                columns[x][level] = columns[column][-1]


def locked(columns: twin.Stacks, piece: tuple[int, int], orientation: int, column: int, rules: Rules) -> twin.Stacks:
    after = [list(stack) for stack in columns]
    if piece[0] >= BIG:
        drop_item(after, piece[0], column, rules)
    else:
        twin.drop_pair(after, orientation, column, *piece, rules)
    twin.resolve(after, rules)
    return after


def placements(columns: twin.Stacks, piece: tuple[int, int], rules: Rules) -> list[tuple[int, int]]:
    free = {rules.spawn.column} if len(columns[rules.spawn.column]) < rules.visible_rows else set()
    for _ in range(COLUMNS):
        free |= {x for x in range(COLUMNS) if len(columns[x]) < rules.visible_rows and (x - 1 in free or x + 1 in free)}
    found = []
    for orientation in range(4):
        for column in range(COLUMNS):
            wanted = {column, column + SATELLITE[orientation][0]}
            if piece[0] == BIG:
                wanted = {column, column + 1}
            if piece[0] >= BIG and orientation:
                continue
            if piece[0] == piece[1] and orientation > 1:
                continue
            if wanted <= free:
                found.append((orientation, column))
    return found


def dead(columns: twin.Stacks, rules: Rules) -> bool:
    return any(len(columns[x]) > rules.visible_rows - 1 - row for x, row in rules.death_cells)


def value_of(columns: twin.Stacks, rules: Rules) -> float:
    names = FEATURE_NAMES[:7]
    value = sum(weight * TWINS[name](columns, rules) for name, weight in zip(names, REFERENCE, strict=False))
    return float(value + (two_plies.DEAD if dead(columns, rules) else 0))


def best_after(columns: twin.Stacks, following: tuple[int, int] | None, rules: Rules) -> tuple[float, int]:
    if following is None or dead(columns, rules):
        return value_of(columns, rules), 1
    options = placements(columns, following, rules)
    if not options:
        return value_of(columns, rules), 1  # a Big Puyo that finds no room
    return max(value_of(locked(columns, following, *option, rules), rules) for option in options), len(options)


@settings(deadline=None, max_examples=25)
@given(st.data(), st.sampled_from((FAMICOM, TSU)), pieces, st.one_of(st.none(), pieces))
def test_values_are_those_of_the_twin(
    data: st.DataObject, rules: Rules, current: tuple[int, int], following: tuple[int, int] | None
) -> None:
    columns = [stack[: data.draw(st.integers(0, len(stack)))] for stack in data.draw(stacks(rules))]
    twin.resolve(columns, rules)
    cells = twin.cells_of(columns, rules)
    options = placements(columns, current, rules)
    found = search.placements(cells, current, rules)
    assert [tuple(option) for option in found.tolist()] == options
    expected = [best_after(locked(columns, current, *option, rules), following, rules) for option in options]
    values, nodes = TwoPlies(rules, REFERENCE).rank(Position(cells, current, (following,) if following else ()), found)
    assert values == pytest.approx([value for value, _ in expected], abs=1e-4)
    assert nodes == sum(count for _, count in expected)
    choice = TwoPlies(rules, REFERENCE).decide(Position(cells, current, (following,) if following else ()), found)
    if options:
        assert choice == Choice(int(values.argmax()), float(values.max()), nodes)
    else:
        assert choice == Choice(-1, two_plies.DEAD, 0)


def test_an_open_field_has_22_placements_a_double_11() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    assert len(search.placements(cells, (1, 2), FAMICOM)) == 22
    assert len(search.placements(cells, (3, 3), FAMICOM)) == 11
    assert len(search.placements(cells, (BIG, BIG), FAMICOM)) == 5
    assert len(search.placements(cells, (CARBUNCLE, CARBUNCLE), FAMICOM)) == 6
    every = search.placements(cells, (1, 2), FAMICOM)
    assert TwoPlies(FAMICOM, REFERENCE).decide(Position(cells, (1, 2), ((3, 4),)), every).nodes == 22 * 22


def test_ties_go_to_the_first() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    twice = np.array([[0, 3], [0, 3], [2, 3]], dtype=np.int8)
    assert TwoPlies(FAMICOM, REFERENCE).decide(Position(cells, (1, 1)), twice).index == 0


def test_death_is_worst() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[3:, 2] = [1, 2] * 5 + [1]
    values, _ = TwoPlies(FAMICOM, REFERENCE).rank(Position(cells, (3, 4)), np.array([[0, 2], [0, 0]]))
    assert values[0] < two_plies.DEAD / 2 < values[1]


def test_a_tall_column_cannot_be_passed() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[1:, 3] = [1, 2] * 6 + [1]
    assert {column for _, column in search.placements(cells, (5, 6), FAMICOM).tolist()} == {0, 1, 2}


def test_a_next_pair_that_falls_fast_does_not_count_on_what_it_cannot_reach() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[3:, 4] = [1, 2] * 5 + [1]
    cells[9:, 1] = cells[9:, 3] = [3, 4, 5, 6, 3]
    here = np.array([[0, 0]])
    nodes = [
        TwoPlies(FAMICOM, REFERENCE).rank(
            Position(cells, (1, 2), ((3, 4),), limits=limits_of(FAMICOM, FAST, gravity)), here
        )[1]
        for gravity in (30, 2)
    ]
    assert nodes == [22, 14]  # two columns less: neither upright there nor flat on them


def test_a_big_puyo_without_room_is_not_death() -> None:
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[1:, 1] = cells[1:, 3] = [1, 2] * 6 + [1]
    values, _ = TwoPlies(FAMICOM, REFERENCE).rank(Position(cells, (3, 4), ((BIG, BIG),)), np.array([[0, 2]]))
    assert values[0] > 0


def test_a_field_of_other_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="store 14 rows, not 13"):
        TwoPlies(FAMICOM, REFERENCE).rank(Position(np.zeros((13, 6)), (1, 2)), np.array([[0, 2]]))


def test_items_do_what_they_say() -> None:
    table = table_of(FAMICOM)
    cells = np.zeros((14, 6), dtype=np.uint8)
    cells[13] = [1, 7, 2, 3, OBSTACLE, 1]
    two_plies.lock_cells(cells, 0, 3, BIG, EMPTY, table)
    assert cells[13].tolist() == [1, 7, 2, 0, OBSTACLE, 1]
    cells[10:, 0], cells[11:, 2] = [3, 2, 1, 4], [5, 6, 2]
    cells[11:, 1] = [0, 0, 1]
    assert two_plies.lock_cells(cells, 0, 1, CARBUNCLE, EMPTY, table) == (0, 0)
    assert cells[12].tolist() == [1, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("rules", [FAMICOM, TSU])
def test_nuisance_on_its_way_falls_before_the_next_pair(rules: Rules) -> None:
    columns = [[1, 1, 1], [2], [3], [4], [5], [6]]
    options = np.array([[0, 0], [0, 5]])
    values, _ = TwoPlies(rules, REFERENCE).rank(
        Position(twin.cells_of(columns, rules), (1, 2), ((3, 3),), pending=27), options
    )
    expected = []
    for column in (0, 5):
        after = locked(columns, (1, 2), 0, column, rules)
        popped = column == 0
        for stack in after:
            stack.extend([NUISANCE] * (0 if popped and rules.offset else 4))
        expected.append(best_after(after, (3, 3), rules)[0])
    assert values == pytest.approx(expected, abs=1e-4)


def test_no_more_nuisance_falls_than_the_cap() -> None:
    cells = np.zeros((13, 6), dtype=np.uint8)
    every = search.placements(cells, (1, 2), TSU)
    thirty, _ = TwoPlies(TSU, REFERENCE).rank(Position(cells, (1, 2), (), pending=30), every)
    many, _ = TwoPlies(TSU, REFERENCE).rank(Position(cells, (1, 2), (), pending=300), every)
    assert (thirty == many).all()
