"""The project's own demo cartridges: 6502 sources and the assembled images; knows no emulator and no game family."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from emubot.errors import UsageError

_FOLDER = Path(__file__).resolve().parent

# By game family: the cartridge keeps the documented memory layout of that family's game.
IMAGES: Final = {"tetris": "blocks.nes", "puyo": "pairs.nes"}


def image(name: str) -> Path:
    """Returns the assembled cartridge for `--demo NAME`. Raises UsageError if there is none of that name."""
    try:
        return _FOLDER / IMAGES[name]
    except KeyError:
        raise UsageError(f"there is no demo cartridge {name!r}; known: {', '.join(sorted(IMAGES))}") from None
