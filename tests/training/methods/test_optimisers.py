"""The optimisers of emubot/training: what was published of each, by hand; learning, resuming, refusing."""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import CheckpointError, UsageError
from emubot.training.methods import ga, ga_rank
from emubot.training.methods.battle import Battle, BattleSettings, child
from emubot.training.methods.ce import Ce, CeSettings, fitted
from emubot.training.methods.cmaes import CmaEs, CmaEsSettings
from emubot.training.methods.ga import Ga, GaSettings
from emubot.training.methods.ga_rank import GaRank, GaRankSettings
from emubot.training.methods.pso import Pso, PsoSettings, moved, pulled
from emubot.training.optimiser import Candidates, Optimiser, Vector
from emubot.training.state import dumped, generator, restored

Maker = Callable[[int, int], Optimiser]

PUBLISHED: dict[str, Maker] = {
    "battle": lambda dimension, seed: Battle(BattleSettings(), dimension, seed),
    "ga": lambda dimension, seed: Ga(GaSettings(), dimension, seed),
    "ga-rank": lambda dimension, seed: GaRank(GaRankSettings(), dimension, seed),
    "pso": lambda dimension, seed: Pso(PsoSettings(), dimension, seed),
    "ce": lambda dimension, seed: Ce(CeSettings(), dimension, seed),
}
if importlib.util.find_spec("cma") is not None:
    PUBLISHED["cmaes"] = lambda dimension, seed: CmaEs(CmaEsSettings(), dimension, seed)
CENTRE = np.array([0.7, 0.2, 0.5, 0.4])
ALL = pytest.mark.parametrize("made", PUBLISHED.values(), ids=PUBLISHED.keys())


def measured(asked: Candidates, centre: Vector, rng: np.random.Generator, noise: float = 0.3) -> Vector:
    """A noisy sphere around `centre`; in couples, the share of won games."""
    true = -np.sum((asked.candidates - centre) ** 2, axis=1)
    if not asked.couples:
        return np.asarray(true + noise * rng.standard_normal(len(true)))
    won, met = np.zeros(len(true)), np.zeros(len(true))
    for one, other in asked.couples:
        first_wins = true[one] - true[other] > 0.1 * rng.standard_normal()
        won[one] += first_wins
        won[other] += not first_wins
        met[[one, other]] += 1
    return np.asarray(won / met)


def trained(optimiser: Optimiser, generations: int, rng: np.random.Generator, centre: Any = CENTRE) -> None:
    for _ in range(generations):
        optimiser.tell(measured(optimiser.ask(), centre, rng))


def through_json(optimiser: Optimiser) -> Optimiser:
    return type(optimiser).resume(json.loads(json.dumps(optimiser.state(), allow_nan=False)))


def distance(optimiser: Optimiser) -> float:
    return float(np.linalg.norm(optimiser.favourites(1)[0] - CENTRE))


@pytest.mark.parametrize(
    ("name", "generations", "within"),
    [("battle", 8, 0.4), ("ga", 30, 2.0), ("ga-rank", 40, 1.5), ("pso", 75, 0.7), ("ce", 80, 0.4), ("cmaes", 40, 0.8)],
)
def test_learns_through_noise(name: str, generations: int, within: float) -> None:
    if name not in PUBLISHED:
        pytest.skip("no cma library")
    optimiser = PUBLISHED[name](4, 7)
    first = optimiser.ask().candidates
    typical = float(np.median(np.linalg.norm(first - CENTRE, axis=1)))
    trained(optimiser, generations, np.random.default_rng(1))
    assert optimiser.generation == generations
    assert distance(optimiser) < within < typical


@ALL
def test_a_resumed_one_goes_on_exactly(made: Maker) -> None:
    straight, cut = made(4, 3), made(4, 3)
    noise = np.random.default_rng(5)
    trained(straight, 12, noise)
    noise = np.random.default_rng(5)
    cut = through_json(cut)  # before the first generation too
    trained(cut, 6, noise)
    cut = through_json(cut)
    assert cut.generation == 6
    trained(cut, 6, noise)
    assert json.dumps(cut.state()) == json.dumps(straight.state())
    assert np.array_equal(cut.ask().candidates, straight.ask().candidates)
    assert cut.ask().couples == straight.ask().couples
    assert np.array_equal(cut.favourites(5), straight.favourites(5))


def damaged(value: Any) -> list[Any]:
    """What may stand in place of a value of a state and is none."""
    found: list[Any] = [None, "x", {}, [], -1, 1e999, float("nan"), True, [[[0.0]]], [0.0] * 3, [[0.0], [0.0, 1.0]]]
    if isinstance(value, list) and value:
        found += [value[:-1], [*value, value[0]], [value], [*value[:-1], None], [*value[:-1], [math.inf] * 4]]
        if isinstance(value[0], list):
            found += [[row[:-1] for row in value], [[*row, 0.0] for row in value], value[0], [[9999, 0]] * len(value)]
    return found


