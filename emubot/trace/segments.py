"""A file that grows by checksummed segments, each on the disk before the next; knows nothing of what they hold.

The file is `MAGIC`, then segments: the content's length and a CRC-32 of length and content, 4 bytes each,
little-endian, then the content. Whatever cuts or damages the file, the whole segments before that place can be read.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from emubot.atomic import cannot_be_written, settle
from emubot.errors import UsageError

MAGIC: Final = b"emubot part 1\r\n\x1a"
LONGEST: Final = 2**26  # bytes of one segment's content
_LENGTH: Final = struct.Struct("<I")
_HEADER: Final = struct.Struct("<II")


def segments(file: BinaryIO) -> Iterator[bytes]:
    """The contents of the whole segments of a file that stands behind its MAGIC, up to the first that is none."""
    while len(header := file.read(_HEADER.size)) == _HEADER.size:
        length, checksum = _HEADER.unpack(header)
        if length > LONGEST:
            return
        content = file.read(length)
        if len(content) < length or _checksum(content) != checksum:
            return
        yield content


class SegmentFile:
    """A new file of segments, open for `append`. Raises FileExistsError where there is one, StorageError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("x+b", buffering=0)
        except FileExistsError:
            raise
        except OSError as failure:
            raise cannot_be_written(path, failure) from failure
        self._end = 0
        try:
            self._write(MAGIC)
            settle(path.parent)
        except BaseException as failure:
            self.remove()
            if isinstance(failure, OSError):
                raise cannot_be_written(path, failure) from failure
            raise

    def append(self, content: bytes) -> None:
        """Add a segment and see it on the disk. Raises StorageError; then the file still ends with the last one."""
        if len(content) > LONGEST:
            raise UsageError(f"A segment holds at most {LONGEST:,} bytes, not {len(content):,}: append it in parts.")
        try:
            self._write(_HEADER.pack(len(content), _checksum(content)) + content)
        except OSError as failure:
            raise cannot_be_written(self.path, failure) from failure

    def segments(self) -> Iterator[bytes]:
        """What was appended so far, read back from the disk, wherever the file may have been moved to meanwhile."""
        with os.fdopen(os.dup(self._file.fileno()), "rb") as file:
            file.seek(len(MAGIC))
            yield from segments(file)

    def close(self) -> None:
        """Close the file, which stays; harmless when called again."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and take it off the disk."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _write(self, content: bytes) -> None:
        """Write behind the last whole segment, over what an interrupted call may have left there."""
        self._file.seek(self._end)
        self._file.truncate()
        left = memoryview(content)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self._end += len(content)


def _checksum(content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(_LENGTH.pack(len(content))))
