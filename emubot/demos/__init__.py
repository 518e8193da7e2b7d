"""The project's own demo cartridges: 6502 sources and the assembled images; knows no emulator and no game family."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from emubot.errors import UsageError
from emubot.text import did_you_mean

_FOLDER = Path(__file__).resolve().parent

# By the name that a family offers. The first two keep the documented memory layout of their family's game.
IMAGES: Final = {"tetris": "blocks.nes", "puyo": "pairs.nes", "capsules": "capsules.nes"}
FIRST: Final = next(iter(IMAGES))  # what is meant where none is named


def image(name: str) -> Path:
    """Returns the assembled cartridge for `--demo NAME`. Raises UsageError if there is none of that name."""
    try:
        return _FOLDER / IMAGES[name]
    except KeyError:
        near = did_you_mean(name, IMAGES)
        raise UsageError(f"There is no demo cartridge {name!r}{near}; known: {', '.join(sorted(IMAGES))}.") from None
