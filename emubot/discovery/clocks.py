"""Finds what counts to a piece's fall, in frames of pieces that fell by themselves; runs no emulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.discovery.recording import Bits

_FEWEST_FALLS: Final = 3
_AHEAD: Final = range(-1, 3)  # what a timer may show, less the frames to the fall


@dataclass(frozen=True, slots=True)
class Falling:
    """A piece in the air, frame by frame, while nothing was pressed, or one button held: `rows` are the map's."""

    images: History
    rows: NDArray[np.int64]

    @property
    def falls(self) -> NDArray[np.intp]:
        """The frames in which it fell."""
        return np.flatnonzero(np.diff(self.rows)) + 1

    @property
    def frames_per_row(self) -> int | None:
        """The frames from each fall to the next; None if they differ, or if it fell by several rows at once."""
        falls = self.falls
        if len(falls) < _FEWEST_FALLS or (np.diff(self.rows) > 1).any():
            return None
        apart = set(map(int, np.diff(falls)))
        return apart.pop() if len(apart) == 1 else None

    @property
    def left(self) -> NDArray[np.int64]:
        """The frames to the next fall, from the first frame up to the one before the last fall."""
        falls = self.falls
        frames = np.arange(falls[-1])
        return np.asarray(falls[np.searchsorted(falls, frames, side="right")] - frames, np.int64)


@dataclass(frozen=True, slots=True)
class Timer:
    """A byte that tells the frames to the fall: it less `ahead`; or, counted `up`, the frames per row less that."""

    index: int
    up: bool
    ahead: int


def timers_of(pieces: Sequence[Falling], free: Bits, near: int) -> list[Timer]:
    """Returns the bytes that tell the frames to the fall in every frame of all pieces, those near byte `near` first.

    `free` are bytes of no other meaning. All pieces have frames per row.
    """
    found = list(_timers(pieces, free)) if pieces else []
    return sorted(found, key=lambda timer: abs(timer.index - near))


def _timers(pieces: Sequence[Falling], free: Bits) -> Iterator[Timer]:
    down = np.stack([_least_most(piece, 1) for piece in pieces])
    up = np.stack([_least_most(piece, -1) for piece in pieces])
    for index in np.flatnonzero(free):
        for ahead in _AHEAD:
            if (down[:, :, index] == ahead).all():
                yield Timer(int(index), up=False, ahead=ahead)
            elif (up[:, :, index] == ahead).all():
                yield Timer(int(index), up=True, ahead=ahead)


def _least_most(piece: Falling, way: int) -> NDArray[np.int64]:
    """Returns for each byte the least and the most that it shows beside the frames to the fall, counted this way."""
    left = piece.left
    bytes_ = piece.images[: len(left)].astype(np.int64)
    expected = left if way > 0 else (piece.frames_per_row or 0) - left
    apart = bytes_ - expected[:, None]
    return np.stack([apart.min(0), apart.max(0)])


def speeds_of(pieces: Sequence[Falling], free: Bits) -> list[int]:
    """Returns the bytes that hold the frames per row, in all frames of pieces of at least two speeds."""
    speeds = [piece.frames_per_row for piece in pieces]
    if len(set(speeds)) < 2:
        return []
    fits = free.copy()
    for piece, speed in zip(pieces, speeds, strict=True):
        fits &= (piece.images[: len(piece.left)] == speed).all(0)
    return [int(index) for index in np.flatnonzero(fits)]
