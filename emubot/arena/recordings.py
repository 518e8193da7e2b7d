"""The folder of what the page records: games and matches, by name; the page never sees a path."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from emubot.arena.replay import SUFFIX
from emubot.datafiles import user_data
from emubot.errors import UsageError

_MOST: Final = 200  # listed, the newest first


def folder() -> Path:
    """Returns the folder; it need not exist."""
    return user_data("recordings")


def new_match() -> Path:
    """Returns the file of a match that is written now."""
    return folder() / time.strftime(f"match-%Y%m%d-%H%M%S{SUFFIX}")


def new_game() -> Path:
    """Returns the file of a game of a cartridge that begins now."""
    return folder() / time.strftime("game-%Y%m%d-%H%M%S.npz")


def names() -> list[str]:
    """Returns the names of the recorded matches, the newest first."""
    if not folder().is_dir():
        return []
    return sorted((path.name for path in folder().glob(f"*{SUFFIX}")), reverse=True)[:_MOST]


def path_of(name: str) -> Path:
    """Returns the file of a recorded match. Raises UsageError if the list has no such name."""
    if name not in names():
        raise UsageError(f"There is no recorded match {name!r}: choose one from the list.")
    return folder() / name