@ALL
def test_a_state_that_is_damaged_is_noticed_or_gone_on_from(made: Maker) -> None:
    """Whatever is accepted is asked and told for a generation; nothing but these errors is raised before."""
    optimiser = made(4, 3)
    trained(optimiser, 2, np.random.default_rng(5))
    state = json.loads(json.dumps(optimiser.state()))
    accepted = 0
    for name in sorted(set(state) - {"settings", "dimension"}):
        for value in damaged(state[name]):
            try:
                resumed = type(optimiser).resume({**state, name: value})
            except (CheckpointError, ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
                continue
            if resumed.ask().candidates.shape != optimiser.ask().candidates.shape:
                continue  # a run compares them
            accepted += 1
            trained(resumed, 1, np.random.default_rng(5))
    assert accepted < 8, "fewer of the elite of ce, no fitness of pso, and the like"


@ALL
def test_asks_the_same_until_told(made: Maker) -> None:
    optimiser = made(3, 1)
    before = json.dumps(optimiser.state())
    asked = optimiser.ask()
    candidates = asked.candidates.copy()
    assert candidates.dtype == np.float64
    assert candidates.shape[1] == 3
    again = optimiser.ask()
    assert np.array_equal(again.candidates, candidates)
    assert again.couples == asked.couples
    assert json.dumps(optimiser.state()) == before
    optimiser.tell(measured(again, CENTRE[:3], np.random.default_rng(0)))
    assert np.array_equal(asked.candidates, candidates), "what was handed out stays as it was"
    assert not np.array_equal(optimiser.ask().candidates, candidates)


@ALL
def test_seeds_decide_and_nobody_else_draws(made: Maker) -> None:
    position = str(np.random.get_state())
    one, same, other = made(3, 1), made(3, 1), made(3, 2)
    assert np.array_equal(one.ask().candidates, same.ask().candidates)
    assert not np.array_equal(one.ask().candidates, other.ask().candidates)
    trained(one, 3, np.random.default_rng(0), CENTRE[:3])
    assert str(np.random.get_state()) == position


@ALL
def test_favourites_are_there_from_the_start(made: Maker) -> None:
    optimiser = made(3, 1)
    for _ in range(2):
        found = optimiser.favourites(4)
        assert found.shape[1] == 3
        assert 1 <= len(found) <= 4
        assert np.array_equal(optimiser.favourites(1), found[:1])
        trained(optimiser, 1, np.random.default_rng(0), CENTRE[:3])


@ALL
@pytest.mark.parametrize("wrong", [[1.0], [np.nan], [np.inf]], ids=str)
def test_takes_only_a_finite_number_for_each(made: Maker, wrong: list[float]) -> None:
    optimiser = made(3, 1)
    count = len(optimiser.ask().candidates)
    fitness = np.array(wrong * (count if wrong != [1.0] else count - 1))
    with pytest.raises(ValueError, match="finite numbers"):
        optimiser.tell(fitness)
    assert optimiser.generation == 0


@pytest.mark.parametrize(
    "settings",
    [
        lambda: BattleSettings(population=7),
        lambda: BattleSettings(population=0),
        lambda: BattleSettings(winner_share=1.5),
        lambda: BattleSettings(low=1, high=0),
        lambda: BattleSettings(high=float("inf")),
        lambda: GaSettings(population=1),
        lambda: GaSettings(tournament=51),
        lambda: GaSettings(tournament=1),
        lambda: GaSettings(mutation_rate=-0.1),
        lambda: GaSettings(mutation_size=float("nan")),
        lambda: GaRankSettings(population=9),
        lambda: GaRankSettings(kept=40),
        lambda: GaRankSettings(crossover_rate=2),
        lambda: GaRankSettings(meetings=0),
        lambda: PsoSettings(particles=0),
        lambda: PsoSettings(low=5, high=5),
        lambda: PsoSettings(inertia=float("nan")),
        lambda: CeSettings(population=1),
        lambda: CeSettings(elite=0.001),
        lambda: CeSettings(elite=1.1),
        lambda: CeSettings(variance=0),
        lambda: CeSettings(noise=-1),
    ],
)
def test_settings_without_sense_are_refused_in_one_sentence(settings: Callable[[], object]) -> None:
    with pytest.raises(UsageError) as refusal:
        settings()
    assert str(refusal.value).count(". ") == 0
    assert str(refusal.value).endswith(".")


@ALL
def test_no_weights_cannot_be_sought(made: Maker) -> None:
    with pytest.raises(UsageError, match="number of weights"):
        made(0, 1)


def test_the_published_numbers() -> None:
    assert GaSettings() == GaSettings(50, -10.0, 10.0, 5, 0.1, 0.1)
    assert PsoSettings() == PsoSettings(63, -100.0, 100.0, 0.6571, 1.6319, 0.6239)
    assert (BattleSettings().winner_share, BattleSettings().change) == (0.8, 0.05)
    assert (GaRankSettings().kept, GaRankSettings().crossover_rate, GaRankSettings().mutation_rate) == (10, 0.9, 0.01)
    assert CeSettings() == CeSettings(100, 0.1, 0.0, 100.0, 5.0, 0.1)


def test_a_generator_goes_through_json() -> None:
    rng = generator(3)
    rng.random(7)
    rng.integers(0, 10, 3, dtype=np.uint32)  # leaves half of a draw behind
    twin = restored(json.loads(json.dumps(dumped(rng))))
    assert np.array_equal(rng.integers(0, 10, 5, dtype=np.uint32), twin.integers(0, 10, 5, dtype=np.uint32))
    assert np.array_equal(rng.standard_normal(9), twin.standard_normal(9))


# battle


def test_a_child_of_battle_by_hand() -> None:
    winner, loser = np.array([1.0, 0.0, -2.0]), np.array([0.0, 1.0, 3.0])
    bred = child(BattleSettings(), winner, loser, np.array([1.0, -1.0, 0.0]))
    assert bred == pytest.approx([0.8 * 1.05, 0.2 * 0.95, -1.0])


def test_the_loser_is_replaced_and_a_draw_leaves_both() -> None:
    battle = Battle(BattleSettings(population=4), 2, 1)
    (one, other), (third, fourth) = battle.ask().couples
    assert sorted([one, other, third, fourth]) == [0, 1, 2, 3]
    before = battle.ask().candidates.copy()
    fitness = np.zeros(4)
    fitness[other] = 1.0
    battle.tell(fitness)
    after = battle.ask().candidates
    for stays in (other, third, fourth):
        assert np.array_equal(after[stays], before[stays])
    ratio = after[one] / (0.8 * before[other] + 0.2 * before[one])
    assert (np.abs(ratio - 1) <= 0.05 + 1e-12).all()
    assert len(set(ratio)) == 2, "each element has its own change"
    assert np.array_equal(battle.favourites(1)[0], before[other])
    rival = next(a + b - other for a, b in battle.ask().couples if other in {a, b})
    fitness = np.zeros(4)
    fitness[rival] = 1.0
    battle.tell(fitness)
    assert np.array_equal(battle.favourites(1)[0], after[rival]), "who lost is somebody new"


# ga


def test_the_best_two_of_a_tournament_are_the_parents() -> None:
    values = np.array([5.0, 9.0, 1.0, 9.0, 7.0, 8.0])
    assert ga.winners([0, 2, 4, 5, 1], values) == (1, 5)
    assert ga.winners([3, 0, 1], values) == (3, 1), "of equals the one drawn first"


def test_one_point_crossover_by_hand() -> None:
    first, second = np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0, 8.0])
    one, other = ga.crossed(first, second, 1)
    assert one.tolist() == [1.0, 6.0, 7.0, 8.0]
    assert other.tolist() == [5.0, 2.0, 3.0, 4.0]


