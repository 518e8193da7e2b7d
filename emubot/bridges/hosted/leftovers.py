"""What a child process leaves: how it ended, what it printed, folders of parents that were killed; starts none."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = "emubot-core-"  # then the number of the parent


def how_it_ended(code: int) -> str:
    """What an exit code of `subprocess` says, to follow the name of what ran."""
    if code >= 0:
        return f"ended by itself with exit code {code}"
    number = -code
    known = {one.value for one in signal.Signals}
    name = signal.Signals(number).name if number in known else f"signal {number}"
    return f"was ended by {name} ({signal.strsignal(number) or 'unknown'})"


def nameless_log() -> int:
    """A file that is gone when nobody has it open; what is written goes to its end, wherever that is."""
    with tempfile.TemporaryFile() as file:
        log = os.dup(file.fileno())
    fcntl.fcntl(log, fcntl.F_SETFL, fcntl.fcntl(log, fcntl.F_GETFL) | os.O_APPEND)
    return log


def sweep() -> None:
    """Remove the folders of parents that were killed before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}[0-9]*-*"):
        number = folder.name.removeprefix(FOLDER).partition("-")[0]
        if number.isdecimal() and not _is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)  # another user's stays: it cannot be removed


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
