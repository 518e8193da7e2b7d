"""Writes the address map of a stranger of colours, as a person would who has read its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.toys.strangers.colours.map_data import map_of
from tests.toys.strangers.colours.stranger import Stranger

_HEX: Final = frozenset({"at", "hidden", "mask", "empty", "kinds", "codes", "none", "left", "right", "up", "down"})
_ADDRESSES: Final = frozenset({"at", "hidden"})


def map_text(stranger: Stranger) -> str:
    """Returns the YAML of its map."""
    lines = []
    for key, value in map_of(stranger).items():
        if key in ("pieces", "phases"):
            lines += [f"{key}:", *(f"  - {_flow(entry)}" for entry in value)]
        elif key == "menu":
            lines += ["menu:", *(f"  {name}: {_flow(part)}" for name, part in value.items() if name != "steps")]
            lines += ["  steps:", *(f"    - {_flow(step)}" for step in value["steps"])]
        elif isinstance(value, Mapping):
            is_hex = key in ("values", "piece_codes")
            lines += [f"{key}:", *(f"  {name}: {_flow(part, name, is_hex)}" for name, part in value.items())]
        else:
            lines.append(f"{key}: {value}")
    return "\n".join(lines) + "\n"


def _flow(value: Any, key: str = "", is_hex: bool = False) -> str:
    """Returns a value on one line; `is_hex` says that a bare number is an address or a code."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        is_hex = is_hex or key in _HEX
        return f"0x{value:0{4 if value > 0xFF or key in _ADDRESSES else 2}X}" if is_hex else str(value)
    if isinstance(value, Mapping):
        codes = key == "kinds"
        return "{ " + ", ".join(f"{name}: {_flow(part, name, codes)}" for name, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(part, key, is_hex) for part in value) + "]"
    return str(value)
