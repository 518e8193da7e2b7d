"""The noisy cross-entropy method.

Szita & Lőrincz 2006 ("Learning Tetris using the noisy cross-entropy method"), from memory, not verified against the
paper: 100 candidates a round from independent Gaussians, first with mean 0 and variance 100; the best 10 % set the next
mean and variance; after round t a noise of max(5 - t/10, 0) is added to the variance, so that it does not shrink too
early; one game for each candidate. Our reading where memory is silent: the variance is that of the elite itself
(divided by its number), and the first round is t = 0.
The distribution's mean is what the method has learnt: a best sample owes part of its fitness to luck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from emubot.training.optimiser import (
    FARTHEST,
    Candidates,
    Generational,
    Vector,
    Vectors,
    best_first,
    between,
    checked_fitness,
    dimension_of,
    whole,
)
from emubot.training.state import stored


@dataclass(frozen=True, slots=True)
class CeSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    population: int = 100  # from memory, as are all of these
    elite: float = 0.1
    mean: float = 0.0
    variance: float = 100.0
    noise: float = 5.0  # added to the variance after the first round
    noise_fall: float = 0.1  # how much less is added each round, down to 0

    def __post_init__(self) -> None:
        whole("population", self.population, 2)
        between("elite, as a share of the population,", self.elite, 1 / self.population, 1)
        between("first mean", self.mean, -FARTHEST, FARTHEST)
        between("first variance", self.variance, 1e-12, FARTHEST)
        between("noise", self.noise, 0, FARTHEST)
        between("fall of the noise", self.noise_fall, 0, FARTHEST)

    @property
    def chosen(self) -> int:
        """The number of candidates in the elite."""
        return max(1, round(self.elite * self.population))


class Ce(Generational[CeSettings]):
    """The running method."""

    settings_class = CeSettings

    def __init__(self, settings: CeSettings, dimension: int, seed: int) -> None:
        self._begin(settings, seed)
        self._mean = np.full(dimension_of(dimension), settings.mean)
        self._variance = np.full(dimension, settings.variance)
        self._elite = np.empty((0, dimension))
        self._samples = self._drawn()

    def ask(self) -> Candidates:
        """Returns the samples of the round."""
        return Candidates(self._samples)

    def tell(self, fitness: Vector) -> None:
        """Fit the distribution to the elite, then draw from it."""
        order = best_first(checked_fitness(fitness, self.settings.population))
        self._elite = self._samples[order[: self.settings.chosen]]
        added = max(self.settings.noise - self.generation * self.settings.noise_fall, 0.0)
        self._mean, self._variance = fitted(self._elite, added)
        self._samples = self._drawn()
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the mean, then the last elite."""
        return np.concatenate([self._mean[None], self._elite])[:count]

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values."""
        return {
            **self._shared_state(),
            "mean": self._mean.tolist(),
            "variance": self._variance.tolist(),
            "elite": self._elite.tolist(),
            "samples": self._samples.tolist(),
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state."""
        method = cls._restored(state)
        method._mean = stored(state["mean"], None)
        dimension = len(method._mean)
        method._variance = stored(state["variance"], dimension)
        method._elite = stored(state["elite"] or np.empty((0, dimension)), None, dimension)
        method._samples = stored(state["samples"], method.settings.population, dimension)
        if (method._variance < 0).any():
            raise ValueError("no variance is negative")
        return method

    def _drawn(self) -> Vectors:
        normal = self._rng.standard_normal((self.settings.population, len(self._mean)))
        drawn: Vectors = self._mean + np.sqrt(self._variance) * normal
        return drawn


def fitted(elite: Vectors, added: float) -> tuple[Vector, Vector]:
    """Returns mean and variance of the elite, (d,) each, with the noise added to the variance."""
    mean: Vector = elite.mean(axis=0)
    variance: Vector = elite.var(axis=0) + added
    return mean, variance
