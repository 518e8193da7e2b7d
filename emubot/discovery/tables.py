"""Finds a table in memory that says where each row of the board lies; knows no game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.rammap.spaces import address_of, indices_of

_LEAST: Final = 6  # rows of a table
_HIDDEN: Final = 8  # rows above the board, at most


@dataclass(frozen=True, slots=True)
class RowTable:
    """A table with an entry for each row, from the highest one on: column 0 lies at `base` + entry * `times`.

    `times` is negative where row numbers count against addresses. `at` is the index of the first entry's byte, or low
    byte, `stride` the bytes to the next one; `high` is the index of the first high byte, None for entries of one byte.
    `down` is -1 where the first entry is the lowest row's.
    """

    at: int
    high: int | None
    stride: int
    base: int
    times: int
    down: int = 1
    above: int = 0

    def starts(self, images: History, rows: int) -> NDArray[np.int64]:
        """Returns the index of column 0 of each row in each image: (frames, rows), the highest row first."""
        steps = np.arange(rows)[:: self.down] * self.stride
        entries = images[:, self.at + steps].astype(np.int64)
        if self.high is not None:
            entries += images[:, self.high + steps].astype(np.int64) << 8
        return indices_of(np.asarray(self.base + entries * self.times, np.intp)).astype(np.int64)

    def sinks(self, images: History, rows: int) -> bool:
        """Returns whether rows are lower in the last image than in the first one, as above rows that vanish."""
        before, after = (list(map(int, start)) for start in self.starts(images, rows)[[0, -1]])
        lower = [row - before.index(start) for row, start in enumerate(after) if start in before]
        return sum(down > 0 for down in lower) > sum(down < 0 for down in lower)

    def bytes_of(self, rows: int) -> list[int]:
        """Returns the indices of all its bytes."""
        firsts = [self.at] if self.high is None else [self.at, self.high]
        return [first + row * self.stride for first in firsts for row in range(rows)]


def row_table(image: History, starts: NDArray[np.int64], against: bool = False) -> RowTable | None:
    """Returns the table by which rows lie at these indices, the highest row first; None if memory has none.

    `image` is one image of a board on which no row has vanished yet. Until then, row numbers that rise with the
    addresses look like numbers that count `against` them in a table of which the other end is the highest row.
    """
    if len(starts) < _LEAST:
        return None
    addresses = np.array([address_of(int(index)) for index in starts], np.int64)
    found: list[RowTable] = []
    for down in (1, -1):
        memory = image[0].astype(np.int64)
        for parts in _numbers(memory, addresses[::down], -1) if against else _tables(memory, addresses[::down]):
            table = RowTable(*parts, down)
            if table.base >= 0 and _lists(table, image, starts):
                found.append(replace(table, above=_above(table, image, starts)))
    # Where hidden rows have entries, these and those of most other rows list the visible rows as well, from another
    # base: the right ones have the hidden rows' beside them.
    return min(found, key=lambda table: (table.high is None, -table.above, table.base), default=None)


def _lists(table: RowTable, image: History, starts: NDArray[np.int64]) -> bool:
    """Returns whether a table lies in memory, apart from the rows, and says where they are."""
    listed = table.bytes_of(len(starts))
    if min(listed) < 0 or max(listed) >= image.shape[1] or set(listed) & set(map(int, starts)):
        return False
    return bool((table.starts(image, len(starts))[0] == starts).all())


def _above(table: RowTable, image: History, starts: NDArray[np.int64]) -> int:
    """Returns how many further rows a table lists, each as far above the next one as the highest two are apart."""
    apart = int(starts[1] - starts[0])
    for more in range(1, _HIDDEN + 1):
        listed = [starts[0] - apart * above for above in range(more, 0, -1)]
        first = 0 if table.down < 0 else -more * table.stride
        higher = replace(table, at=table.at + first, high=None if table.high is None else table.high + first)
        if listed[0] < 0 or not _lists(higher, image, np.array([*listed, *starts])):
            return more - 1
    return _HIDDEN


def _tables(memory: NDArray[np.int64], addresses: NDArray[np.int64]) -> Iterator[tuple[int, int | None, int, int, int]]:
    rows = len(addresses)
    for stride in (2, 1):  # pairs of bytes first: their low bytes alone are a table, too
        length = (rows - 1) * stride + 1
        windows = np.lib.stride_tricks.sliding_window_view(memory, length)[:, ::stride]
        # The low bytes of pointers differ from those of the rows by one number: pointers may begin at a wall.
        lows = (windows - addresses) % 256
        for at in np.flatnonzero((lows == lows[:, :1]).all(1)):
            for offset in {int(lows[at, 0]), int(lows[at, 0]) - 256}:
                highs = (windows == (addresses + offset) >> 8).all(1)
                near = [at + 1] if stride == 2 else np.flatnonzero(highs)
                yield from (
                    (int(at), int(high), stride, -offset, 1)
                    for high in near
                    if high < len(highs) and highs[high] and high != at
                )
    yield from _numbers(memory, addresses, 1)


def _numbers(
    memory: NDArray[np.int64], addresses: NDArray[np.int64], way: int
) -> Iterator[tuple[int, None, int, int, int]]:
    """Yields the tables of row numbers that rise with the addresses, or fall with `way` -1."""
    steps = np.diff(addresses)
    if (steps == steps[0]).all() and steps[0]:
        windows = np.lib.stride_tricks.sliding_window_view(memory, len(addresses))
        times = way * abs(int(steps[0]))
        counted = windows - (addresses - addresses[0]) // times
        for at in np.flatnonzero((counted == counted[:, :1]).all(1)):
            yield int(at), None, 1, int(addresses[0]) - times * int(counted[at, 0]), times
