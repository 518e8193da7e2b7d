"""Files that are written whole or not at all, and used by one run at a time; does not know what they mean."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from emubot.errors import StorageError, UsageError
from emubot.files import FOLDER, kind
from emubot.systems.disk import settle

PART = "part"  # suffix of an unfinished file; one that a killed run left is overwritten or removed

_ROOM: Final = 64 * 1024  # bytes; a folder without room for them is full


def check_output(path: Path, *, force: bool = False) -> None:
    """Refuse, before the work begins, a file that could not be written at the end.

    Raises UsageError if the file exists and `force` does not allow to replace it, or if it is not a regular file;
    StorageError if the folder is missing, not writable or full.
    """
    if _may_be_replaced(path) and not force:
        raise UsageError(f"{path} is there already: name another file, or replace it with --force.")
    if not path.parent.is_dir():
        raise StorageError(f"{path} cannot be written: there is no folder {path.parent}; make it first.")
    try:
        with tempfile.TemporaryFile(dir=path.parent) as trial:
            trial.write(bytes(_ROOM))
            trial.flush()
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file by one with `content`, or leave it as it was, even after a power cut.

    Only one process at a time may write it. Raises StorageError, and UsageError if the path exists and is not a regular
    file.
    """
    part = path.with_name(f".{path.name}.{PART}")
    _may_be_replaced(path)
    try:
        part.unlink(missing_ok=True)
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        settle(path.parent)
    except BaseException as failure:  # Ctrl-C too: half a file is useless
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(failure, OSError):
            raise cannot_be_written(path, failure) from failure
        raise


def append(path: Path, content: bytes) -> None:
    """Add `content` at the end of a file and sync it to disk; make the file if it is missing.

    Raises StorageError; part of the content may then have been added.
    """
    try:
        is_new = not path.exists()
        with path.open("ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            settle(path.parent)
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure


def cannot_be_written(path: Path, failure: OSError) -> StorageError:
    """Returns the error for a file or folder that could not be written because of an OSError."""
    return StorageError(f"{path} cannot be written: {failure.strerror}.")


@contextmanager
def locked(lock: Path, what: Path, remedy: str) -> Iterator[None]:
    """Reserve `what` for this process by a lock file. Raises UsageError, with the remedy, if another process has it.

    The system releases the lock when the process ends, in whatever way.
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


def _may_be_replaced(path: Path) -> bool:
    """Returns whether there is a regular file. Raises UsageError if there is anything else, links to it included."""
    try:
        found = kind(path.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as failure:
        raise cannot_be_written(path, failure) from failure
    if found == FOLDER:
        raise UsageError(f"{path} is {found}; name a file in it.")
    if found is not None:
        raise UsageError(f"{path} is {found}, which is never replaced: name a file.")
    return True
