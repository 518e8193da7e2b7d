"""Finds libretro cores on this machine; opens none of them and never looks in the current folder."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

from emubot.datafiles import user_data
from emubot.errors import CoreNotFound, UsageError
from emubot.systems.cores import retroarch_folders, suffix
from emubot.text import did_you_mean

# Tried in this order if no core is named; both are tested. FCEUmm is first because "emubot core install" installs it
# and because it needs half the time per frame. Nestopia is stricter about cartridges and states.
PREFERRED = ("fceumm", "nestopia")

_SHORT_NAME = re.compile(r"[A-Za-z0-9_-]+")


def find_core(core: str | None = None) -> Path:
    """Returns the core file for a path, a short name (`nestopia`) or None (the first preferred core found).

    Raises CoreNotFound with the folders searched, UsageError if `core` is neither a name nor a path.
    """
    if core is not None and _is_path(core):
        path = Path(core).expanduser().absolute()
        if not path.is_file():
            raise CoreNotFound(f"There is no core file {core}: give the path of a *_libretro{suffix()} file.")
        return path
    if core is not None and not _SHORT_NAME.fullmatch(core):
        raise UsageError(f"{core!r} is neither a core's short name nor a path: try fceumm, nestopia or a file.")
    names = PREFERRED if core is None else (core.lower().removesuffix("_libretro"),)
    paths = found_cores(names)
    if not paths:
        what = "NES core" if core is None else f"core {core!r}{did_you_mean(core, PREFERRED)}"
        looked = ", ".join(map(str, folders()))
        raise CoreNotFound(
            f'No {what} found. Run "emubot core install", or point --core at a *_libretro file (looked in: {looked}).'
        )
    return paths[0]


def found_cores(names: tuple[str, ...] = PREFERRED) -> list[Path]:
    """Returns the core files of these names in the order of preference, folder by folder; each file once."""
    candidates = [folder / f"{name}_libretro{suffix()}" for folder in folders() for name in names]
    unique = {path.resolve(): path for path in reversed(candidates) if path.is_file()}
    return list(reversed(unique.values()))


def install_folder() -> Path:
    """Returns the folder of `emubot core install`; it need not exist."""
    return user_data("cores")


def folders() -> list[Path]:
    """Returns the folders to search, in order: EMUBOT_CORES, the user's data folder, folders of other programs."""
    named = [Path(word) for word in os.environ.get("EMUBOT_CORES", "").split(os.pathsep) if word]
    known = [*(path.absolute() for path in named), install_folder(), *retroarch_folders(), *_stable_retro_folder()]
    return list(dict.fromkeys(known))


def _stable_retro_folder() -> list[Path]:
    """Returns the core folder of an installed stable-retro, without importing it."""
    spec = find_spec("stable_retro")
    return [Path(place) / "cores" for place in (spec.submodule_search_locations or [])] if spec else []


def _is_path(core: str) -> bool:
    separators = {os.sep, os.altsep or os.sep}
    return any(mark in core for mark in separators) or core.lower().endswith((".so", ".dylib", ".dll"))
