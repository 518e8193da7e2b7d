"""Fitness as data: the same games whoever plays them, exact sums, and a race that only drops who surely is behind."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.training.fitness import CHOOSING, MEASURING, TRAINING, Fitness, Race, going_on
from emubot.trials.statistics import Sums
from emubot.trials.work import play_unit, seed_of
from tests.training.toy_trials import NAMES, ToyContest, ToyTrial, toy_weights

SOLO = Fitness(ToyContest("toy"), NAMES, version=2, seed=5, games=12)
DUEL = Fitness(ToyContest("toy", sides=2), NAMES, version=2, seed=5, games=40, figure="win_rate")
ONE, OTHER = toy_weights((-1.0, -3.0, 2.0)), toy_weights((-1.0, 0.0, 2.0))


def played(fitness: Fitness, first: int, end: int) -> list[int]:
    seeds = [seed_of(fitness.seed, number) for number in range(first, end)]
    games = ToyTrial(1, {}).play([ONE], seeds)
    return [int(lines) for lines in games[:, 0]]


def summed(fitness: Fitness, first: int, end: int) -> Sums:
    sums = Sums()
    for unit in fitness.units((ONE,), first, end):
        sums += play_unit(unit)
    return sums


def test_sums_are_those_of_the_games() -> None:
    lines = played(SOLO, 100, 113)
    sums = summed(SOLO, 100, 113)
    assert sums == Sums(sum(lines), sum(value * value for value in lines), 13)
    assert isinstance(sums.total, int)
    assert isinstance(sums.squares, int)
    assert sums.mean == sum(lines) / 13
    assert sums.error == pytest.approx(np.std(lines, ddof=1) / math.sqrt(13))


@given(st.integers(0, 2**60), st.integers(1, 40), st.integers(0, 50))
def test_units_are_the_range_without_gap_or_overlap(first: int, games: int, size: int) -> None:
    units = replace(SOLO, portion=size).units((ONE,), first, first + games)
    assert units[0].first == first
    assert units[-1].end == first + games
    assert all(one.end == other.first for one, other in itertools.pairwise(units))
    assert all(0 < unit.end - unit.first <= (size or games) for unit in units)
    if not size:
        assert len(units) <= 4


def test_no_games_are_no_units() -> None:
    assert SOLO.units((ONE,), 7, 7) == []


@pytest.mark.parametrize("size", [1, 5, 12])
def test_the_cut_changes_no_sum(size: int) -> None:
    assert summed(replace(SOLO, portion=size), 0, 12) == summed(SOLO, 0, 12)


def test_the_log_of_a_figure() -> None:
    lines = played(SOLO, 0, 12)
    sums = summed(replace(SOLO, shape="log"), 0, 12)
    assert sums.mean == pytest.approx(sum(math.log(1 + value) for value in lines) / 12)
    assert sums.error == pytest.approx(np.std(np.log1p(lines), ddof=1) / math.sqrt(12))


def test_another_figure_and_the_win_rate() -> None:
    pieces = summed(replace(SOLO, figure="pieces"), 0, 12)
    assert pieces.total == 3 * summed(SOLO, 0, 12).total + 12
    seeds = [seed_of(DUEL.seed, number) for number in range(40)]
    games = ToyTrial(2, {}).play([ONE, OTHER], seeds)
    (unit,) = replace(DUEL, portion=40).units((ONE, OTHER), 0, 40)
    assert games[:, 1].any(), "draws count half"
    wins, draws = games[:, 0].sum(), games[:, 1].sum()
    assert play_unit(unit) == Sums(wins + draws / 2, wins + draws / 4, 40)
    assert DUEL.counted() == "win_rate"
    assert replace(DUEL, figure=None).counted() == "wins"


def test_units_travel_between_processes() -> None:
    (unit, *_) = DUEL.units((ONE, OTHER), 0, 8)
    assert play_unit(copy.deepcopy(unit)) == play_unit(unit)


def test_generations_and_the_end_play_games_of_their_own() -> None:
    assert SOLO.rounds(0) == [(TRAINING, TRAINING + 12)]
    assert SOLO.rounds(3) == [(TRAINING + 36, TRAINING + 48)]
    assert SOLO.rounds(10**8)[0][1] < CHOOSING < MEASURING
    raced = replace(SOLO, games=22, race=Race(rounds=3))
    assert [(first - TRAINING, end - TRAINING) for first, end in raced.rounds(1)] == [(22, 29), (29, 36), (36, 44)]


def test_a_vector_plays_at_length_one_where_asked() -> None:
    vector = np.array([3.0, 0.0, -4.0])
    assert SOLO.weights(vector).values == (3.0, 0.0, -4.0)
    normal = replace(SOLO, normalise=True)
    assert normal.weights(vector).values == pytest.approx((0.6, 0.0, -0.8))
    assert normal.weights(np.zeros(3)).values == (0.0, 0.0, 0.0)
    made = SOLO.weights(vector)
    assert (made.game, made.features.names, made.features.version) == ("toy", NAMES, 2)


def test_few_games_say_nothing_of_their_spread() -> None:
    assert Sums(7, 49, 1).error == math.inf
    assert Sums(14, 98, 2).error == 0


def sums_of(mean: float, deviation: float, count: int) -> Sums:
    """Sums with that mean and standard deviation."""
    return Sums(mean * count, deviation**2 * (count - 1) + mean**2 * count, count)


def test_who_surely_is_behind_half_of_all_leaves_the_race() -> None:
    race = Race(rounds=2, z=2.0)
    clear = [sums_of(mean, 1, 25) for mean in (10, 20, 30, 40)]
    assert going_on(clear, [0, 1, 2, 3], race) == [2, 3]
    assert going_on(clear, [1, 2, 3], race) == [2, 3], "who left before stays away"
    near = [sums_of(mean, 1, 25) for mean in (10.0, 10.3, 10.6, 11.5)]
    assert going_on(near, [0, 1, 2, 3], race) == [0, 1, 2, 3]
    assert going_on(near, [0, 1, 2, 3], Race(rounds=2, z=0.5)) == [2, 3]
    assert going_on([clear[0], *[clear[1]] * 3], [0, 1, 2, 3], race) == [1, 2, 3], "equal ones go on together"


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 30)), min_size=1, max_size=12))
def test_half_of_all_always_goes_on(candidates: list[tuple[float, float]]) -> None:
    sums = [sums_of(mean, deviation, 10) for mean, deviation in candidates]
    on = going_on(sums, range(len(sums)), Race(z=1.0))
    assert len(on) >= (len(sums) + 1) // 2
    assert max(range(len(sums)), key=lambda index: sums[index].mean) in on


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (lambda: replace(SOLO, games=0), "number of games"),
        (lambda: replace(SOLO, portion=-1), "games of a portion"),
        (lambda: replace(SOLO, shape="square"), "'square'"),
        (lambda: replace(SOLO, opponent=ONE), "two sides"),
        (lambda: replace(SOLO, games=19, race=Race()), "at least 20 games"),
        (lambda: Race(rounds=1), "rounds of a race"),
        (lambda: Race(z=0), "z of a race"),
        (lambda: replace(SOLO, figure="score").counted(), "choose one of lines, pieces"),
        (lambda: replace(SOLO, figure="win_rate").counted(), "choose one of lines, pieces"),
    ],
)
def test_what_makes_no_sense_is_refused(made: Callable[[], object], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        made()


def test_a_negative_figure_has_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyTrial, "_game", lambda *_: (-1, 0))
    (unit, *_) = replace(SOLO, shape="log").units((ONE,), 0, 4)
    with pytest.raises(UsageError, match="lines can be negative"):
        play_unit(unit)
