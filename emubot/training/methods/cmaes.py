"""Covariance matrix adaptation, by the `cma` library with restarts.

The population is the library's default, 4 + 3 ln(d). It doubles at each restart (Auger & Hansen 2005), which comes when
the library's own criteria say so. A restart begins anew at the start vector. Common random numbers and racing belong to
the fitness. The library has no state of plain values. So our state is the settings, the generator's first state and all
fitness values so far, and `resume` replays them. The replay is exact on one machine and takes milliseconds per
generation. Another version of the library might replay differently, so it is refused. Nothing is written to disk, and
numpy's global generator stays untouched.
A linear evaluation plays the same at any scale of its weights. If the fitness normalises vectors before it measures
them (`Fitness.normalise`), the search still runs in the unbounded space, and only directions count.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any, Final, Self

import numpy as np

from emubot.errors import CheckpointError, UsageError
from emubot.extras import CMAES, command_for
from emubot.training.optimiser import (
    FARTHEST,
    Candidates,
    Vector,
    Vectors,
    between,
    checked_fitness,
    dimension_of,
    whole,
)
from emubot.training.state import dumped, generator, restored

MOST_RESTARTS: Final = 16  # a larger population than 2**16 times the first is never measured
_VECTORS: Final = ("start", "scales")  # settings with one element per weight


@dataclass(frozen=True, slots=True)
class CmaEsSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    start: tuple[float, ...] = ()  # the first mean; empty: zeros
    scales: tuple[float, ...] = ()  # a factor on sigma for each weight; empty: ones
    sigma: float = 1.0  # first step size: a third of the distance to where the weights may lie
    population: int = 0  # 0: the library's default for the number of weights
    restarts: int = 9  # how often the population may double: our choice

    def __post_init__(self) -> None:
        for value in self.start:
            between("start vector's element", value, -FARTHEST, FARTHEST)
        for value in self.scales:
            between("scale of a weight", value, 1e-12, FARTHEST)
        between("sigma", self.sigma, 1e-12, FARTHEST)
        whole("population", self.population, 0)
        if self.population in {1, 2, 3}:
            raise UsageError(f"CMA-ES needs a population of 4 or more, or 0 for its default, not {self.population}.")
        whole("number of restarts", self.restarts, 0, MOST_RESTARTS)


class CmaEs:
    """The running method."""

    def __init__(self, settings: CmaEsSettings, dimension: int, seed: int) -> None:
        self._begin(settings, dimension_of(dimension, 2), dumped(generator(seed)))

    def _begin(self, settings: CmaEsSettings, dimension: int, first: Mapping[str, Any]) -> None:
        for name, vector in (("start vector", settings.start), ("vector of scales", settings.scales)):
            if vector and len(vector) != dimension:
                raise UsageError(f"The {name} has {len(vector)} elements for {dimension} weights.")
        self.settings = settings
        self.generation = 0
        self._dimension = dimension
        self._first = dict(first)
        self._rng = restored(first)
        self._history: list[list[float]] = []
        self._restarts = 0
        self._ended: list[tuple[float, Vector]] = []  # of ended runs: last generation's mean fitness, final mean
        self._latest = -math.inf  # mean fitness of the current run's last generation
        self._strategy = self._started()
        self._candidates = self._drawn()

    def ask(self) -> Candidates:
        """Returns the samples of the generation."""
        return Candidates(self._candidates)

    def tell(self, fitness: Vector) -> None:
        """Adapt the distribution. If the library says that this run has ended, begin the next one."""
        values = checked_fitness(fitness, len(self._candidates))
        self._history.append(values.tolist())
        with warnings.catch_warnings():  # the library reports stagnation as warnings; our answer is a restart
            warnings.simplefilter("ignore")
            self._strategy.tell(list(self._candidates), (-values).tolist())
            ended = bool(self._strategy.stop())
        self._latest = float(values.mean())
        if ended and self._restarts < self.settings.restarts:
            self._ended.append((self._latest, self._mean()))
            self._latest = -math.inf
            self._restarts += 1
            self._strategy = self._started()
        self._candidates = self._drawn()
        self.generation += 1

    def favourites(self, count: int) -> Vectors:
        """Returns the mean of each run, best last generation first. A mean does not depend on a lucky sample."""
        runs = [(self._latest, self._mean()), *reversed(self._ended)]
        runs.sort(key=lambda run: -run[0])
        return np.array([mean for _, mean in runs[:count]])

    def state(self) -> dict[str, Any]:
        """Returns the settings, the generator's first state and all fitness values so far, as JSON values."""
        settings = asdict(self.settings)
        settings |= {name: list(settings[name]) for name in _VECTORS}
        return {
            "settings": settings,
            "dimension": self._dimension,
            "generation": self.generation,
            "rng": self._first,
            "history": [list(values) for values in self._history],
            "cma": library().__version__,
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns the method in this state, by a replay. Raises CheckpointError if the library's version differs."""
        here, begun = library().__version__, state.get("cma")
        if begun is None:
            raise CheckpointError("This run does not name its version of cma: start again in another folder.")
        if begun != here:
            raise CheckpointError(
                f"This run was begun with cma {begun} and cannot be continued with {here}, which is installed: "
                f"start again in another folder, or run: {command_for([f'cma=={begun}'])}"
            )
        settings = CmaEsSettings(**state["settings"] | {name: tuple(state["settings"][name]) for name in _VECTORS})
        method = cls.__new__(cls)
        method._begin(settings, state["dimension"], state["rng"])
        for values in state["history"]:
            method.tell(np.array(values, dtype=np.float64))
        if method.generation != state["generation"]:
            raise ValueError(f"it was told {method.generation} generations, not {state['generation']}")
        return method

    def _started(self) -> Any:
        options = {
            "randn": lambda *shape: self._rng.standard_normal(shape),
            "seed": np.nan,  # cma's "do nothing"; any other value seeds numpy's global generator
            "verbose": -9,
            "verb_disp": 0,
            "verb_log": 0,
            "verb_filenameprefix": "",
            "signals_filename": "",  # else cma reads options from a file of that name in the working directory
        }
        size = self.settings.population or 4 + int(3 * math.log(self._dimension))
        options["popsize"] = size << self._restarts
        if self.settings.scales:
            options["CMA_stds"] = list(self.settings.scales)
        start = np.array(self.settings.start or [0.0] * self._dimension)
        return library().CMAEvolutionStrategy(start, self.settings.sigma, options)

    def _drawn(self) -> Vectors:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.array(self._strategy.ask(), dtype=np.float64)

    def _mean(self) -> Vector:
        return np.array(self._strategy.mean, dtype=np.float64)


def library() -> Any:
    """Returns the `cma` library. Raises UsageError if it is not installed."""
    CMAES.require()
    return import_module("cma")  # untyped and optional
