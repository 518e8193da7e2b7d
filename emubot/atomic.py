"""Files that are whole or as they were, whenever a run ends, and are one run's at a time; knows no file's meaning."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from emubot.errors import StorageError, UsageError

PART = "part"  # suffix of a file under way; what a killed run left of one is overwritten or removed


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file by one that holds `content`, or leave it as it was, power cuts included. Raises StorageError.

    Only one process at a time may write it.
    """
    part = path.with_name(f".{path.name}.{PART}")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _settle(path.parent)
    except OSError as failure:
        part.unlink(missing_ok=True)
        raise cannot_be_written(path, failure) from failure


def append(path: Path, content: bytes) -> None:
    """Add `content` at the end of a file, which is made where there is none, and see it on the disk.

    Raises StorageError; part of it may have been added then.
    """
    try:
        is_new = not path.exists()
        with path.open("ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _settle(path.parent)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure


def cannot_be_written(path: Path, failure: OSError) -> StorageError:
    """The sentence for a file or folder that an OSError kept from being written."""
    return StorageError(f"{path} cannot be written: {failure.strerror}.")


@contextmanager
def locked(lock: Path, what: Path, remedy: str) -> Iterator[None]:
    """Keep `what` to this process by a lock file. Raises UsageError, with the remedy, if another one has it.

    The system lets go of it when the process ends, however it does.
    """
    held = FileLock(lock, blocking=False)
    try:
        held.acquire()
    except Timeout:
        raise UsageError(f"{what} is in use by another run: wait for it, or {remedy}.") from None
    except OSError as failure:
        raise cannot_be_written(what, failure) from failure
    try:
        yield
    finally:
        held.release()


def _settle(folder: Path) -> None:
    """See a folder's list of names on the disk; Windows does that by itself and opens no folder."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
