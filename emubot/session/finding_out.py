"""Finds out how an unknown cartridge works, and keeps its map among the user's own; prints nothing."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.errors import StorageError, UsageError
from emubot.text import printable

if TYPE_CHECKING:
    from emubot.cartridge import Cartridge
    from emubot.discovery.attempt import Discovery
    from emubot.games.edition import Edition
    from emubot.session.request import SessionRequest

WITH_STATES: Final = ("libretro", "cynes")  # the bridges that go back to an earlier moment
_LONGEST: Final = 40  # characters of a map's name


def find_out(request: SessionRequest, cartridge: Cartridge, prepare: Callable[[Edition], None]) -> Discovery:
    """Experiment with a cartridge in an emulator of its own; `request.say` gets a line for each step.

    `prepare` is called with an edition before a pilot plays it. Raises NotDiscovered if nothing was proved, BridgeError
    if the emulator fails, UsageError for a bridge without save states.
    """
    from emubot.discovery.discover import discover
    from emubot.session.emulators import start_cartridge

    if request.bridge not in (None, *WITH_STATES):
        raise UsageError(
            f"Experiments need save states, and the bridge {request.bridge} has none: take --bridge "
            f"{' or '.join(WITH_STATES)}."
        )
    with contextlib.closing(start_cartridge(replace(request, emu_speed=None), cartridge)) as bridge:
        return discover(bridge, title_of(request, cartridge), cartridge.sha1, request.say, prepare)


def title_of(request: SessionRequest, cartridge: Cartridge) -> str:
    """Returns a title for an unknown cartridge: the name of its file."""
    return printable(request.rom.stem if request.rom is not None else cartridge.name)


def check_own_folder() -> None:
    """Raise StorageError, before the work begins, if no map can be kept in the user's folder."""
    from emubot.atomic import check_output

    check_output(_own_folder() / "new.yaml", force=True)


def keep(text: str, title: str) -> Path:
    """Write a map into the user's folder, by a name made of the title that no other map has; returns the file.

    Raises StorageError.
    """
    from emubot.atomic import write_whole
    from emubot.rammap.loader import SUFFIX, map_names

    folder, known, name = _own_folder(), {*map_names()}, name_for(title)
    number, free = 1, name
    while free in known or (folder / f"{free}{SUFFIX}").exists():
        number += 1
        free = f"{name}_{number}"
    path = folder / f"{free}{SUFFIX}"
    write_whole(path, text.encode("utf-8"))
    return path


def name_for(title: str) -> str:
    """Returns a map's name for a title: small letters, digits and `_`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "_", plain.lower())[:_LONGEST].strip("_") or "cartridge"


def _own_folder() -> Path:
    from emubot.datafiles import user_config
    from emubot.rammap.loader import FOLDER

    folder = user_config(FOLDER)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise StorageError(f"{folder} cannot be made: {failure.strerror or failure}.") from failure
    return folder
