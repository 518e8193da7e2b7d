"""The results of self-play as counts that can be added; knows no family, no file and no statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Watches self-play: gets the number of pieces placed so far, several times a second; returns whether to go on.
Watch: TypeAlias = Callable[[int], bool]

_NUMBERS: Final = ("pieces", "deaths", "all_clears", "score", "lines")
_HISTOGRAMS: Final = ("heights", "chains")


def _none() -> NDArray[np.int64]:
    return np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Totals over locks; `+` adds two of them, in any order.

    `pieces` counts locks, `deaths` lost games, `all_clears` locks that left an empty playfield. `score` and `lines` are
    sums over all games. `heights[n]` counts the locks that left n in the family's own measure: n puyos (Puyo) or a
    stack of n rows (Tetris), measured after all effects of the lock. `chains[n]` counts the locks that started a chain
    of n steps (Puyo) or cleared n lines (Tetris). Both are int64, of any length, and sum to `pieces`.
    """

    pieces: int = 0
    deaths: int = 0
    all_clears: int = 0
    score: int = 0
    lines: int = 0
    heights: NDArray[np.int64] = field(default_factory=_none)
    chains: NDArray[np.int64] = field(default_factory=_none)

    def __post_init__(self) -> None:
        """Raises ValueError if the figures contradict each other."""
        for name in _NUMBERS:
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is below 0")
        for name in _HISTOGRAMS:
            histogram = getattr(self, name)
            if histogram.ndim != 1 or (histogram < 0).any() or int(histogram.sum()) != self.pieces:
                raise ValueError(f"{name} does not count {self.pieces} pieces")

    def __add__(self, other: Counts) -> Counts:
        numbers = [getattr(self, name) + getattr(other, name) for name in _NUMBERS]
        return Counts(*numbers, *(_summed(getattr(self, name), getattr(other, name)) for name in _HISTOGRAMS))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _NUMBERS))

    @property
    def highest(self) -> int:
        """The most that any lock left (see `heights`); 0 if there was no lock."""
        return len(_trimmed(self.heights)) - 1

    @property
    def longest(self) -> int:
        """The longest chain (Tetris: the most lines at once); 0 if there was none."""
        return len(_trimmed(self.chains)) - 1

    def as_dict(self) -> dict[str, Any]:
        """Returns plain integers and lists for JSON; a histogram ends at its last count that is not 0."""
        stored: dict[str, Any] = {name: int(getattr(self, name)) for name in _NUMBERS}
        return stored | {name: [int(count) for count in _trimmed(getattr(self, name))] for name in _HISTOGRAMS}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Counts:
        """Returns the counts of an `as_dict` result. Raises ValueError for anything else."""
        if set(stored) != {*_NUMBERS, *_HISTOGRAMS}:
            raise ValueError(f"the figures must be {', '.join((*_NUMBERS, *_HISTOGRAMS))}")
        checked: dict[str, Any] = {name: _whole(stored[name]) for name in _NUMBERS}
        for name in _HISTOGRAMS:
            if not isinstance(stored[name], list) or not stored[name]:
                raise ValueError(f"{name} must be a list of counts")
            checked[name] = np.array([_whole(count) for count in stored[name]], dtype=np.int64)
        return cls(**checked)


@dataclass(frozen=True, slots=True)
class Published:
    """A run of self-play as its author reports it: of these weights, rules and options.

    `odds` are (amount, log10 of the probability of that much or more), by the author's Gaussian fit.
    """

    weights_sha256: str
    rules: str
    options: Mapping[str, Any]
    source: str
    pieces: int
    deaths: int
    all_clears: int
    mean: float  # "about"
    highest: int
    odds: tuple[tuple[int, float], ...]

    def as_dict(self) -> dict[str, Any]:
        """Returns the source and the figures by name."""
        figures = {
            name: getattr(self, name) for name in ("source", "pieces", "deaths", "all_clears", "mean", "highest")
        }
        return figures | {"odds": {str(count): log10 for count, log10 in self.odds}}


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"{value!r} is not a count")
    return value


def _trimmed(histogram: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the histogram without the zeros at its end, but with at least one entry."""
    used = np.flatnonzero(histogram)
    return histogram[: int(used[-1]) + 1 if len(used) else 1]


def _summed(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    total = longer.astype(np.int64)
    total[: len(shorter)] += shorter
    return total
