"""Probes a core file in a child process, so that a file that crashes on opening does no harm; knows no cartridge."""

from __future__ import annotations

from pathlib import Path

from emubot.bridges.hosted.available import why_not
from emubot.bridges.libretro import library
from emubot.bridges.libretro.library import CoreInfo


def probe_apart(path: Path) -> CoreInfo:
    """Returns `library.probe` of a core file, run in a child process if possible.

    Raises CoreNotFound or CoreError if it is no usable NES core, CoreCrashed if the file crashes its process.
    """
    if why_not() is not None:
        return library.probe(path)
    from emubot.bridges.hosted.process import OPENING_LIMIT, ChildProcess

    child = ChildProcess(f"The core {path}", "no cartridge")
    try:
        told, _ = child.ask("probe", path=str(path), limit=OPENING_LIMIT)
    finally:
        child.close()
    return CoreInfo(told["name"], told["version"], tuple(told["extensions"]), told["need_fullpath"])
