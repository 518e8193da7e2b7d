"""Which bridges can run in a child process, and whether this system allows it; starts none."""

from __future__ import annotations

import os
import sys
from typing import Final

from emubot.datafiles import is_standalone

HOSTED: Final = ("libretro", "cynes")  # bridges whose emulator runs inside a Python process


def why_not() -> str | None:
    """Returns why a child process is impossible here, as the end of a sentence; None if it is possible."""
    if os.name != "posix":
        return "this system does not pass open files on to a child process"
    if is_standalone() or not sys.executable:
        return "there is no Python interpreter to start it with"
    return None
