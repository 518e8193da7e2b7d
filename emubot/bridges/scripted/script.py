"""The scripts that emulators load: what all have in common, and each emulator's own face, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

# The parts of each emulator's script, in their order.
_PARTS: Final = {
    "fceux": ("core", "sockets", "fceux"),
    "mesen": ("core", "sockets", "mesen"),
    "bizhawk": ("core", "bizhawk"),
}
SCRIPTED: Final = tuple(_PARTS)


def script_text(emulator: str) -> str:
    """Returns the Lua script for an emulator of `SCRIPTED`; how it is loaded stands at its head."""
    here = Path(__file__).parent
    parts = [here.joinpath(f"{part}.lua").read_text(encoding="utf-8") for part in _PARTS[emulator]]
    head, _, face = parts[-1].partition("\nlocal ")
    return "\n".join([f"{head}\n", *parts[:-1], f"local {face}"])
