"""Deep Q: targets by a slow twin, the network against the library's, learning a toy, resuming, refusing."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.network import network, scratch_for
from emubot.games.trial import RUNNING, TERMINATED, TRUNCATED, Settings
from emubot.training.fitness import Fitness
from emubot.training.methods.dqn import DqnSettings, DqnTrainer, targets
from emubot.training.methods.dqn_network import Fitting, first_layers, fitted, output, scaled, unscaled
from emubot.training.methods.memory import Experience, joined, nothing, remembered
from emubot.training.trainer import Report
from emubot.trials.evaluation.contest import Contest
from emubot.weights import Weights, parse_weights
from tests.training.toy_trials import ToyContest

sklearn = pytest.importorskip("sklearn.neural_network")
NAMES = ("far", "noise", "found")
SMALL = DqnSettings(
    hidden=(8,),
    memory=300,
    begin=100,
    epochs=2,
    sample=200,
    gamma=0.5,
    averaging=0.5,
    games=3,
    pieces=12,
    falling=10,
    check_every=3,
)


class WalkTrial:
    """A walk on a row of places: step by step to the right or left, each place is worth something once, 9 is a fall."""

    sides = 1
    figures = ("found",)

    @property
    def settings(self) -> Settings:
        return {"rules": "walk"}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        return self.explore(players[0], seeds, 0.0, 12)[3].reshape(-1, 1)

    def warm_up(self) -> None:
        """Nothing is compiled."""

    def explore(
        self, player: Weights, seeds: Sequence[int], epsilon: float, pieces: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        weights = player.vector("walk", NAMES, 1)
        scratch = scratch_for(weights, len(NAMES))
        features, gains, ends, brought = [], [], [], []
        for seed in seeds:
            rng, place, seen = np.random.default_rng(seed), 6, {6}
            brought.append(0)
            for number in range(pieces):
                moves = []
                for after in (place - 1, place + 1):
                    moves.append((max(after, 0), [after / 10, rng.random(), float(after not in seen)]))
                values = [network(np.array(seen_then), weights, len(NAMES), scratch) for _, seen_then in moves]
                index = int(rng.integers(2)) if rng.random() < epsilon else int(np.argmax(values))
                place, noted = moves[index]
                gain = int(place not in seen)
                seen.add(place)
                brought[-1] += gain
                features.append(noted)
                gains.append(float(gain))
                ends.append(TERMINATED if place == 9 else TRUNCATED if number == pieces - 1 else RUNNING)
                if place == 9:
                    break
        return np.array(features), np.array(gains), np.array(ends), np.array(brought)


class WalkContest(Contest):
    __slots__ = ()

    def trial(self) -> Any:
        return WalkTrial()


FITNESS = Fitness(WalkContest("walk"), NAMES, 1, 5, 6)


def trainer(settings: DqnSettings = SMALL) -> DqnTrainer:
    return DqnTrainer(settings, FITNESS, replace(FITNESS, games=12))


def trained(at_work: DqnTrainer, generations: int) -> list[Report]:
    return [at_work.tell([task.work(task.argument) for task in at_work.ask()]) for _ in range(generations)]


@st.composite
def experiences(draw: st.DrawFn) -> Experience:
    """Some whole games."""
    sizes = draw(st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=5))
    ends = [end for size, lost in sizes for end in [RUNNING] * (size - 1) + [TERMINATED if lost else TRUNCATED]]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    gains = rng.integers(0, 5, len(ends)).astype(np.float64)
    return Experience(rng.normal(size=(len(ends), 2)), gains, np.array(ends, dtype=np.int64))


@given(experiences(), st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 1.0]))
def test_what_a_lock_is_worth(memory: Experience, seed: int, trace: float) -> None:
    values = np.random.default_rng(seed).normal(size=len(memory))
    found = targets(memory, values, DqnSettings(gamma=0.75, trace=trace))

    def worth(index: int) -> float:
        """Spelled out: by the network's word after one, two, ... locks, each counting less, the last one the rest."""
        earned, share, discount, total = 0.0, 1.0, 1.0, 0.0
        while memory.ends[index] == RUNNING:
            earned += discount * (1 + 2 * memory.gains[index])
            index, discount = index + 1, 0.75 * discount
            total += share * (1 - trace) * (earned + discount * values[index])
            share *= trace
        end = -5.0 if memory.ends[index] == TERMINATED else values[index]
        return total + share * (earned + discount * end)

    for index in memory.learnable().tolist():
        assert found[index] == pytest.approx(worth(index))
    assert TRUNCATED not in memory.ends[memory.learnable()]
    assert len(memory.learnable()) == len(memory) - (memory.ends == TRUNCATED).sum()


