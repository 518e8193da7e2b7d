"""Recorded games of NestrisChamps (.ngf): gzip of binary frames, one after the other; knows no game's rules.

The form is that of its server (github.com/nestrischamps/nestrischamps, modules/Game.js and domains/Replay.js): all
frames of a file have one version, and only frames of a running game are in it.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emubot.errors import TraceError
from emubot.files import UnsuitableFile, read_regular
from emubot.publish.frame import SIZES, Frame, decode, encode, version_of

SUFFIX: Final = ".ngf"
LARGEST: Final = 64 << 20  # bytes, unpacked: four hours at 60 frames a second
_GZIP: Final = b"\x1f\x8b"
_WITH_HEADER: Final = 31  # zlib's word for a gzip header


@dataclass(frozen=True, slots=True)
class RecordedFrames:
    """The frames of a file, which are decoded one by one as they are read."""

    data: bytes
    size: int  # bytes of each frame

    def __len__(self) -> int:
        """Returns the number of frames."""
        return len(self.data) // self.size

    def __iter__(self) -> Iterator[Frame]:
        """Yields the frames in order."""
        for start in range(0, len(self.data), self.size):
            yield decode(self.data[start : start + self.size])


def read_ngf(path: Path) -> RecordedFrames:
    """Returns the frames of a file, gzipped or as a browser may have unpacked it.

    Raises TraceError for a file that is missing, damaged, cut, too large or of another version.
    """
    try:
        content = read_regular(path, LARGEST)
    except FileNotFoundError as missing:
        raise TraceError(f"There is no file {path}.") from missing
    except (UnsuitableFile, OSError) as wrong:
        raise TraceError(f"{path} cannot be read: {wrong.strerror}.") from wrong
    data = _unpacked(content, path) if content.startswith(_GZIP) else content
    if not data:
        raise _no_game(path, "it has no frame")
    version = version_of(data)
    size = SIZES.get(version)
    if size is None:
        raise _no_game(path, f"its frames are of version {version}, and emubot reads {min(SIZES)} to {max(SIZES)}")
    if any(version_of(data[start : start + 1]) != version for start in range(0, len(data), size)):
        raise _no_game(path, "it is damaged: its frames are of several versions")
    if len(data) % size:
        raise _no_game(path, "it is cut: it ends in the middle of a frame")
    return RecordedFrames(data, size)


def packed(frames: Iterable[Frame]) -> bytes:
    """Returns the file of these frames; the same frames give the same bytes."""
    return gzip.compress(b"".join(map(encode, frames)), mtime=0)


def _unpacked(content: bytes, path: Path) -> bytes:
    """Returns what is in a gzip file of one member, never more than LARGEST bytes of it."""
    unpacking = zlib.decompressobj(_WITH_HEADER)
    try:
        data = unpacking.decompress(content, LARGEST)
        data += unpacking.decompress(unpacking.unconsumed_tail, 1)  # of a file with just as many: its checksum
    except zlib.error as wrong:
        raise _no_game(path, "it is damaged, its gzip data or their checksum are wrong") from wrong
    if len(data) > LARGEST or unpacking.unconsumed_tail:
        raise _no_game(path, f"it is larger than {LARGEST:,} bytes once unpacked")
    if not unpacking.eof:
        raise _no_game(path, "it is cut, its gzip data have no end")
    if unpacking.unused_data:
        raise _no_game(path, "it is damaged, more follows after the end of its gzip data")
    return data


def _no_game(path: Path, why: str) -> TraceError:
    return TraceError(f"{path} is not a recorded game of NestrisChamps: {why}.")
