"""Finds the data folders: shipped in the package, beside it in a checkout, or the user's own; knows no file format."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """Returns the folder `ram_maps` or `weights`: in the installed package or, in a checkout, in the repository."""
    packaged = _PACKAGE / f"_{folder}"
    return packaged if packaged.is_dir() else _PACKAGE.parent / folder


def is_standalone() -> bool:
    """Returns whether this is the stand-alone program, which has no Python interpreter to start and no pip."""
    return bool(getattr(sys, "frozen", False))


def user_config(folder: str) -> Path:
    """Returns the user's own folder of that name, searched before the shipped one; it need not exist."""
    return Path(platformdirs.user_config_dir("emubot", appauthor=False)) / folder


def user_data(folder: str) -> Path:
    """Returns the folder for what emubot installs for this user (cores); it need not exist."""
    return Path(platformdirs.user_data_dir("emubot", appauthor=False)) / folder


def user_cache() -> Path:
    """Returns the folder for what can be made anew (kernels, notes on emulators): EMUBOT_CACHE_DIR or the user's."""
    return Path(os.environ.get("EMUBOT_CACHE_DIR") or platformdirs.user_cache_dir("emubot", appauthor=False))


def find(folder: str, name: str, suffix: str) -> list[Path]:
    """Returns candidate files for NAME in order of precedence: an explicit path, the user's folder, the shipped one."""
    explicit = [Path(name)] if name.endswith(suffix) or "/" in name or "\\" in name else []
    return explicit or [base / f"{name}{suffix}" for base in (user_config(folder), shipped(folder))]
