"""Means, errors, intervals, win rates and Gaussian odds: exact sums in, plain floats out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

Z95: Final = 1.959963984540054  # half the width of a 95 % interval, in standard errors
_LOG_TEN: Final = math.log(10)
_ERFC_LIMIT: Final = 30.0  # beyond it erfc nears the smallest float; the series is exact to 1e-6 long before


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and 95 % interval; for a single sample all but the mean is None."""

    mean: float
    se: float | None
    low95: float | None
    high95: float | None

    def scaled(self, factor: float) -> Estimate:
        """Returns the estimate in another unit."""
        scaled = [None if value is None else value * factor for value in (self.se, self.low95, self.high95)]
        return Estimate(self.mean * factor, *scaled)

    def as_dict(self) -> dict[str, float | None]:
        """Returns the figures under their documented names."""
        return {"mean": self.mean, "se": self.se, "low95": self.low95, "high95": self.high95}


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of games' figures: whole numbers stay whole and exact, logarithms are floats."""

    total: float = 0
    squares: float = 0
    count: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.total + other.total, self.squares + other.squares, self.count + other.count)

    @property
    def mean(self) -> float:
        """The mean; needs at least one game."""
        return self.total / self.count

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite for fewer than two games."""
        if self.count < 2:
            return math.inf
        spread = max(self.count * self.squares - self.total * self.total, 0)  # of integers, so nothing cancels
        return math.sqrt(spread / (self.count * (self.count - 1)) / self.count)

    def interval(self, is_share: bool = False) -> tuple[float, float]:
        """Returns the 95 % interval of the mean; `is_share` means that each figure is between 0 and 1."""
        if is_share:
            return share(self.mean, self.count)
        return self.mean - Z95 * self.error, self.mean + Z95 * self.error

    def estimate(self) -> Estimate | None:
        """Returns the mean with its error and interval; None without a game."""
        if self.count < 2:
            return Estimate(self.mean, None, None, None) if self.count else None
        return Estimate(self.mean, self.error, *self.interval())


def of_samples(samples: NDArray[Any]) -> Estimate:
    """Returns the mean of samples (n,), n at least 1, with its 95 % interval."""
    mean = float(samples.mean())
    if len(samples) < 2:
        return Estimate(mean, None, None, None)
    error = float(samples.std(ddof=1)) / math.sqrt(len(samples))
    return Estimate(mean, error, mean - Z95 * error, mean + Z95 * error)


def spread(samples: NDArray[Any]) -> dict[str, float]:
    """Returns a log's figures of samples (n,), n at least 1: the best, the mean and its 95 % interval."""
    estimated = of_samples(samples)
    low, high = (estimated.mean if bound is None else bound for bound in (estimated.low95, estimated.high95))
    return {"best": float(samples.max()), "mean": estimated.mean, "low95": low, "high95": high}


def win_rates(wins: NDArray[Any], draws: NDArray[Any]) -> NDArray[Any]:
    """Returns the win rate of each game: 1 for a win, 0.5 for a draw, else 0."""
    rates: NDArray[Any] = wins + draws / 2
    return rates


def share(mean: float, samples: int) -> tuple[float, float]:
    """Returns the 95 % interval of a probability whose share in `samples` trials is `mean`, by Wilson (1927).

    It lies within 0 and 1, and has a width even if the share is 0 or 1. Halves (draws) may be among the trials. Their
    spread is smaller, so the interval is then slightly too wide.
    """
    square = Z95 * Z95 / samples
    middle = (mean + square / 2) / (1 + square)
    half = Z95 * math.sqrt(max(mean * (1 - mean), 0.0) / samples + square / (4 * samples)) / (1 + square)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def moments(histogram: Sequence[int]) -> tuple[float, float]:
    """Returns mean and standard deviation of a histogram over 0, 1, 2, ..., also of its Gaussian; (0, 0) if empty."""
    count = sum(histogram)
    if count == 0:
        return 0.0, 0.0
    first = sum(value * times for value, times in enumerate(histogram))
    second = sum(value * value * times for value, times in enumerate(histogram))
    return first / count, math.sqrt((count * second - first * first) / (count * count))


def density(value: float, mean: float, deviation: float) -> float:
    """Returns the Gaussian's density at a value; 0 if it has no width."""
    if deviation <= 0:
        return 0.0
    return math.exp(-(((value - mean) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))


def log10_tail(value: float, mean: float, deviation: float) -> float:
    """Returns log10 of a Gaussian's probability of `value` or more; -inf if that is 0, above a Gaussian without width.

    The result is right far beyond the probabilities that a float can hold: log10_tail(100, 0, 1) is -2173.87...
    """
    if deviation <= 0:
        return 0.0 if value <= mean else -math.inf
    z = (value - mean) / deviation
    if z < _ERFC_LIMIT:
        return math.log10(math.erfc(z / math.sqrt(2)) / 2)
    series = 1 - z**-2 + 3 * z**-4 - 15 * z**-6
    return (-z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log(series)) / _LOG_TEN


def odds_text(log10: float) -> str:
    """Returns a probability as people write it: `0.123`, `2.3e-14`, `1.0e-89`; `0` for -inf."""
    if log10 == -math.inf:
        return "0"
    if log10 > -3:
        return f"{10**log10:.3f}"
    exponent = math.floor(log10)
    mantissa = round(10 ** (log10 - exponent), 1)
    return f"{mantissa:.1f}e{exponent}" if mantissa < 10 else f"1.0e{exponent + 1}"
