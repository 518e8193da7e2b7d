"""Reads ranges of CPU memory as aligned 32-bit words in one request; knows no socket.

The API has no block read: 2 KiB need 512 calls (facts, Nintaco 3.6).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.wire import call
from emubot.errors import UsageError

_PEEK_32: Final = 75
_ADDRESSES: Final = 0x10000


class Blocks:
    """Ranges of (CPU address, length) as one request of `count` calls; raises UsageError beyond $FFFF."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        wanted = np.zeros(_ADDRESSES, dtype=np.uint8)
        for address, length in ranges:
            if address < 0 or length < 0 or address + length > _ADDRESSES:
                raise UsageError(f"The CPU sees $0000-$FFFF; {length} bytes from ${address:X} are not all in it.")
            wanted[address : address + length] = 0xFF
        masks = wanted.view("<u4")
        self.words: NDArray[np.intp] = np.flatnonzero(masks)  # addresses / 4
        self.masks: NDArray[np.uint32] = masks[self.words]  # 0xFF for each byte in the ranges
        self.peeks = b"".join(call(_PEEK_32, int(word) * 4) for word in self.words)
        self.count = len(self.words)
