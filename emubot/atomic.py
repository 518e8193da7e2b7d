"""Files that are whole or as they were, whenever a run ends, and are one run's at a time; knows no file's meaning."""

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

PART = "part"  # suffix of a file under way; what a killed run left of one is overwritten or removed

_ROOM: Final = 64 * 1024  # bytes; a folder that has no room for them is full


def check_output(path: Path, *, force: bool = False) -> None:
    """Refuse, before the work begins, a file that could not be written at its end.

    Raises UsageError for a file that is there already, unless `force` says that it may be replaced, and for what is no
    regular file; StorageError for a folder that is missing, not writable or full.
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
    """Replace the file by one that holds `content`, or leave it as it was, power cuts included.

    Only one process at a time may write it. Raises StorageError, and UsageError for a path that is there and is no
    regular file.
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
    except BaseException as failure:  # Ctrl-C too: half a file helps nobody
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(failure, OSError):
            raise cannot_be_written(path, failure) from failure
        raise


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
            settle(path.parent)
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


def _may_be_replaced(path: Path) -> bool:
    """Whether there is a regular file. Raises UsageError where there is anything else, links to it included."""
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


def settle(folder: Path) -> None:
    """See a folder's list of names on the disk; Windows does that by itself and opens no folder."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
