"""What outlives a killed emubot: a note of what it changed in a running emulator, and a lock on it; knows no emulator.

Both are files in the user's cache folder, named by emulator, host and port.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from filelock import FileLock, Timeout

from emubot import datafiles
from emubot.atomic import write_whole
from emubot.errors import EmulatorNotFound, StorageError

_LOG = logging.getLogger(__name__)
_LONGEST: Final = 4096  # bytes of a note that is ours


class Attachment:
    """One emubot's place at one running emulator; where the folder cannot be written it has none, and says so."""

    def __init__(self, emulator: str, host: str, port: int) -> None:
        self._what = f"{emulator} at {host}:{port}"
        self._folder = folder()
        name = f"{emulator}-{quote(host, safe='')}-{port}"
        self._note = self._folder / f"{name}.changed"
        self._lock = FileLock(self._folder / f"{name}.lock", thread_local=False)
        self._noted: frozenset[str] = frozenset()

    def claim(self, wait: float) -> None:
        """Keep the emulator to this emubot. Raises EmulatorNotFound if another one has it for `wait` seconds more."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=wait)
        except Timeout:
            raise EmulatorNotFound(f"Another emubot is attached to {self._what}: end it first.") from None
        except OSError as failure:
            _LOG.warning("Two emubots could disturb each other on %s: %s.", self._what, failure)

    def left(self) -> frozenset[str]:
        """What an emubot that was killed has noted, from now on this one's; nothing where the last one ended well."""
        with suppress(OSError), self._note.open("rb") as file:
            self._noted |= set(file.read(_LONGEST).decode("ascii", "replace").split())
        return self._noted

    def note(self, word: str) -> None:
        """Write down that this is about to be changed."""
        if word in self._noted:
            return
        self._noted |= {word}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._note, "\n".join(sorted(self._noted)).encode("ascii"))
        except (OSError, StorageError) as failure:
            _LOG.warning("If emubot is killed, %s stays as it is then: %s", self._what, failure)

    def forget(self) -> None:
        """Everything is as it was; harmless when called again, for the note may be another emubot's then."""
        if not self._noted:
            return
        self._noted = frozenset()
        try:
            self._note.unlink(missing_ok=True)
        except OSError as failure:
            _LOG.warning("%s will be given back once more: %s.", self._what, failure)

    def release(self) -> None:
        """Leave the emulator to others; harmless when called again."""
        self._lock.release()


def folder() -> Path:
    """Where all attachments are kept."""
    return datafiles.user_cache() / "attached"
