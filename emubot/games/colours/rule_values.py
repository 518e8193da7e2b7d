"""Checks the value that a map or an option gives to a rule; knows no profile and no rule's meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from emubot.errors import MapError
from emubot.snapshot import Piece

MOST_POWER: Final = 9999


def checked(name: str, value: Any, example: Any, limits: Mapping[str, tuple[int, int]]) -> Any:
    """Returns the value, converted to the type of `example`, a profile's value.

    `limits` are the least and the most of each rule that is a number, and of the orientation of `spawn`. Raises
    MapError if the rule cannot have this value.
    """
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
    if isinstance(value, list | tuple) and _is_ints(value, len(value)) and all(0 <= v <= MOST_POWER for v in value):
        return tuple(value)
    raise MapError(f"The rule {name} is a list of numbers from 0 to {MOST_POWER}, not {value!r}: correct it.")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_ints(value: Any, length: int) -> bool:
    return isinstance(value, list | tuple) and 0 < len(value) == length and all(_is_int(part) for part in value)
