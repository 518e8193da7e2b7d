"""Finds conditions on bytes that hold in a game's frames of one phase and in no others; knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.rammap.spaces import address_of

_MOST_BYTES: Final = 4  # of a condition
_MOST_NUMBERS: Final = 8  # of a byte
_CHANCE: Final = 16  # numbers that a byte has in all: one with more that shows some of them may do so by chance
_RUNS: Final = 3  # times that each number of a byte must come on average: one that differs from game to game does not
_LATE: Final = 2  # frames by which a copy comes later, at most
_CHANGES: Final = 3  # of a byte, and of its late copy, at least
_COPIES: Final = 1  # that are asked beside what they copy
_SELDOM: Final = 2  # times as many changes of the copy: it may show more than what it copies
_WAITS: Final = 12  # frames at the end of a look at a screen, in which it waits for a button
_STATES: Final = 2  # other phases that a game's state must tell from each other
_OFTEN: Final = 0.25  # of the frames: what changes in more of them counts
STACK: Final = range(0x0100, 0x0200)


@dataclass(frozen=True, slots=True)
class Told:
    """A condition: the numbers that each of these bytes may have, and the share of other frames that it excludes."""

    numbers: Mapping[int, tuple[int, ...]]
    apart: float

    def holds(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image whether the condition holds."""
        true = np.ones(len(images), np.bool_)
        for index, allowed in self.numbers.items():
            true &= np.isin(images[:, index], allowed)
        return true

    @property
    def whole(self) -> bool:
        """Whether it holds in no other frame that was seen."""
        return bool(self.numbers) and self.apart == 1


class Teller:
    """Tells phases apart by bytes that are free to mean a phase."""

    def __init__(
        self, images: Sequence[History], taken: set[int], sprites: Set[int], late: Mapping[int, set[int]] | None = None
    ) -> None:
        """`images` are all frames seen; `taken` bytes mean something else, `sprites` are of the picture.

        `late` has what bytes copy that come later than that.
        """
        together = np.concatenate(images)
        self._free = np.setdiff1d(np.arange(together.shape[1]), sorted(taken))
        counts = np.array([len(np.unique(together[:, index])) for index in self._free])
        self._free = self._free[counts > 1]
        counts = counts[counts > 1]
        self._chance = {int(index) for index in self._free[counts > _CHANCE]}
        # The stack and the sprites have numbers that only look as if they meant something.
        worse = np.array([address_of(int(index)) in STACK or int(index) in sprites for index in self._free], np.bool_)
        self._late = late or {}
        self._unsure = self._late.keys() | {int(index) for index in self._free[worse]}
        self._order = np.lexsort((self._free, counts, worse))
        self._place = np.empty(len(self._free), np.int64)
        self._place[self._order] = np.arange(len(self._free))

    def state_of(self, control: History, between: History, screens: Sequence[History]) -> int | None:
        """Returns the byte that is most likely the game's state; None if there is none.

        It has one number under control, other ones where each of these `screens` waits for a button, and mostly another
        one between two pieces; of these bytes it tells most apart. Of equal ones it changes most often from one screen
        to the next: what the game left in a scratch byte stays there on several screens.
        """
        best, most = None, (_STATES, -1)
        for index in map(int, self._free[self._order]):
            own, waits = np.unique(control[:, index]), [frames[-_WAITS:, index] for frames in screens]
            if len(own) != 1 or index in self._unsure | self._chance or any((wait != wait[-1]).any() for wait in waits):
                continue
            others = {int(wait[-1]) for wait in waits}
            elsewhere = between[between[:, index] != own[0], index]
            if 2 * len(elsewhere) > len(between):
                others.add(int(np.bincount(elsewhere).argmax()))
            changes = sum(wait[-1] != later[-1] for wait, later in pairwise(waits))
            if own[0] not in others and (len(others), changes) > most:
                best, most = index, (len(others), changes)
        return best

    def tell(
        self,
        inside: History,
        outside: History,
        fixed: bool = False,
        first: Sequence[int] = (),
        always: int | None = None,
    ) -> Told:
        """Returns the condition that holds in all frames `inside` and in as few as possible `outside`.

        `fixed`: each byte has one number inside, and a late copy has one, too. Of equal bytes those of `first` come
        first, then those with the fewest numbers, which are rather the game's own state than counters. Late copies, and
        bytes that may show several numbers by chance, are asked only if others do not suffice. The byte `always` is
        asked if it excludes anything: it tells what was not seen, too.
        """
        if not len(inside):
            return Told({}, 0.0)
        numbers = {int(index): np.unique(inside[:, index]) for index in self._free}
        usable = [index for index, seen in numbers.items() if len(seen) <= (1 if fixed else _MOST_NUMBERS)]
        place = {int(index): int(at) for index, at in zip(self._free, self._place, strict=True)}
        place |= {index: at - len(first) for at, index in enumerate(first)}
        runs = (inside[1:] != inside[:-1]).sum(0) + 1
        comes_back = {index for index in usable if runs[index] >= _RUNS * len(numbers[index])} - self._chance | {*first}
        sure = [index for index in usable if len(numbers[index]) == 1 or index in comes_back]
        sure = [index for index in sure if index not in self._unsure]
        told = _chosen(sure, numbers, place, outside, always)
        if not told.whole:  # the stack soon has another number under control: it is worth it only if it tells all
            wider = _chosen(usable, numbers, place, outside, always)
            told = wider if wider.whole or not told.numbers else told
        copies = [index for index in usable if fixed and self._late.get(index, set()) & told.numbers.keys()]
        both = dict(told.numbers) | {index: (int(numbers[index][0]),) for index in copies[:_COPIES]}
        return Told(both, told.apart)


