"""A lock on a running emulator, and a note of emubot's changes to it that survives a kill.

Both are files in the user's cache folder, named after emulator, host and port.
"""

from __future__ import annotations

import functools
import logging
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from filelock import FileLock, Timeout

from emubot import datafiles
from emubot.atomic import write_whole
from emubot.errors import EmulatorBusy, StorageError

_LOG = logging.getLogger(__name__)
_LOOPBACK: Final = "127.0.0.1"
_LONGEST: Final = 4096  # bytes of a note; more is not read


class Attachment:
    """One emubot's claim on one running emulator; a folder that is not writable is no reason to stop."""

    def __init__(self, emulator: str, host: str, port: int) -> None:
        host = _LOOPBACK if host == "localhost" else host  # one emulator has one lock
        self._what = f"{emulator} at {host}:{port}"
        self._folder = folder()
        name = f"{emulator}-{quote(host, safe='')}-{port}"
        self._note = self._folder / f"{name}.changed"
        self._lock = FileLock(self._folder / f"{name}.lock", thread_local=False)
        self._noted: frozenset[str] = frozenset()
        self._unclaimed = ""  # why the emulator is not reserved

    def claim(self, wait: float) -> None:
        """Reserve the emulator. Raises EmulatorBusy if another emubot still has it after `wait` seconds."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=wait)
        except Timeout:
            raise EmulatorBusy(f"Another emubot is attached to {self._what}: end it first.") from None
        except OSError as failure:
            self._unclaimed = str(failure)

    def connected(self) -> None:
        """Call this as the emulator answers: if it could not be reserved, that is logged."""
        if self._unclaimed:
            _warn(f"Two emubots could disturb each other on {self._what}: {self._unclaimed}.")

    def left(self) -> frozenset[str]:
        """Returns the notes of a killed emubot and takes them over; empty if the last one ended normally."""
        with suppress(OSError), self._note.open("rb") as file:
            self._noted |= set(file.read(_LONGEST).decode("ascii", "replace").split())
        return self._noted

    def note(self, word: str) -> None:
        """Write down a change before it is made."""
        if word in self._noted:
            return
        self._noted |= {word}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._note, "\n".join(sorted(self._noted)).encode("ascii"))
        except (OSError, StorageError) as failure:
            _warn(f"If emubot is killed, {self._what} stays as it is then: {failure}")

    def forget(self) -> None:
        """Delete the note after all changes are undone; a second call does nothing, as the note may be another's."""
        if not self._noted:
            return
        self._noted = frozenset()
        try:
            self._note.unlink(missing_ok=True)
        except OSError as failure:
            _warn(f"{self._what} will be given back once more: {failure}.")

    def release(self) -> None:
        """Release the lock; harmless when called again."""
        self._lock.release()


@functools.cache
def _warn(sentence: str) -> None:
    """Log this only once: people who wait for an emulator try again twice a second."""
    _LOG.warning("%s", sentence)


def folder() -> Path:
    """Returns the folder of all locks and notes."""
    return datafiles.user_cache() / "attached"
