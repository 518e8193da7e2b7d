"""Features against their slow, obvious twins; the published weights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import Board, board_of
from emubot.games.colours.evaluation.evaluation import evaluate, scales_of
from emubot.games.colours.evaluation.features import (
    ACCESS,
    CHANCE,
    FEATURES,
    PILLARS,
    POINTS,
    POPPED,
    SCALES,
    VALUES_AT,
    WANTED_AT,
    weigh,
)
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import Rules
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.weights import NETWORK, load_weights
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, RULES, TSU, random_stacks, rules_tried, stacks
from tests.games.colours.feature_twins import TWINS, access, cell_count, coloured, popped

TABLES = {rules: table_of(rules) for rules in RULES}
REFERENCE = FEATURE_NAMES[:7]
PILLARED = ([2, 0, 2, 4, 2, 1], [3, 0, 2, 4, 2, 1], [3, 0, 2, 5, 2, 4], [4, 1, 4, 1, 5, 2])


def features_of(
    columns: twin.Stacks, points: int, rules: Rules, limits: list[int] | None = None, laid: int = 0
) -> NDArray[np.float64]:
    board, table = board_of(twin.cells_of(columns, rules)), TABLES[rules]
    scales = np.zeros(SCALES)
    scales[WANTED_AT:VALUES_AT] = 1.0
    assert (
        weigh(board, links_of(board, int(table[LINKING_AT])), points, laid, packed(rules, limits), table, scales) == 0
    )
    return scales[VALUES_AT:]


def packed(rules: Rules, limits: list[int] | None = None) -> int:
    return limits_of(rules) if limits is None else sum(limit << 4 * column for column, limit in enumerate(limits))


def check(columns: twin.Stacks, points: int, rules: Rules) -> None:
    laid = len(coloured(columns))
    twin.resolve(columns, rules)  # what search sees is at rest
    features = features_of(columns, points, rules, laid=laid)
    expected = {name: slow(columns, rules) for name, slow in TWINS.items()} | {"points": points**0.5 / 100}
    expected["popped"] = popped(columns, rules, laid)
    assert set(expected) == set(FEATURE_NAMES)
    found = dict(zip(FEATURE_NAMES, features.tolist(), strict=True))
    assert found == pytest.approx(expected, abs=1e-5)
    assert all(-1e-9 <= found[name] <= 1 + 1e-9 for name in FEATURE_NAMES if name not in {"points", "potential"})


@settings(deadline=None, max_examples=20)
@given(st.data(), rules_tried, st.integers(0, 200_000))
def test_features_are_what_they_say(data: st.DataObject, rules: Rules, points: int) -> None:
    check(data.draw(stacks(rules)), points, rules)


@pytest.mark.jit
def test_features_of_random_fields() -> None:
    rng = np.random.default_rng(7)
    for index in range(100):
        rules = RULES[index % len(RULES)]
        check(random_stacks(rng, rules), int(rng.integers(100_000)), rules)


@settings(deadline=None, max_examples=20)
@given(st.data(), rules_tried)
def test_access_is_as_the_limits_say(data: st.DataObject, rules: Rules) -> None:
    columns = data.draw(stacks(rules))
    twin.resolve(columns, rules)
    limits = [data.draw(st.integers(2, rules.visible_rows - 1)) for _ in range(6)]
    assert features_of(columns, 0, rules, limits)[ACCESS] == pytest.approx(access(columns, rules, limits))


def test_an_empty_field_has_all_there_is_but_links_and_chains() -> None:
    found = dict(zip(FEATURE_NAMES, features_of([[]] * 6, 0, FAMICOM), strict=True))
    zero = {"color_runs", "links", "points", "potential", "popped"}
    assert 0 <= found.pop("chance") < 1
    assert found == {name: 0.0 if name in zero else 1.0 for name in FEATURE_NAMES if name != "chance"}


def value_of(board: Board, points: int, laid: int, vector: NDArray[np.float64]) -> float:
    table = TABLES[TSU]
    links = links_of(board, int(table[LINKING_AT]))
    return evaluate(board, links, points, laid, packed(TSU), table, scales_of(vector))


@settings(deadline=None, max_examples=20)
@given(st.data(), st.lists(st.sampled_from([0.0, 1.0, -2.5]), min_size=FEATURES, max_size=FEATURES))
@example(None, [1.0] * FEATURES)
def test_the_value_is_the_weighted_sum(data: st.DataObject | None, weights: list[float]) -> None:
    columns: twin.Stacks = [[1, 2], [3], [], [7], [1, 1], [2]] if data is None else data.draw(stacks(TSU))
    board = board_of(twin.cells_of(columns, TSU))
    vector = np.array(weights)
    value = value_of(board, 400, 70, vector)
    features = features_of(columns, 400, TSU, laid=70)
    assert features[POINTS] == pytest.approx(0.2)
    assert value == pytest.approx(float(vector @ features))


def test_pillars_at_a_wall_stand_above_their_only_neighbour() -> None:
    found = [features_of([[7] * height for height in heights], 0, FAMICOM)[PILLARS] for heights in PILLARED]
    assert found == pytest.approx([1.0, 1 - 1 / 3, 1 - 2 / 3, 0.0])


@pytest.mark.jit
def test_chance_is_spread_evenly_and_hangs_on_every_cell() -> None:
    rng = np.random.default_rng(3)
    found, moved = [], []
    for _ in range(2_000):
        columns = random_stacks(rng, FAMICOM)
        found.append(features_of(columns, 0, FAMICOM)[CHANCE])
        tallest = max(columns, key=len)
        tallest[-1] = tallest[-1] % 6 + 1
        moved.append(features_of(columns, 0, FAMICOM)[CHANCE])
    shares = np.histogram(found, bins=10, range=(0, 1))[0] / len(found)
    assert (abs(shares - 0.1) < 0.03).all()  # 4.5 deviations
    assert (np.array(found) != moved).all()
    assert abs(np.corrcoef(found, moved)[0, 1]) < 0.1


@pytest.mark.parametrize("following", [None, (1, 1)])
def test_popped_counts_what_the_locks_of_a_decision_popped(following: tuple[int, int] | None) -> None:
    only = np.zeros(FEATURES)
    only[POPPED] = 1.0
    cells, four = twin.cells_of([[1, 1], [], [], [7], [3], [2]], FAMICOM), 4 / cell_count(FAMICOM)
    beside_or_apart = np.array([[0, 1], [0, 5]])
    known = (following,) if following else ()
    popped_then = TwoPlies(FAMICOM, only).rank(Position(cells, (1, 1), known), beside_or_apart)[0]
    assert popped_then == pytest.approx([four, four if following else 0])
    assert TwoPlies(FAMICOM, only).rank(Position(cells, (2, 3)), beside_or_apart)[0].tolist() == [0, 0]


@settings(deadline=None, max_examples=30)
@given(st.data(), st.integers(0, 2**32 - 1))
def test_a_network_adds_to_the_weighted_sum(data: st.DataObject, seed: int) -> None:
    rng = np.random.default_rng(seed)
    inputs = rng.permutation(FEATURES)[: rng.integers(1, FEATURES + 1)]
    widths = [len(inputs), *rng.integers(1, 9, size=rng.integers(0, 3)).tolist(), 1]
    layers = [
        (rng.normal(size=(leaving, entering)), rng.normal(size=leaving)) for entering, leaving in pairwise(widths)
    ]
    linear = rng.normal(size=FEATURES) * rng.integers(0, 2, size=FEATURES)
    cells = [NETWORK, len(layers), len(inputs), *inputs]
    for rows, biases in layers:
        cells += [len(biases), *rows.ravel(), *biases]
    columns = data.draw(stacks(TSU))
    board, features = board_of(twin.cells_of(columns, TSU)), features_of(columns, 400, TSU, laid=70)
    signal = features[inputs]
    for rows, biases in layers[:-1]:
        signal = np.maximum(rows @ signal + biases, 0)
    [given_by_network] = layers[-1][0] @ signal + layers[-1][1]
    value = value_of(board, 400, 70, np.array([*linear, *cells], dtype=np.float64))
    assert value == pytest.approx(float(linear @ features + given_by_network))


def test_the_reference_weights_are_the_published_shares() -> None:
    vector = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    assert dict(zip(REFERENCE, vector.tolist(), strict=False)) == dict(
        zip(REFERENCE, (16, 25, 8, 8, 16, 2, 25), strict=True)
    )
    assert not vector[len(REFERENCE) :].any()
