"""Watches many pieces lock, and finds which byte names the piece and which one the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.learn.discovery.board import MOST_CELLS, Place
from emubot.learn.discovery.drops import TURNS, Drop, GoneAstray, drop
from emubot.learn.discovery.lab import History, Lab
from emubot.learn.discovery.moves import Axis
from emubot.pad import Pad

_LOCK_WAITS: Final = 6  # NES Tetris: up to 4 frames, while the last lock is still being drawn
_LOCK_LASTS: Final = 8  # frames in which all cells of a piece are written
_SEEN_EACH: Final = 3  # times that each number of a byte must have been seen, on average
_STALE: Final = 30  # frames of waiting that give another game from the same moment


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """A piece from its first frame to the next piece's.

    `at` is the frame of `frames` in which its cells stood in the board for good; `cells` are [row, column] with row 0
    the highest of the board, and None if the lock cleared a row.
    """

    frames: History
    at: int
    cells: tuple[Place, ...] | None

    @property
    def controlled(self) -> History:
        """The frames in which it was certainly under control: some games wait a little before they fill the board."""
        return self.frames[2 : max(self.at - _LOCK_WAITS, 2)]

    @property
    def between(self) -> History:
        """The frames from its lock to the next piece."""
        return self.frames[self.at : -1]


def watch(
    lab: Lab, state: bytes, row: Axis, board: NDArray[np.int64], empty: int, pieces: int, rng: np.random.Generator
) -> list[list[PieceSpan]]:
    """Returns locks of pieces that were turned and moved at random, a list for each game; games begin at `state`."""
    games: list[list[PieceSpan]] = []
    empty_handed = 0
    while sum(map(len, games)) < pieces and empty_handed < 3:
        lab.load(state)
        lab.play([Pad.NONE] * int(rng.integers(_STALE)))
        game = list(_until_over(lab, row, board, empty, pieces, rng))
        empty_handed = 0 if game else empty_handed + 1
        games.append(game)
    return games


def _until_over(
    lab: Lab, row: Axis, board: NDArray[np.int64], empty: int, pieces: int, rng: np.random.Generator
) -> Iterator[PieceSpan]:
    start = lab.play([Pad.NONE])
    here = lab.save()
    for _ in range(pieces):
        way = Pad.LEFT if rng.integers(2) else Pad.RIGHT
        try:
            dropped = drop(lab, here, row, way, int(rng.integers(board.shape[1] // 2 + 2)), int(rng.integers(TURNS)))
        except GoneAstray:
            return
        yield _lock(start, dropped, board, empty)
        start, here = dropped.rested, dropped.next_state


def _lock(start: History, dropped: Drop, board: NDArray[np.int64], empty: int) -> PieceSpan:
    before, after = start[0][board] != empty, dropped.rested[0][board] != empty
    frames = np.concatenate([start, dropped.frames])[:, board]
    changes = np.flatnonzero((frames[1:] != frames[:-1]).any((1, 2)))
    at = int(changes[-1]) if len(changes) else 0
    new = np.argwhere(after & ~before)
    # Of two pieces of which the second did not enter higher than the first one lay, the first is noticed by its lock.
    at_once = len(changes) and changes[-1] - changes[0] < _LOCK_LASTS
    if not at_once or (before & ~after).any() or not 0 < len(new) <= MOST_CELLS:
        return PieceSpan(dropped.frames, at, None)
    return PieceSpan(dropped.frames, at, tuple((int(row), int(column)) for row, column in new))


def identity(locks: Sequence[PieceSpan], column: Axis, row: Axis) -> int | None:
    """Returns the byte whose number decides which cells lock beside the pivot; None if none does."""
    # In the highest row a piece may stand with some of its cells outside.
    locks = [lock for lock in locks if lock.at and lock.cells and min(lock.cells)[0] > 0]
    if not locks:
        return None
    images = np.concatenate([lock.frames[lock.at - 1 : lock.at] for lock in locks])
    pivots = zip(row.of(images) * np.sign(row.step), column.of(images), strict=True)
    kinds: dict[tuple[Place, ...], int] = {}
    shapes = np.array(
        [
            kinds.setdefault(tuple((int(y - py), int(x - px)) for y, x in lock.cells or ()), len(kinds))
            for lock, (py, px) in zip(locks, pivots, strict=True)
        ]
    )
    counts = {index: _decides(images[:, index].astype(np.int64), shapes) for index in range(images.shape[1])}
    surplus = {index: abs(count - len(kinds)) for index, count in counts.items() if count}
    if not surplus:
        return None
    fit = [index for index, more in surplus.items() if more == min(surplus.values())]
    changes = np.diff(np.concatenate([lock.frames for lock in locks])[:, fit].astype(np.int16), axis=0) != 0
    # Copies change in the same frames; a scratch byte changes when the game only tries a turn.
    alike = {index: int((changes[:, at] == changes.T).all(1).sum()) for at, index in enumerate(fit)}
    return min(fit, key=lambda index: (-alike[index], abs(index - row.index)))


def _decides(numbers: NDArray[np.int64], results: NDArray[np.int64]) -> int:
    """Returns how many numbers there are if each always goes with one result, and 0 if not, or if too few repeat."""
    different = len(np.unique(numbers))
    if not 2 <= different <= len(numbers) // _SEEN_EACH:
        return 0
    return different if len({*zip(numbers.tolist(), results.tolist(), strict=True)}) == different else 0


def next_one(games: Sequence[Sequence[PieceSpan]], identity: int) -> int | None:
    """Returns the byte that has the number of the next piece while a piece is in the air; None if none has."""
    previewed, came = [], []
    for game in games:
        for lock in game[:-1]:  # after the last one no piece may have come: the game was over
            if lock.at > _LOCK_WAITS:
                previewed.append(lock.frames[lock.at - _LOCK_WAITS])
                came.append(int(lock.frames[-1, identity]))
    if len(set(came)) < 2:
        return None
    same = (np.array(previewed) == np.array(came)[:, None]).all(0)
    return int(np.flatnonzero(same)[0]) if same.any() else None
