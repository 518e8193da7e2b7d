"""Explored games of the textbook rules, lock by lock, against a slow twin; playing by value tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.errors import WeightsError
from emubot.games.tetris.evaluation.evaluation import player_of, value_of
from emubot.games.tetris.evaluation.features import FEATURES
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.evaluation.tuples import entries
from emubot.games.tetris.textbook import explore
from emubot.games.tetris.textbook.explore import explored
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.games.tetris.textbook.trials import TextbookTrial, textbook_trial
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.training.methods.dqn import Explorable
from emubot.training.methods.td import Tabular
from emubot.weight_parts import FeatureSet, NetworkLayer, Tables
from emubot.weights import Weights, load_weights
from tests.games.tetris.feature_twins import Grid
from tests.games.tetris.test_textbook_board import grids
from tests.games.tetris.test_tuples import entries_twin
from tests.games.tetris.textbook_twins import Dealer, drops, ranked, stacks_from

INPUTS = ("mf_holes", "bumpiness", "total_height", "rows_removed")
AT = [FEATURE_NAMES.index(name) for name in INPUTS]
RULES = TextbookRules(5, 8)
WEIGHTS = np.zeros(FEATURES)
WEIGHTS[[FEATURE_NAMES.index(name) for name in ("holes", "total_height", "rows_removed")]] = -3.0, -1.0, 2.0


def explored_twin(seed: int, epsilon: float, pieces: int) -> tuple[list[list[float]], list[float], list[int]]:
    rng = np.random.default_rng(seed)
    dealer = Dealer("uniform", rng)
    grid: Grid = np.zeros((RULES.rows, RULES.columns), dtype=np.bool_)
    features: list[list[float]] = []
    gains: list[float] = []
    ends: list[int] = []
    while True:
        piece = dealer.next()
        if rng.random() < epsilon:
            made = drops(grid, piece)
            drop = made[int(rng.integers(0, len(made)))]
        else:
            drop = ranked(grid, -1, (piece,), RULES, WEIGHTS, 1)[0][2]
        features.append([drop.feature(name) for name in INPUTS])
        gains.append(drop.of_lock["rows_removed"])
        ends.append(TERMINATED if drop.dead else TRUNCATED if len(ends) == pieces - 1 else RUNNING)
        if ends[-1] != RUNNING:
            return features, gains, ends
        grid = drop.grid


@pytest.mark.parametrize(("epsilon", "pieces"), [(0.0, 6), (0.0, 25), (0.3, 25), (1.0, 25)])
def test_every_lock_is_noted(epsilon: float, pieces: int) -> None:
    features, gains, ends, lines = explored(RULES, WEIGHTS, AT, [1, 2, 3], epsilon, pieces)
    twins = [explored_twin(seed, epsilon, pieces) for seed in (1, 2, 3)]
    assert features.tolist() == [row for twin in twins for row in twin[0]]
    assert gains.tolist() == [gain for twin in twins for gain in twin[1]]
    assert ends.tolist() == [end for twin in twins for end in twin[2]]
    assert lines.tolist() == [sum(twin[1]) for twin in twins]
    assert ends[ends != RUNNING].tolist() == [TRUNCATED if pieces == 6 else TERMINATED] * 3


@pytest.mark.parametrize("pieces", [1, 2, 3, 13])
def test_how_notes_are_cut_changes_nothing(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explored(RULES, WEIGHTS, AT, [5, 6], 0.2, pieces)
    monkeypatch.setattr(explore, "_FIRST_NOTES", 1)
    for one, other in zip(whole, explored(RULES, WEIGHTS, AT, [5, 6], 0.2, pieces), strict=True):
        assert np.array_equal(one, other)


def test_each_random_drop_is_as_likely() -> None:
    choice, rng = np.zeros(4, dtype=np.int64), np.random.default_rng(4)
    found: dict[tuple[int, ...], int] = {}
    for _ in range(3_400):
        explore.random_drop(rng, 0, 10, choice)
        key = tuple(choice[1:3].tolist())
        found[key] = found.get(key, 0) + 1
    empty: Grid = np.zeros((20, 10), dtype=np.bool_)
    assert sorted(found) == sorted((drop.orientation, drop.left) for drop in drops(empty, 0))
    assert 60 < min(found.values()) <= max(found.values()) < 145  # 34 drops, 100 each, four standard deviations


def tabled(trial: TextbookTrial, seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    size = entries(trial.rules.columns, trial.rules.rows)
    return trial.weights_of_tables(np.round(rng.normal(size=size), 3), 0.5)


@settings(deadline=None, max_examples=20)
@given(grids(), st.integers(0, 100))
def test_a_player_by_tables_values_a_board_as_the_twin(grid: Grid, removed: int) -> None:
    rows, columns = grid.shape
    trial = TextbookTrial(TextbookRules(columns, rows))
    weights = tabled(trial, 1)
    assert weights.tables is not None
    player = player_of(weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION, (columns, rows)))
    features = np.zeros(FEATURES)
    features[FEATURE_NAMES.index("rows_removed")] = removed
    own = sum(weights.tables.entries[entry] for entry in entries_twin(grid))
    assert value_of(stacks_from(grid), rows, features, player) == pytest.approx(0.5 * removed + own)


@pytest.mark.slow
def test_the_trial_is_what_the_trainers_ask_for() -> None:
    trial = textbook_trial({"board": "6x8", "cap_pieces": 30})
    assert isinstance(trial, Explorable)
    assert isinstance(trial, Tabular)
    known, lines, difference = trial.learn_tables(trial.fresh_tables(), 1, 500, 1.0, 0.9, 0.0)
    assert known.shape == (3, entries(6, 8))
    assert len(lines) > 5
    assert difference > 0
    games = trial.play([trial.weights_of_tables(known[0], 0.0)], [1, 2])
    assert games.tolist() == trial.play([trial.weights_of_tables(known[0], 0.0)], [1, 2]).tolist()
    layer = NetworkLayer(weights=((-1.0, -0.5, -1.0, 3.0),), biases=(0.0,))
    features = FeatureSet(version=FEATURE_VERSION, names=INPUTS)
    noted = trial.explore(Weights(game="tetris", features=features, network=(layer,)), [1, 2], 0.1, 20)
    assert [len(part) for part in noted][3] == 2
    assert noted[0].shape == (len(noted[1]), len(INPUTS))


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"version": 7}, "version 7, this emubot"), ({"entries": (1.0, 2.0)}, "have 2:"), ({"columns": 8}, "not of 6x8")],
)
def test_tables_that_do_not_fit_are_refused(changes: Any, said: str) -> None:
    trial = textbook_trial({"board": "6x8"})
    weights = tabled(trial, 2)
    assert weights.tables is not None
    wrong = weights.model_copy(update={"tables": Tables(**{**dict(weights.tables), **changes})})
    with pytest.raises(WeightsError, match=said):
        trial.play([wrong], [1])


def test_other_rules_refuse_tables() -> None:
    from emubot.games.tetris.trials.trials import trial

    weights = tabled(textbook_trial({}), 3)
    with pytest.raises(WeightsError, match="which these rules do not play by"):
        trial(2, "versus", {}).play([weights, weights], [1])
    assert load_weights("dellacherie").tables is None
