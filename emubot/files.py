"""Files that a user named: opens only regular ones, and never reads more than allowed; knows no format."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from emubot.systems.disk import reading_flags

FOLDER: Final = "a folder"

_AT_ONCE: Final = 1 << 20  # bytes
_KINDS: Final = (
    (stat.S_ISDIR, FOLDER),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)


class UnsuitableFile(OSError):
    """The path names no regular file, or too large a one; `strerror` says which, to follow "cannot be read"."""


def kind(mode: int) -> str | None:
    """Returns in words what a path with this `st_mode` is, None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((words for test, words in _KINDS if test(mode)), "something else")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read its bytes; never opens a pipe, a device, a socket or a folder.

    Raises UnsuitableFile, or another OSError as `open` does.
    """
    try:
        _refuse(path.stat().st_mode)
        # A pipe that replaces the file after the first look must not block; a terminal must not control this process.
        handle = os.open(path, reading_flags())
    except ValueError as impossible:  # a null byte, or a lone surrogate
        raise UnsuitableFile(errno.EINVAL, "no file can have that name") from impossible
    try:
        _refuse(os.fstat(handle).st_mode)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """Returns all bytes of a regular file of at most `most` bytes. Raises as `open_regular` does."""
    content = bytearray()
    with open_regular(path) as file:
        while piece := file.read(_AT_ONCE):  # takes only as much memory as the file has bytes, whatever `most` is
            content += piece
            if len(content) > most:
                raise UnsuitableFile(errno.EFBIG, f"it is larger than {most:,} bytes")
    return bytes(content)


def _refuse(mode: int) -> None:
    found = kind(mode)
    if found is not None:
        raise UnsuitableFile(errno.EINVAL, f"it is {found}, not a regular file")
