"""A file that grows by checksummed segments, each on disk before the next.

The file is `MAGIC`, then segments: the content's length and a CRC-32 of length and content, 4 bytes each,
little-endian, then the content. If the file is cut or damaged, the whole segments before that place can still be read.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from emubot.atomic import cannot_be_written
from emubot.errors import UsageError
from emubot.systems.disk import settle

MAGIC: Final = b"emubot part 1\r\n\x1a"
LONGEST: Final = 2**26  # bytes of one segment's content
_LENGTH: Final = struct.Struct("<I")
_HEADER: Final = struct.Struct("<II")


def segments(file: BinaryIO) -> Iterator[bytes]:
    """Yields the contents of a file's whole segments up to the first damaged one; the file is just after its MAGIC."""
    while len(header := file.read(_HEADER.size)) == _HEADER.size:
        length, checksum = _HEADER.unpack(header)
        if length > LONGEST:
            return
        content = file.read(length)
        if len(content) < length or _checksum(content) != checksum:
            return
        yield content


class SegmentFile:
    """A new file of segments, open for `append`. Raises FileExistsError if there is one already, or StorageError."""

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
        """Add a segment and sync it to disk. Raises StorageError; the file then still ends with the last segment."""
        if len(content) > LONGEST:
            raise UsageError(f"A segment holds at most {LONGEST:,} bytes, not {len(content):,}: append it in parts.")
        try:
            self._write(_HEADER.pack(len(content), _checksum(content)) + content)
        except OSError as failure:
            raise cannot_be_written(self.path, failure) from failure

    def segments(self) -> Iterator[bytes]:
        """Yields what was appended so far, read back from the disk, even if the file was moved meanwhile."""
        with os.fdopen(os.dup(self._file.fileno()), "rb") as file:
            file.seek(len(MAGIC))
            yield from segments(file)

    def close(self) -> None:
        """Close the file, which stays; harmless when called again."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and remove it from the disk."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _write(self, content: bytes) -> None:
        """Write after the last whole segment, over what an interrupted call may have left there."""
        self._file.seek(self._end)
        self._file.truncate()
        left = memoryview(content)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())
        self._end += len(content)


def _checksum(content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(_LENGTH.pack(len(content))))
