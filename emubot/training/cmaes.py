"""Covariance matrix adaptation, by the `cma` library with restarts; knows no game.

The population is the library's default, 4 + 3 ln(d), and doubles at each restart (Auger & Hansen 2005), which comes
when the library's own criteria say so; a restart begins anew at the start vector. Common random numbers and racing are
the fitness's business. The library has no state of plain values: ours is the settings, the generator's first state and
all fitness told so far, and to resume is to live through them again, which is exact on one machine and takes
milliseconds a generation; by another version of the library it might be another life, so that one is refused. Nothing
is written to disk and numpy's global generator stays untouched.
A linear evaluation plays the same at any scale of its weights. Where fitness normalises vectors before it measures them
(`Fitness.normalise`), the search still runs in the unbounded space, and only directions count.
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
from emubot.training.randomness import dumped, generator, restored

MOST_RESTARTS: Final = 16  # a population doubled so often is measured by nobody
_VECTORS: Final = ("start", "scales")  # settings with an element for each weight


@dataclass(frozen=True, slots=True)
class CmaEsSettings:
    """What the method can be told. Raises UsageError for what makes no sense."""

    start: tuple[float, ...] = ()  # the first mean; none: zeros
    scales: tuple[float, ...] = ()  # what sigma is multiplied by, for each weight; none: ones
    sigma: float = 1.0  # first step size: a third of the way to where weights may lie
    population: int = 0  # 0: the library's default for so many weights
    restarts: int = 9  # as often the population may double: our choice

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
    """The method under way."""

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
        self._ended: list[tuple[float, Vector]] = []  # mean fitness of a run's last generation, and its final mean
        self._latest = -math.inf  # mean fitness of the present run's last generation
        self._strategy = self._started()
        self._candidates = self._drawn()

    def ask(self) -> Candidates:
        """The samples of the generation."""
        return Candidates(self._candidates)

    def tell(self, fitness: Vector) -> None:
        """Adapt; where the library says that this run has come to its end, begin the next one."""
        values = checked_fitness(fitness, len(self._candidates))
        self._history.append(values.tolist())
        with warnings.catch_warnings():  # the library tells of stagnation so; a restart is our answer
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
        """The mean of each run, that with the best last generation first: means owe nothing to a lucky sample."""
        runs = [(self._latest, self._mean()), *reversed(self._ended)]
        runs.sort(key=lambda run: -run[0])
        return np.array([mean for _, mean in runs[:count]])

    def state(self) -> dict[str, Any]:
        """Settings, the generator's first state and all that was told, as JSON values."""
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
        """As it was: told again all that it was told. Raises CheckpointError where the library is another one."""
        here, begun = library().__version__, state.get("cma")
        if begun is None:
            raise CheckpointError("This run does not say by which cma it was begun: begin anew in another folder.")
        if begun != here:
            raise CheckpointError(
                f"This run was begun with cma {begun} and cannot go on as it was with {here}, which is here: "
                f"pip install cma=={begun}, or begin anew in another folder."
            )
        settings = CmaEsSettings(**state["settings"] | {name: tuple(state["settings"][name]) for name in _VECTORS})
        made = cls.__new__(cls)
        made._begin(settings, state["dimension"], state["rng"])
        for values in state["history"]:
            made.tell(np.array(values, dtype=np.float64))
        if made.generation != state["generation"]:
            raise ValueError(f"it was told {made.generation} generations, not {state['generation']}")
        return made

    def _started(self) -> Any:
        options = {
            "randn": lambda *shape: self._rng.standard_normal(shape),
            "seed": np.nan,  # "do nothing": else it would seed numpy's global generator
            "verbose": -9,
            "verb_disp": 0,
            "verb_log": 0,
            "verb_filenameprefix": "",
            "signals_filename": "",  # else options would be read from a file of that name wherever we stand
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
    """The `cma` library. Raises UsageError where it is not installed."""
    try:
        return import_module("cma")  # it has no types, and not everybody has it
    except ImportError:
        raise UsageError('CMA-ES needs the cma library: pip install "emubot[train]".') from None
