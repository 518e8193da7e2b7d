"""Files as systems differ about them: flags, owners, folders on the disk, and files without a name."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Final

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def reading_flags() -> int:
    """Returns the flags with which `os.open` reads bytes and never waits for, or is controlled by, what is no file."""
    if sys.platform == "win32":
        return os.O_RDONLY | os.O_BINARY
    return os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def settle(folder: Path) -> None:
    """Sync a folder's list of names to disk. Windows does that by itself and cannot open a folder."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_ours(status: os.stat_result) -> bool:
    """Returns whether a file or folder belongs to this user; Windows keeps other users out of one's own folders."""
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def others_may_read(status: os.stat_result) -> bool:
    """Returns whether the mode lets others do anything with a file; Windows has no such mode."""
    return sys.platform != "win32" and bool(status.st_mode & _OTHERS)


def shared_memory(size: int) -> int:
    """Returns the descriptor of an unnamed file of `size` zero bytes; nothing is left however processes end."""
    if sys.platform == "linux":
        memory = os.memfd_create("emubot")
    else:
        with tempfile.TemporaryFile() as file:
            memory = os.dup(file.fileno())
    os.truncate(memory, size)
    return memory


def nameless_log() -> int:
    """Returns the descriptor of an unnamed file that vanishes when closed; all writes append, even after truncation.

    On Windows, where only the child's own writes come there, they do not.
    """
    with tempfile.TemporaryFile() as file:
        log = os.dup(file.fileno())
    if sys.platform != "win32":
        import fcntl

        fcntl.fcntl(log, fcntl.F_SETFL, fcntl.fcntl(log, fcntl.F_GETFL) | os.O_APPEND)
    return log


def end_of(file: int, most: int) -> bytes:
    """Returns the last bytes of an open file, at most so many; on POSIX systems its position stays."""
    start = max(os.fstat(file).st_size - most, 0)
    if sys.platform != "win32":
        return os.pread(file, most, start)
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, most)
