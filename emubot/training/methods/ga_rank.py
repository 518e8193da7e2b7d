"""A genetic algorithm in which couples play and the best ranked breed.

Published (the Tetris system `block-battle`): couples play; fitness = rounds survived; the top 10 are kept; parents are
drawn by a triangular distribution over the ranking; 90 % swap part of the vector; 1 % mutation per weight; about 40
rounds. Not published, so our choice: 40 vectors, uniform -5..5; each meets 3 others per generation, at random; the
probability of a parent falls linearly from the best rank to the last; the swapped part is a run of at least one weight
and not all; a mutated weight is drawn anew from the first range, since 1 % of five weights is rare enough; kept vectors
are measured again, so no lucky round keeps one for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from emubot.training.methods.battle import paired
from emubot.training.optimiser import (
    Candidates,
    Generational,
    Vector,
    Vectors,
    best_first,
    between,
    checked_fitness,
    dimension_of,
    in_couples,
    ranging,
    whole,
)
from emubot.training.state import stored, stored_couples


@dataclass(frozen=True, slots=True)
class GaRankSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    population: int = 40  # not published; even
    low: float = -5.0  # not published; the published weights lie within
    high: float = 5.0  # not published
    kept: int = 10  # published
    crossover_rate: float = 0.9  # published
    mutation_rate: float = 0.01  # published, per weight
    meetings: int = 3  # not published: couples of each vector per generation

    def __post_init__(self) -> None:
        in_couples(self.population)
        ranging(self.low, self.high)
        whole("number that is kept", self.kept, 0, self.population - 1)
        between("crossover rate", self.crossover_rate, 0, 1)
        between("mutation rate", self.mutation_rate, 0, 1)
        whole("number of meetings", self.meetings, 1, 1000)


class GaRank(Generational[GaRankSettings]):
    """The running method."""

    settings_class = GaRankSettings

    def __init__(self, settings: GaRankSettings, dimension: int, seed: int) -> None:
        self._begin(settings, seed)
        shape = (settings.population, dimension_of(dimension))
        self._population = self._rng.uniform(settings.low, settings.high, shape)
        self._ranking = self._population  # of the last generation; the first population has no order
        self._couples = self._met()

    def ask(self) -> Candidates:
        """Returns the population, each vector in `meetings` couples."""
        return Candidates(self._population, self._couples)

    def tell(self, fitness: Vector) -> None:
        """Keep the top, breed the rest from the ranking, then draw new couples."""
        order = best_first(checked_fitness(fitness, self.settings.population))
        self._ranking = self._population[order]
        rows = [self._ranking[place] for place in range(self.settings.kept)]
        while len(rows) < self.settings.population:
            rows.append(self._bred())
        self._population = np.array(rows)
        self._couples = self._met()
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the top of the last ranking."""
        return self._ranking[:count]

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values."""
        return {
            **self._shared_state(),
            "population": self._population.tolist(),
            "ranking": self._ranking.tolist(),
            "couples": [list(couple) for couple in self._couples],
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state."""
        method = cls._restored(state)
        population = method.settings.population
        method._population = stored(state["population"], population, None)
        method._ranking = stored(state["ranking"], *method._population.shape)
        met = method.settings.meetings * (population // 2)
        method._couples = stored_couples(state["couples"], met, population)
        return method

    def _met(self) -> tuple[tuple[int, int], ...]:
        rounds = [paired(self._rng, self.settings.population) for _ in range(self.settings.meetings)]
        return tuple(couple for couples in rounds for couple in couples)

    def _bred(self) -> Vector:
        first, second = (self._ranking[rank] for rank in ranks(self._rng.random(2), self.settings.population))
        dimension = len(first)
        bred = first.copy()
        if self._rng.random() < self.settings.crossover_rate and dimension > 1:
            length = int(self._rng.integers(1, dimension))
            start = int(self._rng.integers(0, dimension - length + 1))
            bred = swapped(first, second, start, start + length)
        hit = self._rng.random(dimension) < self.settings.mutation_rate
        return np.where(hit, self._rng.uniform(self.settings.low, self.settings.high, dimension), bred)


def ranks(uniform: Vector, population: int) -> list[int]:
    """Returns ranks, 0 the best, of uniform numbers in [0, 1): their density falls linearly to 0 at the last rank."""
    return [min(int(population * (1 - np.sqrt(1 - number))), population - 1) for number in uniform]


def swapped(first: Vector, second: Vector, start: int, end: int) -> Vectors:
    """Returns the first vector with the second's weights from `start` to `end` - 1."""
    return np.concatenate([first[:start], second[start:end], first[end:]])