def _chosen(
    usable: Sequence[int],
    numbers: Mapping[int, NDArray[np.uint8]],
    place: Mapping[int, int],
    outside: History,
    always: int | None,
) -> Told:
    """Returns the condition on these bytes, with as few of them as exclude most frames one after the other.

    The byte `always` is the first one, if it excludes any.
    """
    left, chosen = outside, dict[int, tuple[int, ...]]()
    while len(left) and len(chosen) < _MOST_BYTES:
        excluded = {index: int((~np.isin(left[:, index], numbers[index])).sum()) for index in usable}
        asked = {index: (place[index] < 0, -len(numbers[index]), -place[index]) for index in usable}
        best = max(usable, key=lambda index: (excluded[index], *asked[index]), default=None)
        if not chosen and always is not None and excluded.get(always):
            best = always
        if best is None or not excluded[best]:
            break
        chosen[best] = tuple(map(int, numbers[best]))
        left = left[np.isin(left[:, best], numbers[best])]
    return Told(chosen, 1 - len(left) / len(outside) if len(outside) else 0.0)


def late_copies(passages: Sequence[History]) -> dict[int, set[int]]:
    """Returns the bytes that change a frame or two after another one each time that this does, and what they copy.

    `passages` are frames that follow each other, from one phase to others.
    """
    changed = [frames[1:] != frames[:-1] for frames in passages]
    found = dict[int, set[int]]()
    for by in range(1, _LATE + 1):
        sooner = np.concatenate([each[:-by] for each in changed])
        later = np.concatenate([each[by:] for each in changed])
        first, copies = (
            np.flatnonzero((each.sum(0) >= _CHANGES) & (each.mean(0) < _OFTEN)) for each in (sooner, later)
        )
        sooner, later = sooner[:, first].astype(np.int64), later[:, copies].astype(np.int64)
        follows = sooner.T @ later == sooner.sum(0)[:, None]
        follows &= (later.sum(0) <= _SELDOM * sooner.sum(0)[:, None]) & (first[:, None] != copies)
        pairs = {int(copy): {*map(int, first[column])} for copy, column in zip(copies, follows.T, strict=True)}
        found = {copy: whole for copy, whole in pairs.items() if whole} | found
    return found
