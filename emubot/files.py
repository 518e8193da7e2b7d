"""Files that somebody named: only regular ones are opened, and never more is read than allowed; knows no format."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

FOLDER: Final = "a folder"

_AT_ONCE: Final = 1 << 20  # bytes
_KINDS: Final = (
    (stat.S_ISDIR, FOLDER),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)
# A pipe that takes the place of the file after the first look must not block; a terminal must not take this process.
_FLAGS: Final = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))


class UnsuitableFile(OSError):
    """It can be read, but is no regular file or too large; `strerror` says which, to follow "cannot be read"."""


def kind(mode: int) -> str | None:
    """What a path of this `st_mode` is, in words, where it is no regular file; None for a regular one."""
    if stat.S_ISREG(mode):
        return None
    return next((words for test, words in _KINDS if test(mode)), "something else")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read its bytes; a pipe, a device, a socket or a folder is never opened.

    Raises UnsuitableFile, or another OSError as `open` does.
    """
    try:
        _refuse(path.stat().st_mode)
        handle = os.open(path, _FLAGS)
    except ValueError as impossible:  # a null byte, or half a character
        raise UnsuitableFile(errno.EINVAL, "no file can have that name") from impossible
    try:
        _refuse(os.fstat(handle).st_mode)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """All bytes of a regular file that has at most `most` of them. Raises as `open_regular` does."""
    content = bytearray()
    with open_regular(path) as file:
        while piece := file.read(_AT_ONCE):  # no more memory than there are bytes, whatever `most` is
            content += piece
            if len(content) > most:
                raise UnsuitableFile(errno.EFBIG, f"it is larger than {most:,} bytes")
    return bytes(content)


def _refuse(mode: int) -> None:
    found = kind(mode)
    if found is not None:
        raise UnsuitableFile(errno.EINVAL, f"it is {found}, not a regular file")
