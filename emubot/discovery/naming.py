"""Finds what names a piece: a byte, or two or three of them together; and which bytes name the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis
from emubot.discovery.board import Place
from emubot.discovery.lab import History
from emubot.discovery.pieces import TURN_SHOWS, PieceSpan
from emubot.pad import Pad

_SEEN_EACH: Final = 3  # times that each number of a byte must have been seen, on average
_SOON: Final = 0.3  # frames after its column, on average, a piece has its name at the latest
_STRAY: Final = 0.03  # of the pieces may be misread, as two that are taken for one
_AGREED: Final = 0.96  # of the locks: one may be misread, as where a row vanished
_MOST_NUMBERS: Final = 64  # of a byte that is half of a name
_TURNING: Final = Pad.A | Pad.B | Pad.UP | Pad.SELECT
_MOST_HALVES: Final = 60  # bytes of which pairs are tried, those that say most of the shape
_NEAREST: Final = 16  # pairs that say most of the shape: to these a third byte is tried


@dataclass(frozen=True, slots=True)
class Name:
    """The bytes that name a piece with its orientation: the sum of each byte times its factor."""

    bytes: tuple[int, ...]
    times: tuple[int, ...]

    def of(self, images: History) -> NDArray[np.int64]:
        """Returns the number of each image."""
        return images[:, list(self.bytes)].astype(np.int64) @ np.array(self.times, np.int64)


@dataclass(frozen=True, slots=True)
class Named:
    """A name, and in which share of the locks it said which cells were filled."""

    name: Name
    agreed: float


def names(
    spans: Sequence[PieceSpan], column: Axis, row: Axis, steady: NDArray[np.int64], restless: Set[int] = frozenset()
) -> list[Named]:
    """Returns what decides which cells lock beside the pivot, the likeliest first, of bytes that `steady` returns.

    Bytes that are `restless` come last: a generator of random numbers decides which piece comes, too. Before them come
    those that are the next piece's later than its column is: they are copies that a game makes to draw it.
    """
    # In the highest row a piece may stand with some of its cells outside.
    locks = [span for span in spans if span.cells and min(span.cells)[0] > 0]
    if not locks:
        return []
    images = np.concatenate([span.frames[span.last : span.last + 1] for span in locks])
    shapes = _shapes(locks, images, column, row)
    images = np.concatenate([span.frames[span.named : span.named + 1] for span in locks])
    steady = steady[~np.isin(steady, (column.index, row.index))]
    counts = np.array([len(np.unique(images[:, index])) for index in steady])
    kinds = int((np.bincount(shapes) > 1).sum())
    soon = _wait(spans, Name((column.index,), (1,))) + _SOON
    found: list[tuple[tuple[float, ...], Named]] = []

    def consider(name: Name) -> None:
        if (agreed := _agreed(name.of(images), shapes)) is not None:
            surplus = abs(len(np.unique(name.of(images))) - kinds)
            late = _wait(spans, name) > soon
            near = sum(abs(index - row.index) for index in name.bytes)
            apart = max(name.bytes) - min(name.bytes)
            place = (not restless.isdisjoint(name.bytes), late, round(-agreed, 2), surplus, apart, near)
            found.append((place, Named(name, agreed)))

    for index in map(int, steady[counts > 1]):
        consider(Name((index,), (1,)))
    if all(place[0] or place[1] for place, _ in found):
        halves = steady[(counts > 1) & (counts <= min(_MOST_NUMBERS, kinds + 2))]
        tell = {int(index): _information(images[:, index], shapes) for index in halves}
        halves = np.sort(sorted(tell, key=lambda index: -tell[index])[:_MOST_HALVES])
        for pair in combinations(map(int, halves), 2):
            consider(_joined(images, pair))
        if not found:  # a game may turn the places of the cells themselves, as seen from the pivot
            for three in _threes(images, halves, shapes):
                consider(_joined(images, three))
    return [named for _, named in sorted(found, key=lambda each: each[0])]


def _wait(spans: Sequence[PieceSpan], name: Name) -> float:
    """Returns the mean of the frames after a lock in which a name is not the next piece's yet, where it changes."""
    after = [name.of(span.frames[span.last + 1 :]) for span in spans]
    waits = [int((numbers != numbers[-1]).sum()) for numbers in after if numbers[0] != numbers[-1]]
    return float(np.mean(waits)) if waits else 0.0


def steady(spans: Sequence[PieceSpan], taken: set[int]) -> NDArray[np.int64]:
    """Returns the bytes that change under control only after a press that may turn a piece; not those of `taken`.

    Pieces whose cells are not known tell nothing: two may be taken for one.
    """
    free = np.setdiff1d(np.arange(spans[0].frames.shape[1]), sorted(taken))
    return free[_steady([span for span in spans if span.cells], free)]


