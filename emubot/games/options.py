"""The options of a trial, checked by name and range; knows no family and no command line."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from emubot.errors import UsageError
from emubot.text import did_you_mean


def check_rules(rules: str, known: Collection[str], family: str) -> None:
    """Raise UsageError if `rules` is none of the known ones of a family."""
    if rules not in known:
        near = did_you_mean(rules, known)
        raise UsageError(f"{family} has no rules {rules!r}{near}; known: {', '.join(known)}.")


class Options:
    """The given options by name. Messages write `cap_lines` as `--cap-lines`."""

    def __init__(self, given: Mapping[str, Any], where: str, known: Sequence[str]) -> None:
        """Raises UsageError if an option is not `known`. `where` names the rules in messages ("the rules textbook")."""
        self._given, self._where = given, where
        unknown = [name for name in given if name not in known]
        if unknown:
            has = ", ".join(map(_option, known)) or "none"
            near = did_you_mean(_option(unknown[0]), map(_option, known))
            raise UsageError(f"There is no {_option(unknown[0])} for {where}{near}: its options are {has}.")

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """Returns a whole number from `low` to `high`. Raises UsageError for anything else."""
        value = self._given.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise UsageError(f"{_option(name)} of {self._where} is a whole number from {low} to {high}, not {value!r}.")
        return value

    def positive(self, name: str) -> float | None:
        """Returns a number above 0, or None if it was not given. Raises UsageError for anything else."""
        value = self._given.get(name)
        if value is None:
            return None
        if type(value) not in (int, float) or not 0 < value < math.inf:
            raise UsageError(f"{_option(name)} of {self._where} is a number above 0, not {value!r}.")
        return float(value)

    def share(self, name: str, default: float) -> float:
        """Returns a number from 0 to 1. Raises UsageError for anything else."""
        value = self._given.get(name, default)
        if type(value) not in (int, float) or not 0 <= value <= 1:
            raise UsageError(f"{_option(name)} of {self._where} is a number from 0 to 1, not {value!r}.")
        return float(value)

    def text(self, name: str, default: str) -> str:
        """Returns a word, for the caller to check. Raises UsageError for anything else."""
        value = self._given.get(name, default)
        if not isinstance(value, str):
            raise UsageError(f"{_option(name)} of {self._where} is a word, not {value!r}.")
        return value

    def choice(self, name: str, default: str, words: Sequence[str]) -> str:
        """Returns one of `words`. Raises UsageError for anything else."""
        value = self.text(name, default)
        if value not in words:
            near = did_you_mean(value, words)
            raise UsageError(f"{_option(name)} of {self._where} is {' or '.join(words)}, not {value!r}{near}.")
        return value

    def flag(self, name: str) -> bool:
        """Returns whether the option was given. Raises UsageError if its value is not true or false."""
        value = self._given.get(name, False)
        if not isinstance(value, bool):
            raise UsageError(f"{_option(name)} of {self._where} is given or not, it takes no {value!r}.")
        return value


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
