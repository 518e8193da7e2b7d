"""What an optimiser is: it asks for vectors to be measured and is told their fitness; knows no game and no file.

Every optimiser is made by `Name(settings, dimension, seed)`, draws from one generator only, and between two
generations is its `state` and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError

Vector = NDArray[np.float64]  # (n,)
Vectors = NDArray[np.float64]  # (n, d): one candidate a row

MOST: Final = 100_000  # candidates of a generation, particles, weights: beyond, somebody mistyped
FARTHEST: Final = 1e12  # for a weight to start from: its products still are ordinary numbers


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates to be measured, float64 (n, d), and which of them meet; no couples: each is measured alone."""

    candidates: Vectors
    couples: tuple[tuple[int, int], ...] = ()


class Optimiser(Protocol):
    """A search for the vector of largest fitness. Nothing told is ever forgotten between `state` and `resume`."""

    @property
    def generation(self) -> int:
        """How many generations were told."""

    def ask(self) -> Candidates:
        """The generation to be measured; the same until told."""

    def tell(self, fitness: Vector) -> None:
        """The fitness of each candidate asked for, finite, (n,), larger is better.

        Of couples: each one's mean over its games. Raises ValueError for another shape and for what is not finite.
        """

    def favourites(self, count: int) -> Vectors:
        """Up to `count` vectors worth measuring again at the end, best guess first, (1 to count, d)."""

    def state(self) -> dict[str, Any]:
        """All of it as JSON values, settings included; floats come back exactly."""

    @classmethod
    def resume(cls, state: Mapping[str, Any]) -> Self:
        """The optimiser that goes on exactly as the one whose state this is would have done."""


def checked_fitness(fitness: Vector, count: int) -> Vector:
    """What was told, checked. Raises ValueError for another shape and for what is not finite."""
    values = np.asarray(fitness, dtype=np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError(f"the fitness of {count} candidates is so many finite numbers, not {values!r}")
    return values


def stored(numbers: Any, *shape: int | None) -> NDArray[np.float64]:
    """The numbers of a state as an array of that shape, None for any length.

    Raises ValueError for another shape and for what is not finite: a damaged state is noticed before it is played.
    """
    array = np.array(numbers, dtype=np.float64)
    fits = array.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, array.shape, strict=True))
    if not fits or not np.isfinite(array).all():
        raise ValueError(f"finite numbers of the shape {shape} are stored, not of {array.shape}")
    return array


def stored_count(number: Any) -> int:
    """A count of a state. Raises ValueError for what is none."""
    if type(number) is not int or number < 0:
        raise ValueError(f"a whole number is stored, not {number!r}")
    return number


def stored_couples(couples: Any, count: int, population: int) -> tuple[tuple[int, int], ...]:
    """So many couples of a state. Raises ValueError for another number of them and for who is not of the population."""
    found = tuple((stored_count(one), stored_count(other)) for one, other in couples)
    if len(found) != count or any(max(couple) >= population or couple[0] == couple[1] for couple in found):
        raise ValueError(f"{count} couples of a population of {population} are stored")
    return found


def best_first(fitness: Vector) -> NDArray[np.intp]:
    """Candidates by fitness, the best first; of equals the earlier one."""
    return np.argsort(-fitness, kind="stable")


def dimension_of(dimension: int, least: int = 1) -> int:
    """How many weights are sought, checked. Raises UsageError."""
    whole("number of weights", dimension, least)
    return dimension


def whole(name: str, value: int, least: int, most: int = MOST) -> None:
    """Check a count. Raises UsageError."""
    if not (isinstance(value, int) and least <= value <= most):
        raise UsageError(f"The {name} must be a whole number from {least} to {most:,}, not {value!r}.")


def between(name: str, value: float, least: float, most: float) -> None:
    """Check a number. Raises UsageError."""
    if not (math.isfinite(value) and least <= value <= most):
        raise UsageError(f"The {name} must be a number from {least:g} to {most:g}, not {value!r}.")


def in_couples(population: int) -> None:
    """Check how many play in couples. Raises UsageError."""
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