def test_a_whole_generation_of_the_ga_by_a_slow_twin() -> None:
    settings = GaSettings(population=5, tournament=3, mutation_rate=0.5)
    method = Ga(settings, 3, 11)
    population = method.ask().candidates.tolist()
    fitness = [3.0, 1.0, 4.0, 1.5, 9.0]
    rng = restored(method.state()["rng"])
    children: list[list[float]] = []
    while len(children) < 5:
        five = [int(index) for index in rng.choice(5, 3, replace=False)]
        best = sorted(five, key=lambda index: fitness[index])[-1]
        next_best = sorted(five, key=lambda index: fitness[index])[-2]
        cut = int(rng.integers(1, 3))
        children.append(population[best][:cut] + population[next_best][cut:])
        children.append(population[next_best][:cut] + population[best][cut:])
    children = children[:5]
    hit, by = rng.random((5, 3)), rng.uniform(-0.1, 0.1, (5, 3))
    for row in range(5):
        for column in range(3):
            if hit[row, column] < 0.5:
                children[row][column] += by[row, column]
    method.tell(np.array(fitness))
    assert method.ask().candidates.tolist() == children
    assert method.favourites(2).tolist() == [population[4], population[2]]


def test_first_vectors_are_of_the_range() -> None:
    first = Ga(GaSettings(), 6, 1).ask().candidates
    assert first.shape == (50, 6)
    assert -10 <= first.min() < -9
    assert 9 < first.max() <= 10


