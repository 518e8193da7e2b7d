"""Core files by system: their suffix, for which system and processor one is, and where other programs keep them."""

from __future__ import annotations

import os
import platform
import struct
import sys
from pathlib import Path
from typing import Final

_PROCESSORS: Final = {
    "amd64": "x86-64",
    "x86_64": "x86-64",
    "aarch64": "arm64",
    "arm64": "arm64",
    "i386": "x86",
    "i686": "x86",
}


def suffix() -> str:
    """Returns the end of a core file's name on this system, with the dot."""
    return {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def system() -> str | None:
    """Returns this system's name as a core is said to be made for it; None for one whose files are not known."""
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform)


def processor() -> str:
    """Returns the processor that this Python runs on: x86-64, arm64, x86, or the system's own word for another one."""
    word = platform.machine()
    name = _PROCESSORS.get(word.lower(), word)
    return "x86" if name == "x86-64" and struct.calcsize("P") == 4 else name  # a 32-bit Python on a 64-bit system


def orders_writes() -> bool:
    """Returns whether this processor shows memory to others in the order in which it was written."""
    return platform.machine().lower() in {"x86_64", "amd64"}


def retroarch_folders() -> list[Path]:
    """Returns RetroArch's own core folders, the usual one first, and those of Linux distributions."""
    home = Path.home()
    if sys.platform == "win32":
        usual = Path(f"{os.environ.get('SYSTEMDRIVE', 'C:')}/RetroArch-Win64/cores")  # where its installer puts it
        roaming = Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
        programs = Path(os.environ.get("PROGRAMFILES", "C:/Program Files"))
        return [usual, *(base / "RetroArch" / "cores" for base in (roaming, programs))]
    if sys.platform == "darwin":
        return [home / "Library/Application Support/RetroArch/cores"]
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return [
        config / "retroarch/cores",
        home / ".var/app/org.libretro.RetroArch/config/retroarch/cores",
        *sorted(Path("/usr/lib").glob("*/libretro")),
        Path("/usr/lib/libretro"),
        Path("/usr/lib64/libretro"),
    ]
