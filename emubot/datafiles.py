"""Where the shipped data folders are: in the installed package, or beside it in a checkout; knows no file format."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The folder `ram_maps` or `weights` as installed (wheel) or, in a checkout, at the top of the repository."""
    packaged = _PACKAGE / f"_{folder}"
    return packaged if packaged.is_dir() else _PACKAGE.parent / folder


def user_config(folder: str) -> Path:
    """The user's own folder of that name, looked at before the shipped one; it need not exist."""
    return Path(platformdirs.user_config_dir("emubot", appauthor=False)) / folder


def user_data(folder: str) -> Path:
    """A folder for what emubot installs for this user (cores); it need not exist."""
    return Path(platformdirs.user_data_dir("emubot", appauthor=False)) / folder


def user_cache() -> Path:
    """The folder for what can be made anew (kernels, notes on emulators): EMUBOT_CACHE_DIR, or the user's own."""
    return Path(os.environ.get("EMUBOT_CACHE_DIR") or platformdirs.user_cache_dir("emubot", appauthor=False))


def find(folder: str, name: str, suffix: str) -> list[Path]:
    """Candidate files for NAME in order of precedence: an explicit path, the user's folder, the shipped one."""
    explicit = [Path(name)] if name.endswith(suffix) or "/" in name or "\\" in name else []
    return explicit or [base / f"{name}{suffix}" for base in (user_config(folder), shipped(folder))]
