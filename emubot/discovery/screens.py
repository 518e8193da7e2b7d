"""Finds conditions on bytes that hold in a game's frames of one phase and in no others; knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.rammap.spaces import address_of

_MOST_BYTES: Final = 4  # of a condition
_MOST_NUMBERS: Final = 8  # of a byte
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

    def __init__(self, images: Sequence[History], taken: set[int], sprites: set[int]) -> None:
        """`images` are all frames seen; `taken` bytes mean something else, `sprites` are of the picture."""
        together = np.concatenate(images)
        self._free = np.setdiff1d(np.arange(together.shape[1]), sorted(taken))
        counts = np.array([len(np.unique(together[:, index])) for index in self._free])
        self._free = self._free[counts > 1]
        counts = counts[counts > 1]
        # The stack and the sprites have numbers that only look as if they meant something.
        worse = np.array([address_of(int(index)) in STACK or int(index) in sprites for index in self._free], np.bool_)
        self._order = np.lexsort((self._free, counts, worse))
        self._place = np.empty(len(self._free), np.int64)
        self._place[self._order] = np.arange(len(self._free))

    def tell(self, inside: History, outside: History, fixed: bool = False, first: Sequence[int] = ()) -> Told:
        """Returns the condition that holds in all frames `inside` and in as few as possible `outside`.

        `fixed`: each byte has one number inside. Of equal bytes those of `first` come first, then those with the fewest
        numbers, which are rather the game's own state than counters.
        """
        if not len(inside):
            return Told({}, 0.0)
        numbers = {int(index): np.unique(inside[:, index]) for index in self._free}
        usable = [index for index, seen in numbers.items() if len(seen) <= (1 if fixed else _MOST_NUMBERS)]
        place = {int(index): int(at) for index, at in zip(self._free, self._place, strict=True)}
        place |= {index: at - len(first) for at, index in enumerate(first)}
        left, chosen = outside, dict[int, tuple[int, ...]]()
        while len(left) and len(chosen) < _MOST_BYTES:
            excluded = {index: int((~np.isin(left[:, index], numbers[index])).sum()) for index in usable}
            best = max(usable, key=lambda index: (excluded[index], -len(numbers[index]), -place[index]), default=None)
            if best is None or not excluded[best]:
                break
            chosen[best] = tuple(map(int, numbers[best]))
            left = left[np.isin(left[:, best], numbers[best])]
        return Told(chosen, 1 - len(left) / len(outside) if len(outside) else 0.0)
