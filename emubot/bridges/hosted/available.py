"""Which bridges can run in a child process, whether this system allows it, and a core file that is probed in one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emubot.datafiles import is_standalone
from emubot.systems.processes import passes_files

if TYPE_CHECKING:
    from emubot.bridges.libretro import library

HOSTED: Final = ("libretro", "cynes")  # bridges whose emulator runs inside a Python process


def why_not() -> str | None:
    """Returns why a child process is impossible here, as the end of a sentence; None if it is possible."""
    if not passes_files():
        return "this system does not pass open files on to a child process"
    if is_standalone() or not sys.executable:
        return "there is no Python interpreter to start it with"
    return None


def probe_apart(path: Path) -> library.CoreInfo:
    """Returns `library.probe` of a core file, run in a child process if possible.

    Raises CoreNotFound or CoreError if it is no usable NES core, CoreCrashed if the file crashes its process.
    """
    from emubot.bridges.libretro import library

    if why_not() is not None:
        return library.probe(path)
    from emubot.bridges.hosted.process import OPENING_LIMIT, ChildProcess

    child = ChildProcess(f"The core {path}", "no cartridge")
    try:
        answer, _ = child.ask("probe", path=str(path), limit=OPENING_LIMIT)
    finally:
        child.close()
    return library.CoreInfo(answer["name"], answer["version"], tuple(answer["extensions"]), answer["need_fullpath"])
