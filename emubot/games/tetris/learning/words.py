"""Collects the stored words of cells: empty, locked, moving, and bits that change at rest; knows no map and no frame.

A word is all bytes of a cell as one number. What makes a code of a word is a mask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from emubot.rammap.cells import Words

MOST_CELLS: Final = 5  # of a piece
_MOST_WORDS: Final = 512  # words of a sort at most; noise must not fill memory

Cell = tuple[int, int]  # column, row


class WordsSeen:
    """The words of one cartridge. `bits` are the bits that may belong to a code."""

    def __init__(self, bits: int) -> None:
        self.empty: Counter[int] = Counter()  # before a piece locked there
        self.solid: Counter[int] = Counter()  # after it
        self.moving: Counter[int] = Counter()  # in the piece in the air
        self._bits, self._noise = bits, 0

    @property
    def mask(self) -> int:
        """The bits that never changed at rest."""
        return self._bits & ~self._noise

    def at_rest(self, before: Words, after: Words) -> bool:
        """Note two frames of cells that nothing touched; returns whether a bit more turned out not to be the code."""
        changed = int(np.bitwise_or.reduce((before ^ after).ravel(), initial=0)) & self.mask
        self._noise |= changed
        return bool(changed)

    def locked(self, before: Iterable[int], after: Iterable[int]) -> None:
        """Note the words of a piece's cells before and after it locked."""
        _count(self.empty, before)
        _count(self.solid, after)

    def moved(self, words: Iterable[int]) -> bool:
        """Note the words where the piece is in the air; returns whether one is new, neither empty nor solid."""
        known = self.codes(self.empty) | self.codes(self.solid)
        seen = len(self.moving)
        _count(self.moving, [word for word in words if word & self.mask not in known])
        return len(self.moving) > seen

    def codes(self, words: Iterable[int]) -> dict[int, None]:
        """Returns the codes of words, each once, in the order in which they were seen."""
        return dict.fromkeys(word & self.mask for word in words)

    @property
    def conflict(self) -> bool:
        """Whether a code is that of empty and of solid cells, so that something was misread."""
        return bool(self.codes(self.empty).keys() & self.codes(self.solid).keys())


def locked_cells(before: Words, after: Words, mask: int) -> list[Cell]:
    """Returns the cells (column, row of the array) of a piece that locked between two settled fields.

    Empty if the change is not one piece: cells that do not touch or too many, a cell that became what another one was
    (a line was cleared), or cells in the top row, because the piece may continue above it.
    """
    changed = np.argwhere((before ^ after) & mask)
    cells = [(int(column), int(row)) for row, column in changed]
    if not 0 < len(cells) <= MOST_CELLS or min(row for _, row in cells) == 0 or not touching(cells):
        return []
    old, new = ({int(field[row, column]) & mask for column, row in cells} for field in (before, after))
    return [] if old & new else cells


def touching(cells: Sequence[Cell]) -> bool:
    """Returns whether cells are one piece, edge to edge."""
    joined, rest = {cells[0]}, set(cells[1:])
    while near := {(x, y) for x, y in rest if {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & joined}:
        joined |= near
        rest -= near
    return not rest


def _count(counter: Counter[int], words: Iterable[int]) -> None:
    for word in words:
        if word in counter or len(counter) < _MOST_WORDS:
            counter[word] += 1
