"""A form as data: options of a subcommand with what each may be; knows no subcommand, and draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from emubot.errors import UsageError
from emubot.games.declared import Shared
from emubot.games.kinds import Choice, Flag, Milliseconds, Share, Text, Whole

_MOST: Final = 2**31 - 1  # of a number without a bound
Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class FormOption:
    """A choice of the form. `flag` is the option of the subcommand; None for what has none of its own.

    A `choice` has `choices`, (value, text); a `number` has its range; a `flag` is on or off. `default` is chosen at
    first. `games` are the families that read it (none named: all), `about` says more. `owners` are the families of
    choices that not all games have.
    """

    name: str
    label: str
    group: str
    kind: Literal["choice", "number", "flag"]
    flag: str | None = None
    choices: Sequence[tuple[str, str]] = ()
    low: float = 0
    high: float = 0
    whole: bool = True
    default: Value | None = None
    games: Sequence[str] = ()
    about: str = ""
    owners: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(self, value: Value) -> None:
        """Raise UsageError for a value that the form does not offer."""
        if self.kind == "flag":
            fits = isinstance(value, bool)
        elif self.kind == "choice":
            fits = isinstance(value, str) and value in {known for known, _ in self.choices}
        else:
            fits = (
                isinstance(value, (int, float))
                and not isinstance(value, bool)
                and self.low <= value <= self.high
                and (not self.whole or value == int(value))
            )
        if not fits:
            raise UsageError(f"{self.label} cannot be {value!r}: choose one of what the page offers.")

    def words(self, value: Value) -> list[str]:
        """Returns the words of the command line for this value."""
        if self.flag is None or value is False:
            return []
        if value is True:
            return [self.flag]
        return [self.flag, f"{value:g}" if isinstance(value, float) else str(value)]

    def data(self) -> dict[str, Any]:
        """Returns the option as plain data for the page."""
        return {
            "name": self.name,
            "label": self.label,
            "group": self.group,
            "kind": self.kind,
            "choices": [list(pair) for pair in self.choices],
            "low": self.low,
            "high": self.high,
            "whole": self.whole,
            "default": self.default,
            "games": list(self.games),
            "about": self.about,
            "owners": {value: list(games) for value, games in self.owners.items()},
        }


def checked(options: Sequence[FormOption], chosen: Mapping[str, Value]) -> list[tuple[FormOption, Value]]:
    """Returns what was chosen, option by option. Raises UsageError for an option or a value that is not offered."""
    known = {one.name: one for one in options}
    for name, value in chosen.items():
        if name not in known:
            raise UsageError(f"There is no option {name!r} here.")
        known[name].check(value)
    return [(known[name], value) for name, value in chosen.items()]


def of_games(options: Iterable[Shared], group: str) -> tuple[FormOption, ...]:
    """Returns options of families for a form, as far as a page may choose them: words that name files it may not."""
    found = []
    for shared in options:
        option, kind = shared.option, shared.option.kind
        made = FormOption(
            option.name, option.title, group, "number", option.flag, games=shared.families, about=shared.text
        )
        if isinstance(kind, Whole):
            found.append(replace(made, low=kind.low, high=_MOST if kind.high is None else kind.high))
        elif isinstance(kind, Milliseconds):
            found.append(replace(made, low=0.1, high=1000, whole=False))
        elif isinstance(kind, Share):
            found.append(replace(made, high=1, whole=False))
        elif isinstance(kind, Flag):
            found.append(replace(made, kind="flag"))
        elif isinstance(kind, Choice | Text) and kind.words:
            found.append(replace(made, kind="choice", choices=same(*kind.words)))
    return tuple(found)


def same(*values: str) -> list[tuple[str, str]]:
    """Returns choices that are called what they are."""
    return [(value, value) for value in values]
