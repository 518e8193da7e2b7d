"""A game that is still being recorded, on disk as far as it has come.

The file's first segment is JSON: what a row is, and where the game is recorded. Each later segment holds what is new:
pads of both ports since power-on, rows and plans, each with the number of those before it. A smaller number than what
is there drops everything beyond it. So a game is discarded, and what was written twice counts once.
"""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import TraceError
from emubot.trace.game import LARGEST, Trace, about_of, check_inputs, check_order, no_game
from emubot.trace.recorder import Plan, Recorder, RowLayout
from emubot.trace.segments import SegmentFile, segments

SUFFIX: Final = ".part"
_COUNTS: Final = struct.Struct("<QIQIQI")  # counts before and in this segment: pads, rows, plans
_INPUT: Final = 2  # bytes: the pads of both ports in a frame
_PLAN: Final = np.dtype((np.dtype("<i4"), 4))
_MOST_INPUTS: Final = 2**22  # per segment: a later game begins with all pads since power-on
_MOST_FIELDS, _LONGEST_FIELD, _LONGEST_PAGE = 2**12, 256, 2**13


class PartFile:
    """The file `FILE.part` beside a recording FILE. An earlier run's files stay; `older` lists them, unread.

    Raises StorageError.
    """

    def __init__(self, path: Path, layout: RowLayout, about: dict[str, Any]) -> None:
        self.older: list[Path] = []
        self._inputs = self._rows = 0  # added so far
        for name in _names(path):
            try:
                self._file = SegmentFile(name)
                break
            except FileExistsError:
                self.older.append(name)
        self._file.append(json.dumps({**asdict(layout), "about": about}).encode())

    @property
    def path(self) -> Path:
        """The file, which is new."""
        return self._file.path

    def add(self, recorder: Recorder, inputs: NDArray[Any] | None) -> None:
        """Write to disk what the recorder has collected, and the pads of all frames since power-on.

        `inputs` is None if the machine's start was not recorded or no longer leads to this frame. The recorder then
        releases what was written. Raises StorageError.
        """
        pads = np.zeros((0, _INPUT), dtype=np.uint8) if inputs is None else inputs
        self._inputs = min(self._inputs, len(pads))
        rows_before, rows, plans_before, plans = recorder.collected
        while len(pads) - self._inputs > _MOST_INPUTS:
            some = pads[self._inputs : self._inputs + _MOST_INPUTS]
            self._file.append(_segment((self._inputs, some), (rows_before, ()), (plans_before, ())))
            self._inputs += len(some)
        self._file.append(_segment((self._inputs, pads[self._inputs :]), (rows_before, rows), (plans_before, plans)))
        self._inputs, self._rows = len(pads), rows_before + len(rows)
        recorder.release()

    def game(self) -> Trace:
        """Returns the game so far, read back from the disk. Raises TraceError if rows are missing."""
        game = _game(self.path, self._file.segments())
        if game.frames + 1 != self._rows:
            raise TraceError(f"{self.path} reads back {game.frames + 1:,} rows of {self._rows:,}: its disk lost some.")
        return game

    def close(self) -> None:
        """Close the file, which stays."""
        self._file.close()

    def remove(self) -> None:
        """Remove the file: the game was saved elsewhere, or there was none."""
        self._file.remove()


def read_part(path: Path, file: BinaryIO) -> Trace:
    """Returns the game up to the last whole segment of a file that is just after its MAGIC.

    Raises TraceError if there is none.
    """
    return _game(path, segments(file))


def _names(path: Path) -> Iterator[Path]:
    """Yields `FILE.part`, `FILE.2.part`, ...: an earlier file is not overwritten, as another run may still use it."""
    yield path.with_name(f"{path.name}{SUFFIX}")
    for number in itertools.count(2):
        yield path.with_name(f"{path.name}.{number}{SUFFIX}")


def _segment(
    pads: tuple[int, NDArray[Any]], rows: tuple[int, Sequence[bytes]], plans: tuple[int, Sequence[Plan]]
) -> bytes:
    counts = (count for before, added in (pads, rows, plans) for count in (before, len(added)))
    held = np.array(plans[1], dtype=_PLAN.base).tobytes()
    return b"".join((_COUNTS.pack(*counts), pads[1].tobytes(), *rows[1], held))


def _game(path: Path, contents: Iterator[bytes]) -> Trace:
    layout, about = _head(path, next(contents, b""))
    inputs, rows, plans = bytearray(), bytearray(), bytearray()
    parts = ((inputs, _INPUT), (rows, layout.width), (plans, _PLAN.itemsize))
    for content in contents:
        if len(content) < _COUNTS.size:
            raise no_game(path, "it is damaged")
        counts, start = _COUNTS.unpack_from(content), _COUNTS.size
        for (kept, width), before, added in zip(parts, counts[::2], counts[1::2], strict=True):
            if before * width > len(kept) or start + added * width > len(content):
                raise no_game(path, "it is damaged")
            kept[before * width :] = content[start : start + added * width]
            start += added * width
        if start != len(content):
            raise no_game(path, "it is damaged")
        if sum(map(len, (inputs, rows, plans))) > LARGEST:
            raise TraceError(f"{path} is too large for a trace: record shorter games.")
    if not rows:
        raise no_game(path, "it ends before a game began")
    pads = np.frombuffer(inputs, dtype=np.uint8).reshape(-1, _INPUT)
    chosen = np.frombuffer(plans, dtype=_PLAN.base).astype(np.int32).reshape(-1, 4)
    trace = layout.game(rows, chosen, pads, about)
    check_inputs(path, len(pads), trace.frames)
    return trace


def _head(path: Path, content: bytes) -> tuple[RowLayout, dict[str, Any]]:
    try:
        head = about_of(path, content.decode())
        layout = RowLayout(tuple(head["fields"]), tuple(head["address"]), head["page"], head["order"])
        about = head["about"]
        sound = (
            len(layout.fields) == len(layout.address) <= _MOST_FIELDS
            and all(isinstance(name, str) and len(name) <= _LONGEST_FIELD for name in layout.fields)
            and all(type(address) is int and 0 <= address < 2**16 for address in layout.address)
            and type(layout.page) is int
            and 0 <= layout.page <= _LONGEST_PAGE
            and isinstance(layout.order, str)
            and isinstance(about, dict)
        )
    except (ValueError, TypeError, KeyError):
        sound = False
    if not sound:
        raise no_game(path, "it is damaged, or ends before a game began")
    check_order(path, layout.order)
    return layout, about
