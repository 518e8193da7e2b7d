"""Features against their slow, obvious twins; the published weights."""

from __future__ import annotations

import field_twin as twin
import numpy as np
import pytest
from boards import FAMICOM, RULES, TSU, random_stacks, rules_tried, stacks
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pairs_feature_twins import TWINS, access

from emubot.games.puyo.board import board_of
from emubot.games.puyo.entry import limits_of
from emubot.games.puyo.features import ACCESS, FEATURE_NAMES, FEATURE_VERSION, FEATURES, POINTS, evaluate, fill_features
from emubot.games.puyo.resolve import links_of
from emubot.games.puyo.rules import Rules
from emubot.games.puyo.scoring import LINKING_AT, table_of
from emubot.weights import load_weights

TABLES = {rules: table_of(rules) for rules in RULES}
REFERENCE = FEATURE_NAMES[:7]


def features_of(
    columns: twin.Stacks, points: int, rules: Rules, limits: list[int] | None = None
) -> NDArray[np.float64]:
    board = board_of(twin.cells_of(columns, rules))
    features = np.full(FEATURES, np.nan)
    fill_features(
        board, links_of(board, int(TABLES[rules][LINKING_AT])), points, packed(rules, limits), TABLES[rules], features
    )
    return features


def packed(rules: Rules, limits: list[int] | None = None) -> int:
    return limits_of(rules) if limits is None else sum(limit << 4 * column for column, limit in enumerate(limits))


def check(columns: twin.Stacks, points: int, rules: Rules) -> None:
    twin.resolve(columns, rules)  # what search sees is at rest
    features = features_of(columns, points, rules)
    expected = {name: slow(columns, rules) for name, slow in TWINS.items()} | {"points": points**0.5 / 100}
    assert set(expected) == set(FEATURE_NAMES)
    found = dict(zip(FEATURE_NAMES, features.tolist(), strict=True))
    assert found == pytest.approx(expected, abs=1e-5)
    assert all(-1e-9 <= found[name] <= 1 + 1e-9 for name in FEATURE_NAMES if name not in {"points", "potential"})


@settings(deadline=None, max_examples=40)
@given(st.data(), rules_tried, st.integers(0, 200_000))
def test_features_are_what_they_say(data: st.DataObject, rules: Rules, points: int) -> None:
    check(data.draw(stacks(rules)), points, rules)


@pytest.mark.jit
def test_features_of_random_fields() -> None:
    rng = np.random.default_rng(7)
    for index in range(300):
        rules = RULES[index % len(RULES)]
        check(random_stacks(rng, rules), int(rng.integers(100_000)), rules)


@settings(deadline=None, max_examples=40)
@given(st.data(), rules_tried)
def test_access_is_as_the_limits_say(data: st.DataObject, rules: Rules) -> None:
    columns = data.draw(stacks(rules))
    twin.resolve(columns, rules)
    limits = [data.draw(st.integers(2, rules.visible_rows - 1)) for _ in range(6)]
    assert features_of(columns, 0, rules, limits)[ACCESS] == pytest.approx(access(columns, rules, limits))


def test_an_empty_field_has_all_there_is_but_links_and_chains() -> None:
    found = dict(zip(FEATURE_NAMES, features_of([[]] * 6, 0, FAMICOM), strict=True))
    zero = {"color_runs", "links", "points", "potential"}
    assert found == {name: 0.0 if name in zero else 1.0 for name in FEATURE_NAMES}


@settings(deadline=None)
@given(st.data(), st.lists(st.sampled_from([0.0, 1.0, -2.5]), min_size=FEATURES, max_size=FEATURES))
@example(None, [1.0] * FEATURES)
def test_the_value_is_the_weighted_sum(data: st.DataObject | None, weights: list[float]) -> None:
    columns: twin.Stacks = [[1, 2], [3], [], [7], [1, 1], [2]] if data is None else data.draw(stacks(TSU))
    board = board_of(twin.cells_of(columns, TSU))
    vector = np.array(weights)
    value = evaluate(board, links_of(board, int(TABLES[TSU][LINKING_AT])), 400, packed(TSU), TABLES[TSU], vector)
    features = features_of(columns, 400, TSU)
    assert features[POINTS] == pytest.approx(0.2)
    assert value == pytest.approx(float(vector @ features))


def test_the_reference_weights_are_the_published_shares() -> None:
    vector = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)
    assert dict(zip(REFERENCE, vector.tolist(), strict=False)) == dict(
        zip(REFERENCE, (16, 25, 8, 8, 16, 2, 25), strict=True)
    )
    assert not vector[len(REFERENCE) :].any()
