"""Learning value tables: what learners know together, a chain learnt to its true values, resuming, refusing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.trial import Settings
from emubot.training.fitness import Fitness, Race
from emubot.training.methods.td import Known, TdSettings, TdTrainer, merged
from emubot.training.trainer import Report
from emubot.trials.evaluation.contest import Contest
from emubot.weight_parts import FeatureSet, Tables
from emubot.weights import Weights
from tests.training.toy_trials import ToyContest

STATES = 5
SETTINGS = TdSettings(learners=3, pieces=300, rate=0.1, gamma=1.0, check_every=2)


class ChainTrial:
    """Steps to the left or right by chance from the middle of a row; who leaves it on the right has won 1 point.

    The worth of the n-th of five states is n / 6. A player is worth the more the nearer its table comes to that.
    """

    sides = 1
    figures = ("points", "luck")

    @property
    def settings(self) -> Settings:
        return {"rules": "chain"}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        (player,) = players
        entries = player.vector("chain", ("steps",), 1, board=(STATES, 1))[5:]
        wrong = np.abs(entries - np.arange(1, STATES + 1) / 6).sum()
        return np.array([[int(1000 * (5 - wrong)) + seed % 3, seed % 3] for seed in seeds], dtype=np.int64)

    def warm_up(self) -> None:
        """Nothing is compiled."""

    def fresh_tables(self) -> Known:
        return np.zeros((3, STATES))

    def learn_tables(
        self, known: Known, seed: int, pieces: int, rate: float, gamma: float, line_reward: float
    ) -> tuple[Known, NDArray[np.int64], float]:
        rng, own = np.random.default_rng(seed), known.copy()
        state, won, sizes = STATES // 2, [0], 0.0
        for _ in range(pieces):
            after = state + int(rng.choice([-1, 1]))
            over = not 0 <= after < STATES
            difference = (float(after == STATES) if over else gamma * own[0, after]) - own[0, state]
            own[:, state] += rate * difference, difference, abs(difference)
            sizes += abs(difference)
            if over:
                won[-1] += after == STATES
                won.append(0)
            state = STATES // 2 if over else after
        return own, np.array(won), sizes / pieces

    def weights_of_tables(self, values: NDArray[np.float64], line_reward: float) -> Weights:
        tables = Tables(version=1, columns=STATES, rows=1, entries=tuple(values.tolist()))
        features = FeatureSet(version=1, names=("steps",))
        return Weights(game="chain", features=features, values=(line_reward,), tables=tables)


class ChainContest(Contest):
    __slots__ = ()

    def trial(self) -> Any:
        return ChainTrial()


FITNESS = Fitness(ChainContest("chain"), ("steps",), 1, 7, 4)


def trainer(settings: TdSettings = SETTINGS, fitness: Fitness = FITNESS) -> TdTrainer:
    return TdTrainer(settings, fitness, replace(fitness, games=20))


def trained(at_work: TdTrainer, generations: int) -> list[Report]:
    return [at_work.tell([task.work(task.argument) for task in at_work.ask()]) for _ in range(generations)]


def champion(at_work: TdTrainer) -> Weights:
    return at_work.champion([task.work(task.argument) for task in at_work.final()])


def test_a_chain_is_learnt_to_its_true_values() -> None:
    at_work = trainer()
    reports = trained(at_work, 12)
    entries = at_work.current().tables
    assert entries is not None
    np.testing.assert_allclose(entries.entries, np.arange(1, 6) / 6, atol=0.08)
    assert [report.generation for report in reports] == list(range(1, 13))
    # Three learners' games, and from generation 2 on every second time four of a check.
    assert [report.games > len(report.fitness) for report in reports] == [True] * 12
    assert ["kept" in report.figures for report in reports] == [False, False] + [True] * 10
    kept = [report.figures["kept"] for report in reports[2:]]
    assert kept == sorted(kept), "a snapshot is only replaced by one that played better"
    assert kept[0] < kept[-1]


def test_who_is_kept_plays_in_the_end_and_is_measured_on_fresh_seeds() -> None:
    at_work = trainer()
    trained(at_work, 7)
    found = champion(at_work)
    (result,) = found.provenance.results
    assert found.provenance.games == sum(report.games for report in trained(trainer(), 7))
    assert result.low95 <= result.mean <= result.high95
    assert result.settings is not None
    assert "10 games on seeds that chose nothing" in result.settings
    assert found.tables is not None
    chosen = [task.argument for task in at_work.final()]
    assert len({portion.players for portion in chosen}) == 2
    firsts = {portion.first for portion in chosen} | {
        portion.first for task in at_work._checks() for portion in [task.argument]
    }
    assert len(firsts) > 2


def test_before_any_check_the_tables_as_they_are_are_measured_by_all_games() -> None:
    found = champion(trainer())
    assert found.provenance.results[0].settings == "chain, rules chain; 20 games on seeds that chose nothing"


def test_resumed_it_is_the_uninterrupted_one() -> None:
    whole, first = trainer(), trainer()
    reports = trained(whole, 9)
    begun = trained(first, 4)
    first.ask()  # a generation that is under way when the run ends is nobody's
    second = trainer(TdSettings()).resumed(json.loads(json.dumps(first.state())))
    assert begun + trained(second, 5) == reports
    assert json.dumps(second.state()) == json.dumps(whole.state())
    assert champion(second) == champion(whole)


def test_the_order_of_results_is_that_of_the_tasks_and_batches_differ() -> None:
    at_work = trainer()
    trained(at_work, 1)
    seeds = [task.argument.seed for task in at_work.episode_batches()]
    assert len(set(seeds)) == 3
    again = [task.argument.seed for task in at_work.episode_batches()]
    assert again == seeds
    trained(at_work, 1)
    assert not set(seeds) & {task.argument.seed for task in at_work.episode_batches()}
    assert at_work.individuals() == [at_work.current()]


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_what_learners_know_together(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    before = np.round(rng.normal(size=(3, 6)), 3)
    before[2] = np.abs(before[2])
    learners = []
    for _ in range(count):
        own = before.copy()
        for entry in np.flatnonzero(rng.random(6) < 0.6).tolist():
            own[:, entry] += rng.normal(), rng.normal(), abs(rng.normal())
        learners.append(own)
    found = merged(before, learners)
    for entry in range(6):
        learnt = [own[2, entry] - before[2, entry] for own in learners]
        values = [own[0, entry] for own in learners]
        expected = before[0, entry]
        if sum(learnt) > 0:
            expected = sum(a * b for a, b in zip(learnt, values, strict=True)) / sum(learnt)
        assert found[0, entry] == pytest.approx(expected, abs=1e-6)
        assert found[2, entry] == pytest.approx(before[2, entry] + sum(learnt), abs=1e-3)
        together = before[1, entry] + sum(own[1, entry] - before[1, entry] for own in learners)
        assert found[1, entry] == pytest.approx(together, abs=1e-3)
    assert np.array_equal(found, np.concatenate([np.round(found[:1], 6), np.round(found[1:], 3)]))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="only the rules textbook have"):
        trainer(fitness=replace(FITNESS, contest=ToyContest("toy")))
    with pytest.raises(UsageError, match="number of games of each favourite"):
        TdTrainer(SETTINGS, FITNESS, replace(FITNESS, games=3))
    with pytest.raises(UsageError, match="td has no candidates that could race"):
        trainer(fitness=replace(FITNESS, games=20, race=Race(2)))
    with pytest.raises(UsageError, match="no figure 'lines'"):
        trainer(fitness=replace(FITNESS, figure="lines"))
    with pytest.raises(UsageError, match="td learns from brings points, and so do its checks: leave out"):
        trainer(fitness=replace(FITNESS, figure="luck"))
    for wrong in ({"learners": 0}, {"pieces": 0}, {"gamma": 1.5}, {"rate": -1.0}, {"line_reward": float("nan")}):
        with pytest.raises(UsageError):
            TdSettings(**wrong)
    with pytest.raises(UsageError, match="from one check to the next"):
        trainer(replace(SETTINGS, check_every=0))
