"""Tells whether two looks at a screen show the same one, whatever counts or repeats the pad there; presses nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History
from emubot.pad import Pad

STEADY: Final = 24  # frames in which a byte that tells screens apart stays the same
_TELLS: Final = 2  # buttons that a byte must tell apart which only repeats them
_BUSY: Final = 0.5  # of the frames of a look, in which a byte changes that counts


class Look:
    """What tells a screen: the numbers of bytes that stand still, and which bytes count meanwhile."""

    def __init__(self, frames: History) -> None:
        last = frames[-STEADY:]
        self.numbers, changes = last[0], (last[1:] != last[:-1]).sum(0)
        self.steady = changes == 0
        self.busy = changes > _BUSY * len(last)

    def seems(self, other: Look, echoes: NDArray[np.bool_] | None = None) -> bool:
        """Returns whether this may be the other screen: what counts may do so, bytes in `echoes` mean nothing."""
        differs = self.steady & other.steady & (self.numbers != other.numbers)
        differs |= (self.busy & other.steady) | (self.steady & other.busy)
        return not (differs if echoes is None else differs & ~echoes).any()


class Echoes:
    """Finds the bytes that only repeat the last button: buttons make the same of them on each screen, or nothing."""

    def __init__(self) -> None:
        self._seen: dict[Pad, list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]] = {}

    def add(self, before: History, button: Pad, after: History) -> None:
        """What a button made of a screen."""
        self._seen.setdefault(button, []).append((before[-1], after[-1]))

    def bytes(self, size: int) -> NDArray[np.bool_]:
        """Returns for each byte whether it is one."""
        found, says = np.ones(size, np.bool_), np.zeros((len(self._seen) + 1, size), np.int64)
        for number, seen in enumerate(self._seen.values()):
            before, after = (np.array(images) for images in zip(*seen, strict=True))
            is_same, stays = (after == after[0]).all(0), (after == before).all(0)
            varies = (before != before[0]).any(0)
            found &= is_same | stays
            says[number] = np.where(is_same & ~stays & varies, after[0].astype(np.int64) + 1, 0)
        distinct = (np.diff(np.sort(says, axis=0), axis=0) != 0).sum(0)
        return np.asarray(found & (distinct >= _TELLS), np.bool_)