def _shapes(locks: Sequence[PieceSpan], images: History, column: Axis, row: Axis) -> NDArray[np.int64]:
    """Returns a number for the cells of each lock, seen from the pivot."""
    pivots = zip(row.of(images) * np.sign(row.step), column.of(images) * np.sign(column.step), strict=True)
    kinds: dict[tuple[Place, ...], int] = {}
    return np.array(
        [
            kinds.setdefault(tuple((int(y - py), int(x - px)) for y, x in lock.cells or ()), len(kinds))
            for lock, (py, px) in zip(locks, pivots, strict=True)
        ]
    )


def _steady(spans: Sequence[PieceSpan], free: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which bytes change under control only after a press that may turn a piece."""
    unsteady = np.zeros(len(free), np.int64)
    for span in spans:
        frames = span.frames[1 : span.named + 1, free]
        changes = frames[1:] != frames[:-1]
        if not len(changes):
            continue
        turning = np.array([bool(pad & _TURNING) for pad in span.pads[2 : span.named + 1]], np.bool_)
        allowed = np.convolve(turning, np.ones(TURN_SHOWS))[: len(turning)] > 0
        unsteady += changes[~allowed[: len(changes)]].any(0)
    return unsteady <= _STRAY * len(spans)


def _threes(images: History, bytes_: NDArray[np.int64], shapes: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Yields the pairs of bytes that alone say most of the shape, each with every other byte, in rising order."""
    pairs = list(combinations(map(int, bytes_), 2))
    shares = {pair: _share(_joined(images, pair).of(images), shapes) for pair in pairs}
    nearest = sorted(pairs, key=lambda pair: -shares[pair])[:_NEAREST]
    threes = (sorted({*pair, int(third)}) for pair in nearest for third in bytes_ if third not in pair)
    yield from dict.fromkeys((first, second, third) for first, second, third in threes)


def _agreed(numbers: NDArray[np.int64], shapes: NDArray[np.int64]) -> float | None:
    """Returns the share of locks in which a number went with its usual shape; None if too many or few numbers do."""
    if not 2 <= len(np.unique(numbers)) <= max(len(numbers) // _SEEN_EACH, 2):
        return None
    share = _share(numbers, shapes)
    return share if share >= _AGREED else None


def _share(numbers: NDArray[np.int64], shapes: NDArray[np.int64]) -> float:
    kinds = int(shapes.max()) + 1
    _, places, counts = np.unique(numbers * kinds + shapes, return_index=True, return_counts=True)
    usual: dict[int, int] = {}
    for at, count in zip(places, counts, strict=True):
        usual[int(numbers[at])] = max(usual.get(int(numbers[at]), 0), int(count))
    return sum(usual.values()) / len(numbers)


def _information(numbers: NDArray[np.integer], shapes: NDArray[np.int64]) -> float:
    """Returns how much numbers say of the shape, in nats, less what as many numbers say by chance."""
    _, first = np.unique(numbers, return_inverse=True)
    both = np.zeros((first.max() + 1, shapes.max() + 1))
    np.add.at(both, (first, shapes), 1 / len(shapes))
    alone = both.sum(1, keepdims=True) * both.sum(0, keepdims=True)
    seen = both > 0
    chance = (both.shape[0] - 1) * (both.shape[1] - 1) / (2 * len(shapes))
    return float((both[seen] * np.log(both[seen] / alone[seen])).sum() - chance)


def _joined(images: History, indices: Sequence[int]) -> Name:
    """Returns several bytes as one name: the factors keep their numbers apart."""
    widths = [int(images[:, index].max()).bit_length() for index in indices[:-1]]
    return Name(tuple(indices), tuple(1 << width for width in accumulate(widths, initial=0)))


def next_one(games: Sequence[Sequence[PieceSpan]], name: Name, taken: set[int]) -> Name | None:
    """Returns the bytes that have, while a piece is in the air, the name of the piece that comes next; None if none."""
    previewed, came = [], []
    for game in games:
        for span in game:
            previewed.append(span.frames[span.last])
            came.append(span.frames[-1])
    if not came:
        return None
    found = []
    for index in name.bytes:
        following = np.array(came)[:, index]
        if len(np.unique(following)) < 2:
            return None
        told = (np.array(previewed) == following[:, None]).mean(0)
        told[sorted(taken)] = 0
        if told.max() < 1 - _STRAY:
            return None
        found.append(int(told.argmax()))
    return Name(tuple(found), name.times)
