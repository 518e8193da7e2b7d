"""A genetic algorithm with tournaments.

Published (the Tetris system `ga`): 50 individuals drawn from -10..10; a tournament of 5 gives both parents; one-point
crossover; each weight mutated with probability 10 % by -0.1..0.1; 30 generations (stopped at 14). Not published, so our
choice: the five are different individuals, and the best two are the parents; the cut is uniform over the places between
two weights; both children live; the whole generation is replaced, so a lucky game keeps no individual alive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from emubot.errors import UsageError
from emubot.training.optimiser import (
    Candidates,
    Generational,
    Vector,
    Vectors,
    best_first,
    between,
    checked_fitness,
    dimension_of,
    ranging,
    whole,
)
from emubot.training.state import stored


@dataclass(frozen=True, slots=True)
class GaSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    population: int = 50  # published
    low: float = -10.0  # published
    high: float = 10.0  # published
    tournament: int = 5  # published
    mutation_rate: float = 0.1  # published, per weight
    mutation_size: float = 0.1  # published: uniform from -0.1 to 0.1

    def __post_init__(self) -> None:
        whole("population", self.population, 2)
        ranging(self.low, self.high)
        whole("tournament", self.tournament, 2)
        if self.tournament > self.population:
            raise UsageError(f"A tournament of {self.tournament} needs as many individuals, not {self.population}.")
        between("mutation rate", self.mutation_rate, 0, 1)
        between("mutation size", self.mutation_size, 0, 1e12)


class Ga(Generational[GaSettings]):
    """The running method."""

    settings_class = GaSettings

    def __init__(self, settings: GaSettings, dimension: int, seed: int) -> None:
        self._begin(settings, seed)
        shape = (settings.population, dimension_of(dimension))
        self._population = self._rng.uniform(settings.low, settings.high, shape)
        self._best = self._population  # of the last generation, best first; the first population has no order

    def ask(self) -> Candidates:
        """Returns the population."""
        return Candidates(self._population)

    def tell(self, fitness: Vector) -> None:
        """Breed the next generation."""
        values = checked_fitness(fitness, self.settings.population)
        children: list[Vector] = []
        while len(children) < self.settings.population:
            first, second = self._parents(values)
            children += crossed(first, second, self._cut())
        self._best = self._population[best_first(values)]
        self._population = self._mutated(np.array(children[: self.settings.population]))
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the best of the last measured generation; its children are not measured yet."""
        return self._best[:count]

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values."""
        return {
            **self._shared_state(),
            "population": self._population.tolist(),
            "best": self._best.tolist(),
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state."""
        method = cls._restored(state)
        method._population = stored(state["population"], method.settings.population, None)
        method._best = stored(state["best"], *method._population.shape)
        return method

    def _parents(self, values: Vector) -> tuple[Vector, Vector]:
        drawn = self._rng.choice(self.settings.population, self.settings.tournament, replace=False)
        first, second = winners(drawn.tolist(), values)
        return self._population[first], self._population[second]

    def _cut(self) -> int:
        """Returns 1 to d - 1, so that both parents contribute; 0 for a single weight, which cannot be cut."""
        dimension = self._population.shape[1]
        return int(self._rng.integers(1, dimension)) if dimension > 1 else 0

    def _mutated(self, children: Vectors) -> Vectors:
        hit = self._rng.random(children.shape) < self.settings.mutation_rate
        by = self._rng.uniform(-self.settings.mutation_size, self.settings.mutation_size, children.shape)
        return np.where(hit, children + by, children)


def winners(drawn: list[int], values: Vector) -> tuple[int, int]:
    """Returns the two fittest of those drawn; of equal ones, the one drawn first."""
    first, second, *_ = sorted(drawn, key=lambda index: -values[index])
    return first, second


def crossed(first: Vector, second: Vector, cut: int) -> tuple[Vector, Vector]:
    """Returns both children: one has the first parent's weights before the cut, the other has those after it."""
    return np.concatenate([first[:cut], second[cut:]]), np.concatenate([second[:cut], first[cut:]])
