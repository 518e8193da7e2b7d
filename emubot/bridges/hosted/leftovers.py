"""The folders that killed parents of child processes leave behind; starts no process."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from emubot.systems.processes import is_alive

FOLDER: Final = "emubot-core-"  # followed by the parent's process ID


def sweep() -> None:
    """Remove the folders that killed parents left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}[0-9]*-*"):
        number = folder.name.removeprefix(FOLDER).partition("-")[0]
        if number.isdecimal() and not is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)  # another user's folder cannot be removed and stays