@given(st.lists(experiences(), min_size=1, max_size=4), st.integers(1, 20))
def test_memory_keeps_the_last_in_order_and_comes_back_from_json(parts: list[Experience], most: int) -> None:
    kept = joined([nothing(2), *parts]).latest(most)
    rows = [row for part in parts for row in np.round(part.features, 6).tolist()]
    assert kept.features.tolist() == rows[-most:]
    assert kept.ends[-1] != RUNNING, "the lock after one whose game goes on is there"
    again = remembered(json.loads(json.dumps(kept.plain())), 2)
    assert [np.array_equal(getattr(again, name), getattr(kept, name)) for name in Experience.__slots__] == [True] * 3


def test_the_network_is_the_librarys() -> None:
    rng = np.random.default_rng(3)
    inputs, wanted = rng.normal(size=(90, 4)), rng.normal(size=90)
    layers = first_layers((4, 7, 5, 1), rng)
    found, loss = fitted(layers, inputs, wanted, Fitting(0.001, epochs=4, batch=16), 11)
    twin = sklearn.MLPRegressor(hidden_layer_sizes=(7, 5), batch_size=16, max_iter=4, random_state=11, warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        twin.fit(inputs, wanted)
        twin.coefs_ = [weights.T.copy() for weights, _ in layers]
        twin.intercepts_ = [biases.copy() for _, biases in layers]
        twin.fit(inputs, wanted)
    pairs = zip(twin.coefs_, twin.intercepts_, strict=True)
    np.testing.assert_array_equal(output(found, inputs), output([(c.T, b) for c, b in pairs], inputs))
    np.testing.assert_allclose(output(found, inputs), twin.predict(inputs), atol=1e-12)
    assert loss == twin.loss_
    assert not np.array_equal(layers[0][0], found[0][0]), "what it was made from is left alone"


@given(st.integers(0, 2**32))
def test_scales_change_no_network(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers = first_layers((3, 6, 1), rng)
    inputs, aims = (rng.normal(size=3), rng.uniform(0.1, 9, 3)), (rng.normal(size=()), rng.uniform(0.1, 9, ()))
    rows = rng.normal(size=(7, 3))
    there = scaled(layers, inputs, aims)
    given_then = output(there, (rows - inputs[0]) / inputs[1])
    np.testing.assert_allclose(given_then, (output(layers, rows) - aims[0]) / aims[1], atol=1e-9)
    np.testing.assert_allclose(output(unscaled(there, inputs, aims), rows), output(layers, rows), atol=1e-9)


def test_what_is_exported_plays_as_the_network_that_learnt() -> None:
    at_work = trainer()
    trained(at_work, 12)
    assert at_work._learns
    weights = parse_weights(at_work.current().model_dump_json(exclude_defaults=True), "here")
    vector = weights.vector("walk", NAMES, 1)
    scratch = scratch_for(vector, len(NAMES))
    rows = at_work._memory.features[-40:]
    played = [network(row, vector, len(NAMES), scratch) for row in rows]
    np.testing.assert_allclose(played, output(at_work._mean, rows), atol=1e-9)


def test_it_learns_to_walk_away_from_the_edge() -> None:
    at_work = trainer()
    reports = trained(at_work, 40)
    assert [report.figures["loss"] > 0 for report in reports[:2]] == [False, False], (
        "nothing is learnt before 100 locks"
    )
    assert reports[-1].figures["kept"] >= 5, "all to the left of the start"
    assert reports[-1].figures["epsilon"] == 0
    assert {"best", "mean", "low95", "high95", "moves", "score", "epsilon", "loss"} <= set(reports[0].figures)
    found = at_work.champion([task.work(task.argument) for task in at_work.final()])
    (result,) = found.provenance.results
    assert result.mean >= 5
    assert result.figure == "found"
    assert found.network


def test_the_share_of_random_moves_falls_evenly() -> None:
    told = DqnSettings(first_epsilon=0.9, last_epsilon=0.1, falling=4)
    assert [round(told.epsilon(generation), 6) for generation in range(6)] == [0.9, 0.7, 0.5, 0.3, 0.1, 0.1]


def test_published_settings() -> None:
    told = DqnSettings()
    assert (told.hidden, told.memory, told.begin, told.batch, told.epochs) == ((32, 32), 10_000, 5_000, 32, 3)
    assert (told.lock_reward, told.clear_reward, told.loss_reward) == (1.0, 2.0, -5.0)


def test_a_running_mean_of_networks_plays() -> None:
    at_work = trainer(replace(SMALL, averaging=0.75))
    trained(at_work, 11)
    before, _ = at_work._mean, trained(at_work, 1)
    for (mean, bias), (old, old_bias), (new, new_bias) in zip(at_work._mean, before, at_work._layers, strict=True):
        np.testing.assert_allclose(mean, 0.75 * old + 0.25 * new)
        np.testing.assert_allclose(bias, 0.75 * old_bias + 0.25 * new_bias)


@pytest.mark.parametrize("after", [2, 9])
def test_resumed_it_is_the_uninterrupted_one(after: int) -> None:
    whole, first = trainer(), trainer()
    reports = trained(whole, 16)
    begun = trained(first, after)
    second = trainer().resumed(json.loads(json.dumps(first.state())))
    assert begun + trained(second, 16 - after) == reports
    assert json.dumps(second.state()) == json.dumps(whole.state())


def test_other_seeds_play_other_games() -> None:
    at_work = trainer()
    seeds = [task.argument.seeds for task in at_work.episode_batches()]
    assert len(set(seeds)) == 3
    assert [task.argument.seeds for task in at_work.episode_batches()] == seeds
    trained(at_work, 1)
    assert not set(seeds) & {task.argument.seeds for task in at_work.episode_batches()}


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="choose --rules textbook, or pairs"):
        DqnTrainer(SMALL, replace(FITNESS, contest=ToyContest("toy")), FITNESS)
    wrong: list[dict[str, Any]] = [
        {"hidden": ()},
        {"hidden": (0,)},
        {"memory": 1},
        {"begin": 20_000},
        {"batch": 0},
        {"epochs": 0},
        {"sample": 0},
        {"gamma": 1.1},
        {"trace": -0.1},
        {"averaging": 1.0},
        {"loss_reward": float("inf")},
        {"learning_rate": 0.0},
        {"games": 0},
        {"pieces": 1},
        {"first_epsilon": -0.1},
        {"last_epsilon": 2.0},
        {"falling": 0},
    ]
    for one in wrong:
        with pytest.raises(UsageError):
            DqnSettings(**one)


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(UsageError, match=r"dqn needs scikit-learn .*'scikit-learn>="):
        trainer()


def test_only_the_warning_that_is_meant_is_kept_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sklearn.MLPRegressor

    class Warns(real):  # type: ignore[misc, valid-type]
        def fit(self, rows: Any, wanted: Any) -> Any:
            warnings.warn("something else", UserWarning, stacklevel=1)
            return super().fit(rows, wanted)

    monkeypatch.setattr(sklearn, "MLPRegressor", Warns)
    layers = first_layers((2, 3, 1), np.random.default_rng(1))
    with pytest.warns(UserWarning, match="something else") as told:
        fitted(layers, np.ones((40, 2)), np.ones(40), Fitting(0.001, 3, 32), 1)
    assert len(told) == 1
