"""Vectors fight in pairs, and a child of both replaces the loser.

Published (the Puyo system's `battle`): a random set of vectors; two at random fight; child = 0.8 winner + 0.2 loser,
each element changed by up to 5 % either way; it replaces the loser. Not published, so our choice: 64 vectors, uniform
0..1; a generation is one random pairing of all, so that its fights can run in parallel. A vector's fitness is its mean
over its games. The larger fitness of a couple wins, and after a draw both stay. A change is a factor, so what starts
positive stays positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from emubot.training.optimiser import (
    Candidates,
    Generational,
    Vector,
    Vectors,
    between,
    checked_fitness,
    dimension_of,
    in_couples,
    ranging,
)
from emubot.training.state import stored, stored_couples


@dataclass(frozen=True, slots=True)
class BattleSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    population: int = 64  # not published; even
    low: float = 0.0  # not published
    high: float = 1.0  # not published
    winner_share: float = 0.8  # published
    change: float = 0.05  # published: each element by up to 5 % either way

    def __post_init__(self) -> None:
        in_couples(self.population)
        ranging(self.low, self.high)
        between("winner's share", self.winner_share, 0, 1)
        between("change of an element", self.change, 0, 1)


class Battle(Generational[BattleSettings]):
    """The running method."""

    settings_class = BattleSettings

    def __init__(self, settings: BattleSettings, dimension: int, seed: int) -> None:
        self._begin(settings, seed)
        shape = (settings.population, dimension_of(dimension))
        self._population = self._rng.uniform(settings.low, settings.high, shape)
        self._streaks = [0] * settings.population  # fights won since birth
        self._couples = self._paired()

    def ask(self) -> Candidates:
        """Returns all vectors, each in one couple."""
        return Candidates(self._population, self._couples)

    def tell(self, fitness: Vector) -> None:
        """Replace the losers, then pair all vectors anew."""
        values = checked_fitness(fitness, self.settings.population)
        population = self._population.copy()
        for first, other in self._couples:
            if values[first] == values[other]:
                continue
            drawn = self._rng.uniform(-1.0, 1.0, population[first].shape)
            winner, loser = (first, other) if values[first] > values[other] else (other, first)
            population[loser] = child(self.settings, population[winner], population[loser], drawn)
            self._streaks[winner] += 1
            self._streaks[loser] = 0
        self._population = population
        self._couples = self._paired()
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the vectors that won the most fights since birth."""
        order = sorted(range(self.settings.population), key=lambda index: -self._streaks[index])
        return self._population[order[:count]]

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values."""
        return {
            **self._shared_state(),
            "population": self._population.tolist(),
            "streaks": list(self._streaks),
            "couples": [list(couple) for couple in self._couples],
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state."""
        method = cls._restored(state)
        population = method.settings.population
        method._population = stored(state["population"], population, None)
        method._streaks = list(map(int, stored(state["streaks"], population)))
        method._couples = stored_couples(state["couples"], population // 2, population)
        return method

    def _paired(self) -> tuple[tuple[int, int], ...]:
        return paired(self._rng, self.settings.population)


def child(settings: BattleSettings, winner: Vector, loser: Vector, drawn: Vector) -> Vector:
    """Returns the weighted mean of both; `drawn` has for each element its share, -1..1, of the largest change."""
    share = settings.winner_share
    mixed: Vector = (share * winner + (1 - share) * loser) * (1 + settings.change * drawn)
    return mixed


def paired(rng: np.random.Generator, count: int) -> tuple[tuple[int, int], ...]:
    """Returns random couples with every vector in one of them; `count` is even."""
    order = rng.permutation(count).tolist()
    return tuple(zip(order[::2], order[1::2], strict=True))