# ga-rank


def test_ranks_are_drawn_from_a_triangle() -> None:
    drawn = ga_rank.ranks(np.random.default_rng(1).random(200_000), 40)
    share = np.bincount(drawn, minlength=40) / len(drawn)
    expected = np.array([(40 - rank) ** 2 - (39 - rank) ** 2 for rank in range(40)]) / 1600
    assert np.abs(share - expected).max() < 0.002


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 60))
def test_every_rank_is_one_of_the_population(number: float, population: int) -> None:
    assert 0 <= ga_rank.ranks(np.array([number]), population)[0] < population


def test_part_of_a_vector_is_swapped() -> None:
    first, second = np.arange(5.0), np.arange(5.0) + 10
    assert ga_rank.swapped(first, second, 1, 3).tolist() == [0.0, 11.0, 12.0, 3.0, 4.0]


def test_the_top_is_kept_and_the_rest_bred_of_it() -> None:
    method = GaRank(GaRankSettings(population=12, kept=3, mutation_rate=0.0), 4, 5)
    before = method.ask().candidates.copy()
    fitness = np.arange(12.0)
    method.tell(fitness)
    after = method.ask().candidates
    assert after[:3].tolist() == before[[11, 10, 9]].tolist()
    for row in after[3:]:
        assert all(value in before[:, column] for column, value in enumerate(row))
    assert method.favourites(3).tolist() == before[[11, 10, 9]].tolist()


def test_each_meets_as_many_as_was_said() -> None:
    couples = GaRank(GaRankSettings(population=8, kept=2, meetings=3), 2, 1).ask().couples
    assert np.bincount(np.array(couples).ravel()).tolist() == [3] * 8
    assert all(one != other for one, other in couples)


def test_mutation_draws_a_weight_anew() -> None:
    method = GaRank(GaRankSettings(population=4, kept=0, mutation_rate=1.0, low=2.0, high=3.0), 5, 1)
    before = method.ask().candidates.copy()
    method.tell(np.zeros(4))
    after = method.ask().candidates
    assert not np.isin(after, before).any()
    assert 2 <= after.min() <= after.max() <= 3


# pso


def test_a_velocity_by_hand() -> None:
    places, velocities = np.array([[1.0, -2.0]]), np.array([[10.0, 4.0]])
    bests, leader = np.array([[3.0, -2.0]]), np.array([0.0, 8.0])
    draws = np.array([[[0.5, 0.9]], [[1.0, 0.25]]])
    found = pulled(PsoSettings(), places, velocities, bests, leader, draws)
    assert found[0] == pytest.approx(
        [0.6571 * 10 + 1.6319 * 0.5 * 2 + 0.6239 * 1.0 * -1, 0.6571 * 4 + 0.6239 * 0.25 * 10]
    )


def test_a_particle_stops_at_the_border() -> None:
    places, velocities = moved(PsoSettings(), np.array([[90.0, -99.0, 0.0]]), np.array([[20.0, -0.5, 3.0]]))
    assert places.tolist() == [[100.0, -99.5, 3.0]]
    assert velocities.tolist() == [[0.0, -0.5, 3.0]]


def test_bests_are_kept_with_the_fitness_they_had() -> None:
    method = Pso(PsoSettings(particles=3), 2, 1)
    first = method.ask().candidates.copy()
    method.tell(np.array([1.0, 5.0, 3.0]))
    second = method.ask().candidates.copy()
    method.tell(np.array([2.0, 4.0, 3.0]))  # the first improves; an equal one does not count
    assert method.favourites(3).tolist() == [first[1].tolist(), first[2].tolist(), second[0].tolist()]


# ce


def test_the_elite_sets_mean_and_variance() -> None:
    mean, variance = fitted(np.array([[1.0, 0.0], [3.0, 4.0]]), 0.5)
    assert mean.tolist() == [2.0, 2.0]
    assert variance.tolist() == [1.5, 4.5]


def test_the_noise_falls_to_none() -> None:
    method = Ce(CeSettings(population=10), 1, 1)  # an elite of one: its variance is 0, so only the noise is left
    seen = []
    for _ in range(53):
        fitness = np.zeros(10)
        fitness[3] = 1.0
        best = method.ask().candidates[3].copy()
        method.tell(fitness)
        assert method.favourites(1)[0] == best
        seen.append(method.state()["variance"][0])
    assert seen == pytest.approx([max(5 - t / 10, 0) for t in range(53)])


def test_first_samples_are_wide() -> None:
    first = Ce(CeSettings(population=20_000), 1, 1).ask().candidates
    assert abs(first.mean()) < 0.3
    assert first.var() == pytest.approx(100, rel=0.05)
