"""Finds the bytes that show which piece comes next, by a number of its own for each kind of piece; runs no emulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from emubot.discovery.recording import Bits, Marks, Numbers
from emubot.rammap.spaces import address_of
from emubot.rammap.strict_yaml import Hex

_FEWEST_KINDS: Final = 2
_SEEN_EACH: Final = 3  # times that a code was right again, on average, after it was first seen
_MOST: Final = 6  # pieces ahead that a map can name


@dataclass(frozen=True, slots=True)
class Preview:
    """A byte that shows a coming piece: the number with which it enters, by the byte's code."""

    index: int
    codes: Mapping[int, int]
    times: int  # that it was right

    def value(self) -> Any:
        """Returns it as a map's `values` has it."""
        at = Hex(address_of(self.index))
        if all(code == number for code, number in self.codes.items()):
            return at
        return {"at": at, "table": {repr(Hex(code)): number for code, number in sorted(self.codes.items())}}


def previews_of(marks: Marks, free: Bits, near: int) -> list[Preview]:
    """Returns the byte of the next piece, then those of the pieces after it where these follow it in memory.

    `free` are bytes of no other meaning; of several the one that is nearest to the byte `near` is taken. All codes must
    have been right whenever they were seen, and none is guessed: pieces that were never next are not in the table.
    """
    firsts = sorted(_ahead(marks, free, 1), key=lambda each: abs(each.index - near))
    for first in firsts:
        for way in (1, -1):
            queue = [first]
            while len(queue) < _MOST:
                following = first.index + way * len(queue)
                if not 0 <= following < len(free) or not free[following]:
                    break
                only = np.zeros_like(free)
                only[following] = True
                further = [each for each in _ahead(marks, only, len(queue) + 1) if _agree(each.codes, first.codes)]
                if not further:
                    break
                queue += further
            if len(queue) > 1:
                return queue
    return firsts[:1]


def _ahead(marks: Marks, free: Bits, pieces: int) -> Iterator[Preview]:
    """Yields the bytes that tell, at each mark, which piece comes so many pieces later."""
    now = np.arange(len(marks) - pieces)
    now = now[marks.games[now] == marks.games[now + pieces]]
    came: Numbers = marks.ids[now + pieces]
    if len(np.unique(came)) < _FEWEST_KINDS:
        return
    images = marks.images[now]
    quiet = np.flatnonzero(free & ~marks.moved.any(0) & (images != images[0]).any(0))
    for index in map(int, quiet):
        codes = dict(zip(map(int, images[:, index]), map(int, came), strict=True))
        told = np.array([codes[int(code)] for code in images[:, index]])
        again = len(now) - len(codes)
        if (told == came).all() and len(set(codes.values())) == len(codes) and again >= _SEEN_EACH * len(codes):
            yield Preview(index, codes, len(now))


def _agree(codes: Mapping[int, int], others: Mapping[int, int]) -> bool:
    return all(others.get(code, number) == number for code, number in codes.items())
