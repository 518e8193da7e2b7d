"""What an optimiser is: `ask` returns vectors to measure, `tell` takes their fitness.

Every optimiser is made by `Name(settings, dimension, seed)` and draws from one generator only. Between two generations
it is its `state` and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.training.state import dumped, generator, restored, stored_count

Vector = NDArray[np.float64]  # (n,)
Vectors = NDArray[np.float64]  # (n, d): one candidate per row

MOST: Final = 100_000  # candidates of a generation, particles, weights: more is a typing error
_Settings = TypeVar("_Settings")
FARTHEST: Final = 1e12  # for a first weight: its products are still ordinary numbers


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates to measure, float64 (n, d), and which of them meet; without couples each is measured alone."""

    candidates: Vectors
    couples: tuple[tuple[int, int], ...] = ()


class Optimiser(Protocol):
    """A search for the vector with the largest fitness. `state` and `resume` lose nothing."""

    @property
    def generation(self) -> int:
        """The number of generations that `tell` has finished."""

    def ask(self) -> Candidates:
        """Returns the generation to measure; the same one until `tell`."""

    def tell(self, fitness: Vector) -> None:
        """Take the fitness of each candidate of `ask`, finite, (n,), larger is better.

        In couples it is each candidate's mean over its games. Raises ValueError if the shape is wrong or a number is
        not finite.
        """

    def favourites(self, count: int) -> Vectors:
        """Returns up to `count` vectors worth measuring again at the end, best guess first, (1 to count, d)."""

    def state(self) -> dict[str, Any]:
        """Returns the whole state as JSON values, settings included; floats come back exactly."""

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """Returns an optimiser that continues exactly as the one with this state would."""


class Generational(Generic[_Settings]):
    """What the small optimisers have in common: settings, the number of the generation, and one generator."""

    settings_class: ClassVar[type[Any]]
    settings: _Settings
    generation: int
    _rng: np.random.Generator

    def _begin(self, settings: _Settings, seed: int) -> None:
        """Begin with generation 0."""
        self.settings, self.generation, self._rng = settings, 0, generator(seed)

    def _shared_state(self) -> dict[str, Any]:
        """Returns what `_restored` takes, as JSON values; a method adds its own."""
        return {"settings": asdict(cast(Any, self.settings)), "generation": self.generation, "rng": dumped(self._rng)}

    @classmethod
    def _restored(cls, state: Mapping[str, Any]) -> Self:
        """Returns an optimiser with the settings, generation and generator of a state, and nothing else yet."""
        method = cls.__new__(cls)
        method.settings = cls.settings_class(**state["settings"])
        method.generation = stored_count(state["generation"])
        method._rng = restored(state["rng"])
        return method


def checked_fitness(fitness: Vector, count: int) -> Vector:
    """Returns the fitness, checked. Raises ValueError if the shape is wrong or a number is not finite."""
    values = np.asarray(fitness, dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError(f"the fitness of {count} candidates is so many finite numbers, not {values!r}")
    return values


def best_first(fitness: Vector) -> NDArray[np.intp]:
    """Returns the candidates' indices by fitness, the best first; of equal ones the earlier one."""
    return np.argsort(-fitness, kind="stable")


def dimension_of(dimension: int, least: int = 1) -> int:
    """Returns the number of weights, checked. Raises UsageError."""
    whole("number of weights", dimension, least)
    return dimension


def whole(name: str, value: int, least: int, most: int = MOST) -> None:
    """Check a whole number. Raises UsageError."""
    if not (isinstance(value, int) and least <= value <= most):
        raise UsageError(f"The {name} must be a whole number from {least} to {most:,}, not {value!r}.")


def between(name: str, value: float, least: float, most: float) -> None:
    """Check a number. Raises UsageError."""
    if not (math.isfinite(value) and least <= value <= most):
        raise UsageError(f"The {name} must be a number from {least:g} to {most:g}, not {value!r}.")


def in_couples(population: int) -> None:
    """Check the number of candidates that play in couples. Raises UsageError."""
    whole("population", population, 2)
    if population % 2:
        raise UsageError(f"The population plays in couples: give an even number, not {population}.")


def ranging(low: float, high: float) -> None:
    """Check the range that first vectors are drawn from. Raises UsageError."""
    between("low end of the first vectors", low, -FARTHEST, FARTHEST)
    between("high end of the first vectors", high, -FARTHEST, FARTHEST)
    if low >= high:
        raise UsageError(
            f"First vectors are drawn from a range whose low end is below its high end, not {low}..{high}."
        )
