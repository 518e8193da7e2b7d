"""Finds where the board stands in the emulator's picture, by the cells and the pixels that change with each lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot import games
from emubot.bridges.protocol import Bridge
from emubot.games.edition import Edition
from emubot.pilot import Goal, Pilot
from emubot.pilot.skill import Skill
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Snapshot
from emubot.tempo import Tempo
from emubot.view.window.layout import CONSOLE, Screen
from emubot.view.window.sources import PicturedBridge

# Late enough for boards that are drawn a few rows a frame. The bot does not touch a piece before: so it hangs where all
# pieces hang at that moment, and what changes there changes with most pieces.
_LOOK: Final = 24  # frames from a piece's first one to the look at the board and the picture
_TEMPO: Final = Tempo(reaction=30, period=4, das=False, name="slow")
_LOCKS: Final = 16  # in which cells were filled and none was emptied
_LEAST: Final = 8  # of them
_FRAMES: Final = 9000  # in which they must come
_PATIENCE: Final = 2400  # frames without a piece
_MOST_CELLS: Final = 8  # of a lock
_OFTEN: Final = 0.4  # a pixel that changes in more of the looks belongs to a counter, to the next piece or to this one
_SIZES: Final = range(4, 33)  # pixels
_TILE: Final = 8  # pixels
_NEARLY: Final = 0.99  # of the most pixels in the right column or row
_INSIDE: Final = 0.3  # of the pixels that change with a lock: others are counters, the next piece, the piece in the air
_WEIGHT: Final = 20  # of a pixel in the right cell against one in another: the pieces in the air change some, too
_RIGHT: Final = 0.8  # of the locks that must fit

Pixels = NDArray[np.bool_]  # (height, width)


class Lock(NamedTuple):
    """What changed from a look before a lock to one after it: cells that were filled, (rows, columns), and pixels."""

    cells: NDArray[np.bool_]
    pixels: Pixels


def board_in_picture(bridge: Bridge, ram_map: RamMap, prepare: Callable[[Edition], None]) -> Screen | None:
    """Returns the place of the map's visible playfield in the console's full picture; plays some pieces from here on.

    None if the bridge has no picture, or if no place explains the pixels that change. `prepare` is called with the
    edition before it plays.
    """
    if not isinstance(bridge, PicturedBridge):
        return None
    found = place_of(_watched(bridge, ram_map, prepare))
    if found is None:
        return None
    width, height = bridge.picture_size
    return found[0] + (CONSOLE[0] - width) // 2, found[1] + (CONSOLE[1] - height) // 2, found[2], found[3]


def place_of(locks: Sequence[Lock]) -> Screen | None:
    """Returns left, top, cell width and height of a board in the pixels of the picture as it is; None if unsure.

    The first half of the locks says where it is. The second half must confirm it.
    """
    if len(locks) < _LEAST:
        return None
    often: Pixels = np.sum([lock.pixels for lock in locks], axis=0) > _OFTEN * len(locks)
    half = len(locks) // 2
    tell = [lock._replace(pixels=lock.pixels & ~often) for lock in locks[:half]]
    turned = [Lock(lock.cells.T, lock.pixels.T) for lock in tell]
    # What is above or beside the board is left out once it is known where that is.
    across = _span(tell, slice(None))
    down = across and _span(turned, across.covered)
    across = down and _span(tell, down.covered)
    if across is None or down is None:
        return None
    screen = across.first, down.first, across.size, down.size
    right = sum(_confirms(lock, often, screen) for lock in locks[half:])
    return screen if right >= _RIGHT * (len(locks) - half) else None


class _Span(NamedTuple):
    """Where a board is in one direction: its first pixel, the pixels of a cell, and the number of cells."""

    first: int
    size: int
    cells: int

    @property
    def covered(self) -> slice:
        """The pixels of the board."""
        return slice(self.first, self.first + self.size * self.cells)


@dataclass(slots=True)
class _Looks:
    """Takes a look at the board and the picture some frames after each new piece, and keeps what locks changed."""

    bridge: PicturedBridge
    locks: list[Lock]
    since: int = 0  # frames of the piece
    seen: tuple[NDArray[np.bool_], NDArray[Any]] | None = None

    def frame(self, snapshot: Snapshot, new: bool) -> None:
        """Take a frame; `new` says that another piece came since the last one."""
        if new:
            self.since = 0
        if snapshot.phase is not Phase.PLAYING:
            return
        self.since += 1
        if self.since != _LOOK:
            return
        before, self.seen = self.seen, (snapshot.playfield != 0, self.bridge.picture())
        if before is None or before[1].shape != self.seen[1].shape:
            return
        filled = self.seen[0] & ~before[0]
        if not (before[0] & ~self.seen[0]).any() and 0 < filled.sum() <= _MOST_CELLS:
            self.locks.append(Lock(filled, (before[1] != self.seen[1]).any(axis=2)))


def _watched(bridge: PicturedBridge, ram_map: RamMap, prepare: Callable[[Edition], None]) -> list[Lock]:
    """Returns what locks of a slow player changed."""
    edition = games.open_edition(ram_map)
    prepare(edition)
    pilot = Pilot(bridge, Goal(pieces=None, games=None), edition, Skill(tempo=_TEMPO))
    looks = _Looks(bridge, [])
    latest: list[Snapshot] = []
    pilot.on_frame.append(lambda ram, snapshot: latest.append(snapshot))
    pieces, at = -1, 0
    while len(looks.locks) < _LOCKS and pilot.frames < _FRAMES and pilot.frames - at < _PATIENCE:
        latest.clear()
        pilot.step()
        new = pilot.tally.pieces != pieces
        if new:
            pieces, at = pilot.tally.pieces, pilot.frames
        looks.frame(latest[-1], new)
    pilot.release()
    return looks.locks


def _span(locks: Sequence[Lock], rows: slice) -> _Span | None:
    """Returns where the board is from left to right, by the pixels in these rows of the picture.

    None if no place explains more pixels than it contradicts.
    """
    filled = np.array([lock.cells.any(axis=0) for lock in locks])
    pixels = np.array([lock.pixels[rows].sum(axis=0) for lock in locks])
    weights = np.where(filled, _WEIGHT, -1)
    until = np.pad(np.cumsum(pixels, axis=1), ((0, 0), (1, 0)))  # pixels before each one
    length, cells = until.shape[1] - 1, filled.shape[1]
    places: list[tuple[int, int, int]] = []
    for size in _SIZES:
        firsts = np.arange(max(length - cells * size + 1, 0))
        edges = firsts[:, None] + size * np.arange(cells + 1)
        scores = np.einsum("lc,lfc->f", weights, np.diff(until[:, edges], axis=2))
        places += zip(scores.tolist(), firsts.tolist(), [size] * len(firsts), strict=True)
    most = max((score for score, _, _ in places), default=0)
    if most <= 0:
        return None
    # A cell may have an edge that looks as if empty: then several places explain the same. Games draw in tiles.
    equal = [each for each in places if each[0] >= _NEARLY * most]
    _, first, size = min(equal, key=lambda each: (each[2] % _TILE != 0, each[1] % _TILE != 0, -each[0]))
    return _Span(first, size, cells)


def _confirms(lock: Lock, often: Pixels, screen: Screen) -> bool:
    """Returns whether each new cell changed its picture, and most of what changed is in these cells."""
    left, top, width, height = screen
    rows, columns = lock.cells.shape
    area = np.s_[top : top + rows * height, left : left + columns * width]
    changed = np.asarray(lock.pixels[area], np.int64).reshape(rows, height, columns, width).sum(axis=(1, 3)) > 0
    inside = np.zeros_like(lock.pixels)
    inside[area] = np.kron(lock.cells, np.ones((height, width), np.bool_))
    counted = lock.pixels & ~often
    return bool(changed[lock.cells].all() and (counted & inside).sum() >= _INSIDE * counted.sum())
