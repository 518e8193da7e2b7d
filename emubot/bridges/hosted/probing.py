"""Asks a core file what it is, in a child process: a file that crashes when it is opened only costs an answer."""

from __future__ import annotations

from pathlib import Path

from emubot.bridges.hosted.available import why_not
from emubot.bridges.libretro import library
from emubot.bridges.libretro.library import CoreInfo


def probe_apart(path: Path) -> CoreInfo:
    """What `library.probe` tells of a core file, asked in a child process where there can be one.

    Raises CoreNotFound or CoreError if it is no usable NES core, CoreCrashed if the file takes its process down.
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
