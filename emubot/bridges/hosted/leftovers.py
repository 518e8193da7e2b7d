"""What a child process leaves behind: its exit code, its output, folders of killed parents; starts no process."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = "emubot-core-"  # followed by the parent's process ID


def how_it_ended(code: int) -> str:
    """Returns an exit code of `subprocess` in words, to follow the name of the program."""
    if code >= 0:
        return f"ended by itself with exit code {code}"
    number = -code
    known = {sign.value for sign in signal.Signals}
    name = signal.Signals(number).name if number in known else f"signal {number}"
    return f"was ended by {name} ({signal.strsignal(number) or 'unknown'})"


def nameless_log() -> int:
    """Returns the descriptor of an unnamed file that vanishes when closed; all writes append, even after truncation."""
    with tempfile.TemporaryFile() as file:
        log = os.dup(file.fileno())
    fcntl.fcntl(log, fcntl.F_SETFL, fcntl.fcntl(log, fcntl.F_GETFL) | os.O_APPEND)
    return log


def sweep() -> None:
    """Remove the folders that killed parents left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}[0-9]*-*"):
        number = folder.name.removeprefix(FOLDER).partition("-")[0]
        if number.isdecimal() and not _is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)  # another user's folder cannot be removed and stays


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
