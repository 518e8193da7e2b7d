"""A particle swarm.

Published (the Tetris system `pso`): 63 particles, range -100..100, velocity factors 0.6571 (inertia), 1.6319 (own
best), 0.6239 (global best), 75 rounds. Not published, so our choice, as in the Standard PSO of 2006: the first velocity
is half the way to another random point of the range; random factors 0..1 for each coordinate; all particles move at
once; a particle that would leave the range stops at its border.
A best keeps the fitness that it had. In noisy games one lucky game keeps a best, own or global, for ever. That is the
method as published; measure the favourites again, or play more games per particle.
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
    best_first,
    between,
    checked_fitness,
    dimension_of,
    ranging,
    whole,
)
from emubot.training.state import stored


@dataclass(frozen=True, slots=True)
class PsoSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    particles: int = 63  # published
    low: float = -100.0  # published
    high: float = 100.0  # published
    inertia: float = 0.6571  # published
    own_pull: float = 1.6319  # published
    global_pull: float = 0.6239  # published

    def __post_init__(self) -> None:
        whole("number of particles", self.particles, 1)
        ranging(self.low, self.high)
        between("inertia", self.inertia, 0, 10)
        between("pull of a particle's own best", self.own_pull, 0, 10)
        between("pull of the global best", self.global_pull, 0, 10)


class Pso(Generational[PsoSettings]):
    """The running method."""

    settings_class = PsoSettings

    def __init__(self, settings: PsoSettings, dimension: int, seed: int) -> None:
        self._begin(settings, seed)
        shape = (settings.particles, dimension_of(dimension))
        self._places = self._rng.uniform(settings.low, settings.high, shape)
        self._velocities = (self._rng.uniform(settings.low, settings.high, shape) - self._places) / 2
        self._bests = self._places
        self._fitness: Vector | None = None  # of the bests; None before the first measurement

    def ask(self) -> Candidates:
        """Returns the particles' positions."""
        return Candidates(self._places)

    def tell(self, fitness: Vector) -> None:
        """Update each particle's own best, then move all particles."""
        values = checked_fitness(fitness, self.settings.particles)
        if self._fitness is None:
            self._fitness = values.copy()
        else:
            better = values > self._fitness
            self._bests = np.where(better[:, None], self._places, self._bests)
            self._fitness = np.where(better, values, self._fitness)
        leader = self._bests[best_first(self._fitness)[0]]
        draws = self._rng.random((2, *self._places.shape))
        velocities = pulled(self.settings, self._places, self._velocities, self._bests, leader, draws)
        self._places, self._velocities = moved(self.settings, self._places, velocities)
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the global best, then the other particles' own bests."""
        if self._fitness is None:
            return self._bests[:count]
        return self._bests[best_first(self._fitness)[:count]]

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values."""
        return {
            **self._shared_state(),
            "places": self._places.tolist(),
            "velocities": self._velocities.tolist(),
            "bests": self._bests.tolist(),
            "fitness": None if self._fitness is None else self._fitness.tolist(),
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state."""
        method = cls._restored(state)
        method._places = stored(state["places"], method.settings.particles, None)
        shape = method._places.shape
        method._velocities = stored(state["velocities"], *shape)
        method._bests = stored(state["bests"], *shape)
        fitness = state["fitness"]
        method._fitness = None if fitness is None else stored(fitness, shape[0])
        return method


def pulled(
    settings: PsoSettings, places: Vectors, velocities: Vectors, bests: Vectors, leader: Vector, draws: Vectors
) -> Vectors:
    """Returns the next velocities; `draws` are uniform numbers, float64 (2, n, d), for the own and the global pull."""
    own = settings.own_pull * draws[0] * (bests - places)
    common = settings.global_pull * draws[1] * (leader - places)
    next_ones: Vectors = settings.inertia * velocities + own + common
    return next_ones


def moved(settings: PsoSettings, places: Vectors, velocities: Vectors) -> tuple[Vectors, Vectors]:
    """Returns the next positions and velocities; at the border a coordinate stops, and its velocity is 0."""
    there = places + velocities
    outside = (there < settings.low) | (there > settings.high)
    return np.clip(there, settings.low, settings.high), np.where(outside, 0.0, velocities)
