"""The trainer around an optimiser: any order of work, one result; the same when resumed; no curse on the winner."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.training.fitness import CHOOSING, MEASURING, SECOND_SEATS, TRAINING, Fitness, Race
from emubot.training.methods.battle import Battle, BattleSettings
from emubot.training.methods.ce import Ce, CeSettings
from emubot.training.methods.cmaes import CmaEs, CmaEsSettings
from emubot.training.methods.ga import Ga, GaSettings
from emubot.training.methods.ga_rank import GaRank, GaRankSettings
from emubot.training.methods.pso import Pso, PsoSettings
from emubot.training.optimiser import Optimiser
from emubot.training.population import PopulationTrainer
from emubot.training.trainer import Report, Trainer, TrainingTask
from emubot.trials.statistics import Sums
from emubot.trials.work import play_unit, seed_of
from tests.training.toy_trials import NAMES, TARGET, ToyContest, skill, toy_weights

SOLO = Fitness(ToyContest("toy", rules="quick", options={"cap_lines": 9}), NAMES, version=2, seed=3, games=20)
DUEL = Fitness(ToyContest("toy", sides=2), NAMES, version=2, seed=3, games=6, figure="win_rate")
RIVAL = toy_weights((1.0, -3.0, 1.0))
FINAL = replace(SOLO, games=100)

Make = Callable[[], PopulationTrainer]


def solo(optimiser: Optimiser, fitness: Fitness = SOLO, final: Fitness = FINAL) -> PopulationTrainer:
    return PopulationTrainer(optimiser, fitness, final, "toy-method", favourites=3)


def of_ga() -> PopulationTrainer:
    settings = GaSettings(population=10, tournament=3, low=-1, high=1)
    return solo(Ga(settings, 3, 1), replace(SOLO, shape="log"), replace(FINAL, shape="log", race=Race()))


def of_pso() -> PopulationTrainer:
    return solo(Pso(PsoSettings(particles=8, low=-1, high=1), 3, 1))


def of_ce() -> PopulationTrainer:
    return solo(Ce(CeSettings(population=20), 3, 1), replace(SOLO, race=Race(z=1.0), normalise=True))


def of_cmaes() -> PopulationTrainer:
    return solo(CmaEs(CmaEsSettings(), 3, 1), replace(SOLO, race=Race(z=1.0), shape="log", normalise=True))


def of_battle() -> PopulationTrainer:
    duel = replace(DUEL, opponent=RIVAL, against="rival", games=50)
    return solo(Battle(BattleSettings(population=12, low=-1), 3, 1), DUEL, duel)


def of_ga_rank() -> PopulationTrainer:
    return solo(GaRank(GaRankSettings(population=12, kept=4), 3, 1), replace(DUEL, figure="rounds"))


TRAINERS: list[Make] = [of_ga, of_pso, of_ce, of_battle, of_ga_rank]
if importlib.util.find_spec("cma") is not None:
    TRAINERS.append(of_cmaes)
ALL = pytest.mark.parametrize("made", TRAINERS)


def in_order(tasks: Sequence[TrainingTask]) -> list[Any]:
    return [task.work(task.argument) for task in tasks]


def shuffled(tasks: Sequence[TrainingTask]) -> list[Any]:
    """As workers do it: in any order, each from a copy that travelled."""
    results: list[Any] = [None] * len(tasks)
    for index in random.Random(1).sample(range(len(tasks)), len(tasks)):
        task = copy.deepcopy(tasks[index])
        results[index] = copy.deepcopy(task.work(task.argument))
    return results


def generations(
    trainer: Trainer, count: int, run: Callable[[Sequence[TrainingTask]], list[Any]] = in_order
) -> list[Report]:
    reports: list[Report] = []
    while len(reports) < count:
        report = trainer.tell(run(trainer.ask()))
        if report is not None:
            reports.append(report)
    return reports


@ALL
def test_the_order_of_work_changes_nothing(made: Make) -> None:
    one, other = made(), made()
    assert generations(one, 4) == generations(other, 4, shuffled)
    assert one.state() == other.state()
    assert one.champion(in_order(one.final())) == other.champion(shuffled(other.final()))


@ALL
def test_a_resumed_one_goes_on_exactly(made: Make) -> None:
    straight = made()
    reports = generations(straight, 5)
    cut = made()
    generations(cut, 2)
    if cut.fitness.race:
        assert cut.tell(in_order(cut.ask())) is None, "killed within a generation"
    kept = json.loads(json.dumps(cut.state(), allow_nan=False))
    resumed = made().resumed(kept)
    assert resumed.generation == 2
    assert generations(resumed, 3) == reports[2:]
    assert json.dumps(resumed.state()) == json.dumps(straight.state())
    results = in_order(straight.final())
    assert resumed.champion(results) == straight.champion(results)


@ALL
def test_it_learns_and_says_what_came_of_it(made: Make) -> None:
    trainer = made()
    skills = [skill(np.array(one.values)) for one in trainer.individuals()]
    reports = generations(trainer, 15)
    assert [report.generation for report in reports] == list(range(1, 16))
    champion = trainer.champion(in_order(trainer.final()))
    assert skill(np.array(champion.values)) > max(0.55, sum(skills) / len(skills) + 0.3)
    told = champion.provenance
    assert told.seed == 3
    assert told.games == sum(report.games for report in reports)
    assert told.method is not None
    assert told.method.startswith("toy-method, 15 generations; ")
    (result,) = told.results
    assert result.low95 < result.mean < result.high95
    assert result.figure == trainer.final_fitness.counted()


def test_a_report_is_the_mean_of_the_same_games_for_all() -> None:
    trainer = of_pso()
    vectors = [np.array(one.values) for one in trainer.individuals()]
    (report,) = generations(trainer, 1)
    trial = SOLO.contest.trial()
    seeds = [seed_of(3, TRAINING + number) for number in range(20)]
    by_hand = [trial.play([toy_weights(vector.tolist())], seeds)[:, 0].mean() for vector in vectors]
    assert report.fitness == tuple(by_hand)
    assert report.games == 8 * 20
    assert report.figures["best"] == max(by_hand)
    assert report.figures["mean"] == pytest.approx(np.mean(by_hand))
    half = 1.959964 * np.std(by_hand, ddof=1) / np.sqrt(8)
    assert report.figures["low95"] == pytest.approx(np.mean(by_hand) - half, rel=1e-6)
    assert report.figures["high95"] == pytest.approx(np.mean(by_hand) + half, rel=1e-6)
    assert report.weights == tuple(vectors[int(np.argmax(by_hand))])


def test_each_generation_plays_new_games() -> None:
    trainer = of_pso()
    first = {task.argument.first for task in trainer.ask()}
    assert first == {TRAINING, TRAINING + 5, TRAINING + 10, TRAINING + 15}
    generations(trainer, 1)
    assert {task.argument.first for task in trainer.ask()} == {number + 20 for number in first}
    assert sum(task.games for task in trainer.ask()) == 8 * 20


def test_of_a_couple_each_counts_the_games_it_began() -> None:
    trainer = of_battle()
    couples = trainer.optimiser.ask().couples
    people = trainer.individuals()
    expected = [0.0] * 12
    for one, other in couples:
        for first, second, begin in ((one, other, TRAINING), (other, one, TRAINING + SECOND_SEATS)):
            (unit,) = replace(DUEL, portion=6).units((people[first], people[second]), begin, begin + 6)
            expected[first] += play_unit(unit).mean
    (report,) = generations(trainer, 1)
    assert report.fitness == pytest.approx(expected)
    assert report.games == 12 * 6


def test_who_meets_several_is_measured_over_all_of_them() -> None:
    (report,) = generations(of_ga_rank(), 1)
    assert report.games == 12 * 3 * 6


def test_a_race_spares_games_and_finds_the_same_best() -> None:
    def best(race: Race | None) -> tuple[int, int]:
        optimiser = Ce(CeSettings(population=30), 3, 2)
        (report,) = generations(solo(optimiser, replace(SOLO, games=40, race=race)), 1)
        return int(np.argmax(report.fitness)), report.games

    (all_best, all_games), (raced_best, raced_games) = best(None), best(Race())
    assert all_games == 30 * 40
    assert raced_games < 0.9 * all_games
    assert raced_best == all_best


def test_the_games_that_tell_did_not_choose() -> None:
    """Many equal favourites: the luckiest is chosen, and what is told of it is no luckier than what it is worth."""
    optimiser = Ga(GaSettings(population=60, tournament=2, mutation_size=0.0, low=0.999, high=1.0), 3, 1)
    trainer = PopulationTrainer(optimiser, SOLO, replace(SOLO, games=20), "toy-method", favourites=40)
    tasks = trainer.final()
    assert {task.argument.first for task in tasks} == {CHOOSING, CHOOSING + 3, CHOOSING + 6, CHOOSING + 9} | {
        MEASURING,
        MEASURING + 3,
        MEASURING + 6,
        MEASURING + 9,
    }
    assert sum(task.games for task in tasks) == 40 * 20

    def fake(lucky: int) -> list[Sums]:
        """Everyone is worth 10 +- 2 in the games that tell; one was lucky in those that choose."""
        favourites = [task.argument.players[0].values for task in tasks]
        order = list(dict.fromkeys(favourites))
        return [
            Sums(900, 90 * 9000, 90)
            if task.argument.first >= MEASURING
            else Sums(90 * (50 if favourites[index] == order[lucky] else 5), 0, 90)
            for index, task in enumerate(tasks)
        ]

    for lucky in (0, 17):
        champion = trainer.champion(fake(lucky))
        assert champion.values == tuple(optimiser.favourites(40)[lucky])
        assert champion.provenance.results[0].mean == 10


def test_one_favourite_needs_no_choice_and_equal_ones_are_one() -> None:
    optimiser = Ga(GaSettings(population=4, tournament=2), 3, 1)
    trainer = PopulationTrainer(optimiser, SOLO, FINAL, "toy-method", favourites=1)
    assert {task.argument.first >= MEASURING for task in trainer.final()} == {True}
    assert sum(task.games for task in trainer.final()) == 100
    champion = trainer.champion(in_order(trainer.final()))
    (result,) = champion.provenance.results
    assert result.settings == "toy, rules quick, cap lines 9; 100 games on seeds that chose nothing"
    optimiser._best = np.repeat(optimiser._best[:1], 4, axis=0)
    same = PopulationTrainer(optimiser, SOLO, FINAL, "toy-method", favourites=4)
    assert sum(task.games for task in same.final()) == 100


def test_the_end_is_told_in_the_figure_itself() -> None:
    trainer = of_ga()
    generations(trainer, 3)
    (result,) = trainer.champion(in_order(trainer.final())).provenance.results
    assert result.figure == "lines"
    assert result.mean > 20, "lines, not their logarithm"


def test_an_opponent_is_named() -> None:
    trainer = of_battle()
    assert {task.argument.players[1] for task in trainer.final()} == {RIVAL}
    champion = trainer.champion(in_order(trainer.final()))
    assert "against rival; 25 games" in str(champion.provenance.results[0].settings)
    assert str(champion.provenance.method).endswith("toy, rules textbook, against each other")
    alone = solo(Ce(CeSettings(population=4, elite=0.5), 3, 1), replace(DUEL, opponent=RIVAL))
    assert {task.argument.players[1] for task in alone.ask()} == {RIVAL}
    unnamed = solo(Ce(CeSettings(population=4, elite=0.5), 3, 1), SOLO, replace(DUEL, opponent=RIVAL))
    champion = unnamed.champion(in_order(unnamed.final()))
    assert "against weights that were given" in str(champion.provenance.results[0].settings)


def test_normalised_vectors_play_and_are_exported_so() -> None:
    trainer = of_ce()
    assert [np.linalg.norm(one.values) for one in trainer.individuals()] == pytest.approx([1.0] * 20)
    (report,) = generations(trainer, 1)
    assert np.linalg.norm(report.weights) == pytest.approx(1.0)
    assert np.linalg.norm(trainer.champion(in_order(trainer.final())).values) == pytest.approx(1.0)


def test_two_processes_come_to_the_same() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        trainer, twin = of_battle(), of_battle()

        def spread(tasks: Sequence[TrainingTask]) -> list[Any]:
            return list(pool.map(play_unit, [task.argument for task in tasks]))

        assert generations(trainer, 2, spread) == generations(twin, 2)


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (lambda: solo(Battle(BattleSettings(population=4), 3, 1), SOLO, FINAL), "lets couples play: choose a contest"),
        (
            lambda: solo(Battle(BattleSettings(population=4), 3, 1), replace(DUEL, games=20, race=Race()), FINAL),
            "leave the race out",
        ),
        (lambda: solo(Battle(BattleSettings(population=4), 3, 1), DUEL, DUEL), "needs an opponent"),
        (lambda: solo(Ga(GaSettings(), 3, 1), DUEL, FINAL), "needs an opponent"),
        (lambda: solo(Ga(GaSettings(), 3, 1), replace(SOLO, figure="score"), FINAL), "choose one of lines, pieces"),
        (lambda: solo(Ga(GaSettings(), 3, 1), SOLO, replace(FINAL, figure="score")), "choose one of lines, pieces"),
        (lambda: solo(Ga(GaSettings(), 3, 1), SOLO, replace(FINAL, games=3)), "games of each favourite"),
        (lambda: PopulationTrainer(Ga(GaSettings(), 3, 1), SOLO, FINAL, "ga", favourites=0), "number of favourites"),
    ],
)
def test_what_does_not_fit_is_refused(made: Make, word: str) -> None:
    with pytest.raises(UsageError, match=word):
        made()


def test_a_result_too_few_is_no_generation() -> None:
    trainer = of_pso()
    with pytest.raises(ValueError, match="shorter"):
        trainer.tell(in_order(trainer.ask())[:-1])


def test_the_target_is_what_the_toy_wants() -> None:
    assert skill(TARGET) == pytest.approx(1.0)
