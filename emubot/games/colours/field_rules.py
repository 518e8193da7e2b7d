"""What each game of colours says of its field, and how a map or an option changes a rule; knows no profile."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeVar

from emubot.errors import MapError, UsageError
from emubot.snapshot import Piece
from emubot.text import did_you_mean

MOST_POWER: Final = 9999  # in a list without limits


@dataclass(frozen=True, slots=True)
class FieldRules:
    """The rules that pairs and matching games share. The top visible row is row 0; hidden rows are negative."""

    of_the_map: ClassVar[tuple[str, ...]] = ()  # what follows from the rest of a map, and is no rule of its own

    name: str
    columns: int
    visible_rows: int
    hidden_rows: int  # stored above the visible ones
    colors: int
    spawn: Piece  # where a piece enters
    previews: int  # next pieces shown

    @property
    def stored_rows(self) -> int:
        """The number of rows of a cells array, with the hidden rows."""
        return self.hidden_rows + self.visible_rows


Ruled = TypeVar("Ruled", bound=FieldRules)
Limits = Mapping[str, tuple[int, int]]


def profile_of(name: str, profiles: Mapping[str, Ruled]) -> Ruled:
    """Returns a profile's rules. Raises UsageError if there is none of this name."""
    if name not in profiles:
        raise UsageError(f"There are no rules {name!r}{did_you_mean(name, profiles)}: known are {', '.join(profiles)}.")
    return profiles[name]


def changed(
    base: Ruled,
    overrides: Mapping[str, Any],
    limits: Limits,
    words: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Ruled:
    """Returns rules with the `overrides` of a map or an option: numbers, booleans, words and lists by name.

    `limits` are the least and the most of each rule that is a number, of the orientation of `spawn`, and of the entries
    of a list that may be empty. `words` are those of the rules that are words, each by its number. Raises MapError if a
    rule does not exist, cannot have this value, or leaves an entry outside the field.
    """
    known = names_of(type(base))
    changes: dict[str, Any] = {}
    for name, value in overrides.items():
        if name not in known:
            raise MapError(f"There is no rule {name!r}{did_you_mean(name, known)}: known are {', '.join(known)}.")
        if name in words:
            changes[name] = _word(name, value, words[name])
        else:
            changes[name] = _checked(name, value, getattr(base, name), limits)
    return dataclasses.replace(base, **changes)


def names_of(rules: type[FieldRules]) -> list[str]:
    """Returns the names of the rules that a map or an option may change."""
    return [entry.name for entry in dataclasses.fields(rules) if entry.name not in ("name", *rules.of_the_map)]


def is_inside(rules: FieldRules, column: int, row: int) -> bool:
    """Returns whether the field has this cell."""
    return 0 <= column < rules.columns and -rules.hidden_rows <= row < rules.visible_rows


def _word(name: str, value: Any, words: Sequence[str]) -> int:
    if value not in words:
        raise MapError(f"The rule {name} is one of {', '.join(words)}, not {value!r}: correct it.")
    return words.index(value)


def _checked(name: str, value: Any, example: Any, limits: Limits) -> Any:
    """Returns the value, converted to the type of `example`, a profile's value."""
    if isinstance(example, bool):
        if isinstance(value, bool):
            return value
        raise MapError(f"The rule {name} is true or false, not {value!r}: correct it.")
    if isinstance(example, int):
        least, most = limits[name]
        if _is_int(value) and least <= value <= most:
            return value
        raise MapError(f"The rule {name} is a number from {least} to {most}, not {value!r}: correct it.")
    if isinstance(example, Piece):
        if isinstance(value, Piece):
            return value
        if _is_ints(value, 3) and limits[name][0] <= value[0] <= limits[name][1]:
            return Piece(*value)
        raise MapError(f"The rule {name} is [orientation, column, row], not {value!r}: correct it.")
    if name == "death_cells":
        if isinstance(value, list | tuple) and len(value) % 2 == 0 and _is_ints(value, len(value)):
            return tuple(zip(value[::2], value[1::2], strict=True))
        if isinstance(value, list | tuple) and value and all(_is_ints(cell, 2) for cell in value):
            return tuple((column, row) for column, row in value)
        raise MapError(f"The rule {name} is [column, row, column, row, ...], not {value!r}: correct it.")
    least, most = limits.get(name, (0, MOST_POWER))
    numbers = isinstance(value, list | tuple) and (_is_ints(value, len(value)) or (not value and name in limits))
    if numbers and all(least <= entry <= most for entry in value):
        return tuple(value)
    raise MapError(f"The rule {name} is a list of numbers from {least} to {most}, not {value!r}: correct it.")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_ints(value: Any, length: int) -> bool:
    return isinstance(value, list | tuple) and 0 < len(value) == length and all(_is_int(part) for part in value)
