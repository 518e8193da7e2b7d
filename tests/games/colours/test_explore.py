"""Explored games of pairs, lock by lock, against a twin that plays slowly."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.colours.board.resolve import is_dead, links_of
from emubot.games.colours.board.words import board_of
from emubot.games.colours.evaluation.features import SCALES, VALUES_AT, WANTED_AT, weigh
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLORS, COLUMNS, Rules
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.games.colours.search.search import Position, TwoPlies, placements
from emubot.games.colours.search.two_plies import lock_cells
from emubot.games.colours.trials.explore import explored
from emubot.games.colours.trials.trials import PuyoTrial
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED
from emubot.tempo import tempo_for_speed
from emubot.training.methods.dqn import Explorable
from emubot.weight_parts import FeatureSet, NetworkLayer
from emubot.weights import Weights, load_weights
from tests.games.colours.boards import FAMICOM, TSU

INPUTS = ("links", "pillars", "total_height", "peak", "popped")
AT = [FEATURE_NAMES.index(name) for name in INPUTS]
REFERENCE = load_weights("reference").vector("puyo", FEATURE_NAMES, FEATURE_VERSION)

Noted = tuple[list[list[float]], list[float], list[int], int]


def colored(cells: np.ndarray) -> int:
    return int(np.isin(cells, range(1, COLORS + 1)).sum())


def explored_twin(rules: Rules, limits: int, seed: int, epsilon: float, pairs: int) -> Noted:
    rng, table = np.random.default_rng(seed), table_of(rules)
    dealt = rng.integers(1, rules.colors + 1, size=(pairs + 1, 2), dtype=np.uint8).tolist()
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    features: list[list[float]] = []
    gains: list[float] = []
    ends: list[int] = []
    score = 0
    for turn in range(pairs):
        current, following = (dealt[turn][0], dealt[turn][1]), (dealt[turn + 1][0], dealt[turn + 1][1])
        candidates = placements(cells, current, rules, limits)
        if rng.random() < epsilon:
            index = int(rng.integers(0, len(candidates)))
        else:
            index = (
                TwoPlies(rules, REFERENCE)
                .decide(Position(cells, current, (following,), limits=limits), candidates)
                .index
            )
        before = colored(cells) + 2
        orientation, column = candidates[index].tolist()
        _, points = lock_cells(cells, orientation, column, *current, table)
        board, own = board_of(cells), np.zeros(SCALES)
        own[WANTED_AT:VALUES_AT] = 1.0
        links = links_of(board, table[LINKING_AT])
        weigh(board, links, points, before, limits, table, own)
        features.append([float(own[VALUES_AT + at]) for at in AT])
        gains.append(float(before - colored(cells)))
        score += int(points)
        lost = bool(is_dead(board, table))
        ends.append(TERMINATED if lost else TRUNCATED if turn == pairs - 1 else RUNNING)
        if lost:
            break
    return features, gains, ends, score


@pytest.mark.jit
@pytest.mark.parametrize(("rules", "epsilon"), [(FAMICOM, 0.0), (FAMICOM, 0.4), (TSU, 1.0), (TSU, 0.2)])
@pytest.mark.parametrize("fast", [False, True])
def test_every_lock_is_noted(rules: Rules, epsilon: float, fast: bool) -> None:
    limits = limits_of(rules, tempo_for_speed(7), 1) if fast else limits_of(rules)
    features, gains, ends, scores = explored(rules, limits, REFERENCE, AT, [1, 2, 3], epsilon, 40)
    twins = [explored_twin(rules, limits, seed, epsilon, 40) for seed in (1, 2, 3)]
    np.testing.assert_allclose(features, [row for twin in twins for row in twin[0]], atol=1e-12)
    assert gains.tolist() == [gain for twin in twins for gain in twin[1]]
    assert ends.tolist() == [end for twin in twins for end in twin[2]]
    assert scores.tolist() == [twin[3] for twin in twins]
    assert (TERMINATED in ends, TRUNCATED in ends) == ((True, False) if fast else (epsilon == 1, True))
    if epsilon < 1 and not fast:
        assert gains.max() >= 4


def test_greedy_games_are_those_of_the_trial() -> None:
    trial = PuyoTrial(FAMICOM, 30)
    assert isinstance(trial, Explorable)
    features = FeatureSet(version=FEATURE_VERSION, names=INPUTS)
    layer = NetworkLayer(weights=((1.0, 0.1, 0.2, 3.0, 2.0),), biases=(0.0,))
    player = Weights(game="puyo", features=features, network=(layer,))
    played = trial.play([player], [4, 5])
    noted, _, ends, scores = trial.explore(player, [4, 5], 0.0, 30)
    assert scores.tolist() == played[:, trial.figures.index("score")].tolist()
    assert len(noted) == len(ends) == played[:, trial.figures.index("pieces")].sum()
