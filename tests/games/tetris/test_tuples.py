"""Value tables of the textbook game: entries and every step of learning against slow twins; learning to play."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.tetris.evaluation.features import FEATURES, stack_features
from emubot.games.tetris.evaluation.tuples import (
    TUPLE_GROUPS,
    TUPLES_VERSION,
    check_tables,
    entries,
    entries_of,
    sum_of,
    tuples,
)
from emubot.games.tetris.textbook.learning import DIFFERENCES, SIZES, VALUE, fresh, learnt, target, td_update
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.weights import TABLES
from tests.games.tetris.feature_twins import BOARD_TWINS, Grid, heights
from tests.games.tetris.test_textbook_board import grids
from tests.games.tetris.textbook_twins import Dealer, Drop, drops, stacks_from


def entries_twin(grid: Grid) -> list[int]:
    """Every tuple spelled out: the sizes of the tables before it, then its own place, digit by digit."""
    rows, columns = grid.shape
    high = heights(grid)
    seen: list[list[tuple[int, int]]] = []  # of each tuple its digits, each with how many values it has
    for column in range(columns - 4):
        steps = [min(max(b - a, -3), 3) + 3 for a, b in zip(high[column:], high[column + 1 : column + 5], strict=False)]
        seen.append([(step, 7) for step in steps])
    for column, height in enumerate(high):
        below = [height - depth for depth in (2, 3, 4, 5)]  # rows counted from the floor, the floor row being 0
        empty = [row >= 0 and not grid[rows - 1 - row, column] for row in below] if height else [False] * 4
        seen.append([*((int(cell), 2) for cell in empty), (height, rows + 1)])
    values = {name: int(BOARD_TWINS[name](grid)) for name in BOARD_TWINS if name != "chance"}
    seen.append([(values["rows_with_holes"], rows + 1), (max(high), rows + 1)])
    seen += [[(min(values[name], 31), 32)] for name in ("holes", "hole_depth", "cumulative_wells")]
    seen.append([(min(values["mf_row_transitions"] // 2, 63), 64)])
    seen.append([(min((values["column_transitions"] - columns) // 2, 63), 64)])
    found, before = [], 0
    for digits in seen:
        place, size = 0, 1
        for digit, many in digits:
            place, size = place * many + digit, size * many
        found.append(before + place)
        before += size
    assert before == entries(columns, rows)
    return found


def found_by_kernel(grid: Grid) -> NDArray[np.float64]:
    stacks, features = stacks_from(grid), np.zeros(FEATURES)
    stack_features(stacks, len(grid), TUPLE_GROUPS, features)
    found = np.full(tuples(grid.shape[1]), -1.0)
    entries_of(stacks, len(grid), features, found)
    return found


@settings(deadline=None, max_examples=50)
@given(grids())
def test_entries_of_any_board(grid: Grid) -> None:
    assert found_by_kernel(grid).tolist() == entries_twin(grid)


def test_an_empty_board_and_a_tower() -> None:
    grid: Grid = np.zeros((20, 10), dtype=np.bool_)
    assert found_by_kernel(grid).tolist() == entries_twin(grid)
    grid[:, 3] = True
    grid[1:5, 3] = False
    assert found_by_kernel(grid).tolist() == entries_twin(grid)


@settings(deadline=None, max_examples=40)
@given(grids(), st.integers(0, 2**32 - 1), st.floats(0, 1), st.floats(-50, 50))
def test_one_step_of_learning(grid: Grid, seed: int, rate: float, wanted: float) -> None:
    rng = np.random.default_rng(seed)
    known = rng.normal(size=(3, entries(grid.shape[1], len(grid))))
    known[SIZES] = np.abs(known[DIFFERENCES]) * rng.choice([1.0, 2.0], size=known.shape[1])
    known[1:, rng.random(known.shape[1]) < 0.3] = 0.0
    found, before = found_by_kernel(grid), known.copy()
    size = td_update(wanted, found, known, rate)
    touched = found.astype(int).tolist()
    difference = wanted - sum(before[VALUE, entry] for entry in touched)
    assert size == pytest.approx(abs(difference))
    for entry in touched:
        coherent = abs(before[DIFFERENCES, entry]) / before[SIZES, entry] if before[SIZES, entry] else 1.0
        moved = before[VALUE, entry] + rate * coherent * difference / len(touched)
        assert known[VALUE, entry] == pytest.approx(moved)
        assert known[DIFFERENCES, entry] == pytest.approx(before[DIFFERENCES, entry] + difference)
        assert known[SIZES, entry] == pytest.approx(before[SIZES, entry] + abs(difference))
    others = np.setdiff1d(np.arange(known.shape[1]), touched)
    assert np.array_equal(known[:, others], before[:, others])


@settings(deadline=None)
@given(grids(), st.floats(0, 1), st.floats(-50, 50))
def test_what_a_board_is_worth_by_the_drop_after_it(grid: Grid, gamma: float, following: float) -> None:
    room = np.mean([1 - height / len(grid) for height in heights(grid)])
    assert target(stacks_from(grid), len(grid), gamma, following) == pytest.approx(room + gamma * following)


def learnt_twin(rules: TextbookRules, seed: int, pieces: int, gamma: float, line_reward: float) -> NDArray[np.float64]:
    """Learning once more, from nothing, by rate 1: the values."""
    values: dict[int, float] = {}
    sums: dict[int, tuple[float, float]] = {}

    def worth(grid: Grid) -> float:
        return sum(values.get(entry, 0.0) for entry in entries_twin(grid))

    empty: Grid = np.zeros((rules.rows, rules.columns), dtype=np.bool_)
    dealer, before = Dealer(rules.generator, np.random.default_rng(seed)), None
    grid = empty
    for _ in range(pieces):
        living = [drop for drop in drops(grid, dealer.next()) if not drop.dead]

        def value(drop: Drop) -> float:
            return line_reward * drop.features["rows_removed"] + worth(drop.grid)

        best = max(living, key=value) if living else None
        if before is not None:
            room = float(np.mean([1 - height / rules.rows for height in heights(before)]))
            own = entries_twin(before)
            difference = room + gamma * (value(best) if best else 0.0) - worth(before)
            for entry in own:
                total, size = sums.get(entry, (0.0, 0.0))
                values[entry] = values.get(entry, 0.0) + (abs(total) / size if size else 1.0) * difference / len(own)
                sums[entry] = total + difference, size + abs(difference)
        grid, before = (best.grid, best.grid) if best else (empty, None)
        if best is None:
            dealer = Dealer(rules.generator, dealer.rng)
    found = np.zeros(entries(rules.columns, rules.rows))
    found[list(values)] = list(values.values())
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("rules", "line_reward"),
    [(TextbookRules(4, 5), 0.0), (TextbookRules(6, 6, "bag"), 0.25), (TextbookRules(5, 8, "nes"), 0.0)],
)
def test_games_that_teach(rules: TextbookRules, line_reward: float) -> None:
    learned = learnt(rules, fresh(rules), 3, 60, 1.0, 0.5, line_reward)
    np.testing.assert_allclose(learned.known[VALUE], learnt_twin(rules, 3, 60, 0.5, line_reward), atol=1e-9)
    assert len(learned.lines) > 1
    assert learned.difference > 0


@pytest.mark.jit
def test_tables_learn_to_play_a_small_board() -> None:
    rules = TextbookRules(6, 10)
    known = fresh(rules)
    first = learnt(rules, known, 1, 2_000, 1.0, 0.95, 0.0)
    assert not known.any(), "what is taught is a copy"
    taught = learnt(rules, first.known, 2, 60_000, 1.0, 0.95, 0.0)
    later = learnt(rules, taught.known, 3, 20_000, 1.0, 0.95, 0.0)
    assert later.lines.mean() > 10 * first.lines.mean()


def test_tables_of_another_definition_are_refused() -> None:
    head = [TABLES, TUPLES_VERSION, 4, 5]
    whole = np.array([0.0] * FEATURES + head + [0.0] * entries(4, 5))
    check_tables(whole)
    with pytest.raises(WeightsError, match="4x5 have 644 entries, these have 643"):
        check_tables(whole[:-1])
    whole[FEATURES + 1] += 1
    with pytest.raises(WeightsError, match="version 2, this emubot reads version 1"):
        check_tables(whole)


def test_a_sum_is_of_the_entries_found() -> None:
    assert sum_of(np.array([9.0, 1.0, 2.0, 4.0]), 1, np.array([2.0, 0.0, 1.0]), 2) == 5.0
