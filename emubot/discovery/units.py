"""Sees memory as units of 1, 2, 4 or 8 bits, so that a cell of the board is one unit; knows no board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History

Units = NDArray[np.uint8]  # (frames, units): the number of each unit after each frame

_BYTE: Final = 8


@dataclass(frozen=True, slots=True)
class Packing:
    """How units lie in bytes: `bits` each, the high ones of a byte first or the low ones."""

    bits: int
    high_first: bool = True

    @property
    def each(self) -> int:
        """Units in a byte."""
        return _BYTE // self.bits

    def of(self, images: History) -> Units:
        """Returns the units of images."""
        if self.bits == _BYTE:
            return images
        shifts = np.arange(0, _BYTE, self.bits, dtype=np.uint8)
        if self.high_first:
            shifts = shifts[::-1]
        parts = (images[..., None] >> shifts) & ((1 << self.bits) - 1)
        return parts.reshape(*images.shape[:-1], -1).astype(np.uint8)

    def byte(self, unit: int) -> int:
        """Returns the index of the byte that a unit lies in."""
        return unit // self.each

    def low_bit(self, unit: int) -> int:
        """Returns the lowest bit of a unit in its byte."""
        place = unit % self.each
        return self.bits * (self.each - 1 - place if self.high_first else place)


BYTES: Final = Packing(_BYTE)
# Of equal explanations of a board the first one is taken.
PACKINGS: Final = (BYTES, Packing(4), Packing(4, False), Packing(1), Packing(1, False), Packing(2), Packing(2, False))
