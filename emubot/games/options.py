"""The options of a family as data: each rule set declares those that it reads; knows no family and no command line.

A rule set declares its options as a class on `Values`, a field made by `option` each. `read` checks what was given and
returns an object of that class, with the defaults of what was not. Help, forms and tables are made from the same
declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from emubot.errors import UsageError
from emubot.games.kinds import Choice, OptionKind, WrongValue
from emubot.text import did_you_mean

if TYPE_CHECKING:
    from emubot.games.counts import Published
    from emubot.games.recipes import Recipe

_T = TypeVar("_T")
_OPTION: Final = "option"  # of a field's metadata
STRENGTH: Final = ("nodes", "budget_ms", "aim", "aggression", "see_next", "threads", "rng")  # what `play` tells a bot


@dataclass(frozen=True, slots=True)
class Option:
    """An option: `cap_lines` is `--cap-lines` on the command line.

    `default` is what it is if it is not given; None is what `usual` says in words, or nothing at all. `label` is short,
    for forms. An option that is `often` given is in the short help.
    """

    name: str
    kind: OptionKind[Any]
    default: Any
    help: str
    usual: str = ""
    label: str = ""
    often: bool = False

    @property
    def title(self) -> str:
        """What the option is called in a form."""
        return self.label or self.name.replace("_", " ").capitalize()

    @property
    def flag(self) -> str:
        """The option as it is written on the command line."""
        return flag_of(self.name)

    @property
    def notes(self) -> str:
        """The values that it may have, and its default, as they stand behind the help."""
        default = self.usual
        if not default and self.default not in (None, "") and not isinstance(self.default, bool):
            default = str(self.default)
        return "; ".join(part for part in (self.kind.bounds, default and f"default {default}") if part)

    @property
    def text(self) -> str:
        """The help with the notes."""
        return f"{self.help} ({self.notes})" if self.notes else self.help


@overload
def option(kind: OptionKind[_T], default: _T, text: str, *, often: bool = False) -> _T: ...
@overload
def option(kind: OptionKind[_T], default: None, text: str, usual: str = "", *, often: bool = False) -> _T | None: ...
def option(kind: OptionKind[_T], default: _T | None, text: str, usual: str = "", *, often: bool = False) -> Any:
    """Declares an option as a field of a class on `Values`; see Option."""
    return field(default=default, metadata={_OPTION: (kind, text, usual, often)})


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
class Bench:
    """The frames that `bench` simulates of a family, its choices in the menus, and the pieces of self-play.

    Each takes a few seconds at most.
    """

    frames: int = 10_000
    menus: Mapping[str, int] = field(default_factory=dict)
    pieces: int = 2_000


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What commands can be told about the games of a family.

    `menus` are choices in the menus of its cartridges, by the names of its maps; `strength` are those of `play` about
    how its bot thinks, of the names in STRENGTH. `check` raises UsageError where options of play that were given, by
    name, do not go together. `rule_sets` are the rules of `evaluate` and `train`, `self_play` those of `selfplay`; the
    first one for the number of players is taken where none is named. `recipes` returns the runs of `train` by
    method, and a method without one has a plain run. `selfplay` tells the odds of so much as `marks`, and `published`
    runs beside its own.
    """

    menus: tuple[Option, ...] = ()
    strength: tuple[Option, ...] = ()
    check: Callable[[Mapping[str, Any]], object] = dict
    rule_sets: tuple[RuleSet, ...] = ()
    self_play: tuple[RuleSet, ...] = ()
    recipes: Callable[[], Mapping[str, Recipe]] = dict
    bench: Bench = Bench()
    marks: tuple[int, ...] = ()
    published: tuple[Published, ...] = ()

    def menu_numbers(self, chosen: Mapping[str, int | str]) -> dict[str, int]:
        """Returns choices in the menus as numbers: a word is its place among the words of its option.

        Raises UsageError for a word that the family does not have.
        """
        kinds = {one.name: one.kind for one in self.menus}
        numbers = {}
        for name, value in chosen.items():
            kind = kinds.get(name)
            if isinstance(value, int):
                numbers[name] = value
            elif isinstance(kind, Choice) and value in kind.words:
                numbers[name] = kind.words.index(value)
            else:
                has = f"it is {' or '.join(kind.words)}" if isinstance(kind, Choice) else "leave it out"
                raise UsageError(f"{flag_of(name)} {value} is no choice of this game: {has}.")
        return numbers


def options_of(values: type[Values]) -> tuple[Option, ...]:
    """Returns the options that a class of values declares, those of its base classes first."""
    declared = ((each, each.metadata[_OPTION]) for each in fields(values) if _OPTION in each.metadata)
    return tuple(
        Option(each.name, kind, each.default, text, usual, often=often) for each, (kind, text, usual, often) in declared
    )


def usual_of(options: Iterable[Option]) -> frozenset[str]:
    """Returns the flags of the options that are often given; of all, if none is declared so."""
    listed = list(options)
    return frozenset(one.flag for one in listed if one.often) or frozenset(one.flag for one in listed)


def read(values: type[_V], given: Mapping[str, Any], where: str, called: Callable[[str], str] | None = None) -> _V:
    """Returns the given options as an object of this class, with the defaults of the others.

    `where` names the rules in messages ("the rules textbook"), and `called` says what an option is called there, by
    default its flag. Raises UsageError for an option that is not declared and for a value that its kind does not have.
    """
    called = called or flag_of
    known = {one.name: one for one in options_of(values)}
    for name in given:
        if name not in known:
            names = [called(one) for one in known]
            near, has = did_you_mean(called(name), names), ", ".join(names) or "none"
            raise UsageError(f"There is no {called(name)} for {where}{near}: its options are {has}.")
    checked = {}
    for name, value in given.items():
        try:
            checked[name] = known[name].kind.check(value)
        except WrongValue as wrong:
            raise UsageError(f"{called(name)} of {where} {wrong}.") from None
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
