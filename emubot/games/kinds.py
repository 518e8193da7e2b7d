"""The kinds of values that an option may have, with their ranges; knows no option, no family and no command line."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from emubot.text import did_you_mean

_T = TypeVar("_T")
_UNBOUNDED: Final = 1_000_000  # a bound from here on is only there to keep numbers sane: help does not tell it


class WrongValue(Exception):
    """What an option is instead, as the rest of a sentence about it."""


@dataclass(frozen=True, slots=True)
class OptionKind(ABC, Generic[_T]):
    """The values that an option may have. `metavar` stands for the value in help."""

    metavar: str

    @abstractmethod
    def check(self, value: object) -> _T:
        """Returns the value. Raises WrongValue for another one."""

    @property
    def bounds(self) -> str:
        """The values in words for help; nothing where the metavar or the help says it."""
        return ""


@dataclass(frozen=True, slots=True)
class Whole(OptionKind[int]):
    """A whole number from `low` to `high`, both included; no `high`: as far as one can count."""

    metavar: str = "N"
    low: int = 0
    high: int | None = None

    def check(self, value: object) -> int:
        """See OptionKind."""
        if type(value) is not int or value < self.low or (self.high is not None and value > self.high):
            most = f"from {self.low} to {self.high}" if self.high is not None else f"of at least {self.low}"
            allowed = str(self.low) if self.low == self.high else f"a whole number {most}"
            raise WrongValue(f"is {allowed}, not {value!r}")
        return value

    @property
    def bounds(self) -> str:
        """See OptionKind."""
        if self.low == self.high:
            return f"only {self.low}"
        if self.high is not None and self.high < _UNBOUNDED:
            return f"{self.low} to {self.high:,}"
        return f"at least {self.low}" if self.low > 0 else ""


@dataclass(frozen=True, slots=True)
class Milliseconds(OptionKind[float]):
    """A time in milliseconds, above 0."""

    metavar: str = "MS"

    def check(self, value: object) -> float:
        """See OptionKind."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
            raise WrongValue(f"is a number above 0, not {value!r}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Share(OptionKind[float]):
    """A number from 0 to 1."""

    metavar: str = "0..1"

    def check(self, value: object) -> float:
        """See OptionKind."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            raise WrongValue(f"is a number from 0 to 1, not {value!r}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Text(OptionKind[str]):
    """A word that its reader checks, or a file's name; `words` are usual ones, which forms offer."""

    words: tuple[str, ...] = ()

    def check(self, value: object) -> str:
        """See OptionKind."""
        if not isinstance(value, str):
            raise WrongValue(f"is a word, not {value!r}")
        return value


@dataclass(frozen=True, slots=True)
class Choice(OptionKind[str]):
    """One of some words; in a menu a word stands for its place among them."""

    metavar: str = field(init=False)
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "metavar", "|".join(self.words))

    def check(self, value: object) -> str:
        """See OptionKind."""
        if not isinstance(value, str):
            raise WrongValue(f"is a word, not {value!r}")
        if value not in self.words:
            raise WrongValue(f"is {' or '.join(self.words)}, not {value!r}{did_you_mean(value, self.words)}")
        return value


@dataclass(frozen=True, slots=True)
class Flag(OptionKind[bool]):
    """Given or not."""

    metavar: str = ""

    def check(self, value: object) -> bool:
        """See OptionKind."""
        if not isinstance(value, bool):
            raise WrongValue(f"is given or not, it takes no {value!r}")
        return value
