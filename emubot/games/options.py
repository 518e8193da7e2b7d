"""The options of a family as data: each rule set declares those that it reads; knows no family and no command line.

A rule set declares its options as a class on `Values`, a field made by `option` each. `read` checks what was given and
returns an object of that class, with the defaults of what was not. Help, forms and tables are made from the same
declarations.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Generic, TypeVar, overload

from emubot.errors import UsageError
from emubot.text import did_you_mean

_T = TypeVar("_T")
_UNBOUNDED: Final = 1_000_000  # a bound from here on is only there to keep numbers sane: help does not tell it
_OPTION: Final = "option"  # of a field's metadata


class WrongValue(Exception):
    """What an option is instead, as the rest of a sentence about it."""


@dataclass(frozen=True, slots=True)
class Kind(ABC, Generic[_T]):
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
class Whole(Kind[int]):
    """A whole number from `low` to `high`, both included; no `high`: as far as one can count."""

    metavar: str = "N"
    low: int = 0
    high: int | None = None

    def check(self, value: object) -> int:
        """See Kind."""
        if type(value) is not int or value < self.low or (self.high is not None and value > self.high):
            most = f"from {self.low} to {self.high}" if self.high is not None else f"of at least {self.low}"
            raise WrongValue(f"is a whole number {most}, not {value!r}")
        return value

    @property
    def bounds(self) -> str:
        """See Kind."""
        if self.high is not None and self.high < _UNBOUNDED:
            return f"{self.low} to {self.high:,}"
        return f"at least {self.low}" if self.low > 0 else ""


@dataclass(frozen=True, slots=True)
class Milliseconds(Kind[float]):
    """A time in milliseconds, above 0."""

    metavar: str = "MS"

    def check(self, value: object) -> float:
        """See Kind."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
            raise WrongValue(f"is a number above 0, not {value!r}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Share(Kind[float]):
    """A number from 0 to 1."""

    metavar: str = "0..1"

    def check(self, value: object) -> float:
        """See Kind."""
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            raise WrongValue(f"is a number from 0 to 1, not {value!r}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Text(Kind[str]):
    """A word that its reader checks, or a file's name."""

    def check(self, value: object) -> str:
        """See Kind."""
        if not isinstance(value, str):
            raise WrongValue(f"is a word, not {value!r}")
        return value


@dataclass(frozen=True, slots=True)
class Choice(Kind[str]):
    """One of some words; in a menu a word stands for its place among them."""

    metavar: str = field(init=False)
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "metavar", "|".join(self.words))

    def check(self, value: object) -> str:
        """See Kind."""
        if not isinstance(value, str):
            raise WrongValue(f"is a word, not {value!r}")
        if value not in self.words:
            raise WrongValue(f"is {' or '.join(self.words)}, not {value!r}{did_you_mean(value, self.words)}")
        return value


@dataclass(frozen=True, slots=True)
class Flag(Kind[bool]):
    """Given or not."""

    metavar: str = ""

    def check(self, value: object) -> bool:
        """See Kind."""
        if not isinstance(value, bool):
            raise WrongValue(f"is given or not, it takes no {value!r}")
        return value


@dataclass(frozen=True, slots=True)
class Option:
    """An option: `cap_lines` is `--cap-lines` on the command line.

    `default` is what it is if it is not given; None is what `usual` says in words, or nothing at all.
    """

    name: str
    kind: Kind[Any]
    default: Any
    help: str
    usual: str = ""

    @property
    def flag(self) -> str:
        """The option as it is written on the command line."""
        return flag_of(self.name)

    @property
    def notes(self) -> str:
        """The values that it may have, and its default, as they stand behind the help."""
        default = self.usual or (
            ""
            if self.default is None or isinstance(self.default, bool)
            else f"{self.default:,}"
            if isinstance(self.default, int)
            else str(self.default)
        )
        return "; ".join(part for part in (self.kind.bounds, default and f"default {default}") if part)

    @property
    def text(self) -> str:
        """The help with the notes."""
        return f"{self.help} ({self.notes})" if self.notes else self.help


@overload
def option(kind: Kind[_T], default: _T, text: str) -> _T: ...
@overload
def option(kind: Kind[_T], default: None, text: str, usual: str = "") -> _T | None: ...
def option(kind: Kind[_T], default: _T | None, text: str, usual: str = "") -> Any:
    """Declares an option as a field of a class on `Values`; see Option."""
    return field(default=default, metadata={_OPTION: (kind, text, usual)})


@dataclass(frozen=True, kw_only=True)
class Values:
    """The options of a game with their values; `given` names those that were given."""

    given: frozenset[str] = frozenset()


_V = TypeVar("_V", bound=Values)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules by which games are measured, under all their names, and the options that they read; `about` is a line.

    `sides` is the number of players who meet. `note` says when these options count, if the name does not say it.
    """

    names: tuple[str, ...]
    about: str
    values: type[Values] = Values
    sides: int = 1
    note: str = ""

    @property
    def title(self) -> str:
        """The names, and when the options count."""
        return ", ".join(self.names) + (f" {self.note}" if self.note else "")

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of these rules, in the order of their declaration."""
        return options_of(self.values)


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What commands can be told about the games of a family.

    `menus` are choices in the menus of its cartridges, by the names of its maps; `strength` are those of `play` about
    how its bot thinks. `rule_sets` are the rules of `evaluate` and `train`, `self_play` those of `selfplay`; the first
    one for the number of players is taken where none is named.
    """

    menus: tuple[Option, ...] = ()
    strength: tuple[Option, ...] = ()
    rule_sets: tuple[RuleSet, ...] = ()
    self_play: tuple[RuleSet, ...] = ()


def options_of(values: type[Values]) -> tuple[Option, ...]:
    """Returns the options that a class of values declares, those of its base classes first."""
    declared = ((each, each.metadata[_OPTION]) for each in fields(values) if _OPTION in each.metadata)
    return tuple(Option(each.name, kind, each.default, text, usual) for each, (kind, text, usual) in declared)


def read(values: type[_V], given: Mapping[str, Any], where: str) -> _V:
    """Returns the given options as an object of this class, with the defaults of the others.

    `where` names the rules in messages ("the rules textbook"). Raises UsageError for an option that is not declared and
    for a value that its kind does not have.
    """
    known = {one.name: one for one in options_of(values)}
    for name in given:
        if name not in known:
            has = ", ".join(one.flag for one in known.values()) or "none"
            near = did_you_mean(flag_of(name), [one.flag for one in known.values()])
            raise UsageError(f"There is no {flag_of(name)} for {where}{near}: its options are {has}.")
    checked = {}
    for name, value in given.items():
        try:
            checked[name] = known[name].kind.check(value)
        except WrongValue as wrong:
            raise UsageError(f"{known[name].flag} of {where} {wrong}.") from None
    return values(**checked, given=frozenset(given))


def refuse_several(values: Values, names: Sequence[str]) -> None:
    """Raise UsageError if more than one of these options is given."""
    if len(values.given.intersection(names)) > 1:
        *most, last = map(flag_of, names)
        raise UsageError(f"Give one of {', '.join(most)} and {last}.")


def rules_for(rule_sets: Iterable[RuleSet], sides: int) -> list[str]:
    """Returns the names of the rules for this number of players."""
    return list(dict.fromkeys(name for one in rule_sets if one.sides == sides for name in one.names))


def check_rules(rules: str, known: Collection[str], family: str) -> None:
    """Raise UsageError if `rules` is none of the known ones of a family."""
    if rules not in known:
        near = did_you_mean(rules, known)
        raise UsageError(f"{family} has no rules {rules!r}{near}; known: {', '.join(known)}.")


def flag_of(name: str) -> str:
    """Returns an option's name as it is written on the command line."""
    return f"--{name.replace('_', '-')}"
