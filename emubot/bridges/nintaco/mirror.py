"""A copy of the followed bytes of one memory space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.memory import Blocks, MemoryReads
from emubot.bridges.protocol import RAM_SIZE, WRAM
from emubot.errors import UsageError

SPACES: Final[Mapping[str, tuple[int, int]]] = {"ram": (0, RAM_SIZE), "wram": WRAM}


class Mirror:
    """The bytes of the space `name`; bytes that are not followed are 0. `blocks` is None before `follow`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.base, self.size = SPACES[name]
        self.blocks: Blocks | None = None
        self._words: NDArray[np.uint32] = np.zeros(self.size // 4, dtype="<u4")
        self._places: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    def follow(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Follow exactly these (CPU address, length). Raises UsageError if bytes are outside the space."""
        for address, length in ranges:
            self.check(address, length)
        self.blocks = Blocks(ranges)
        self._places = self.blocks.words - self.base // 4
        self._words[:] = 0

    def renew(self, memory: MemoryReads) -> int:
        """Read the followed bytes; returns the emulator's frame counter."""
        if self.blocks is None:
            return memory.get_frame_count()
        count, words = memory.peek_words(self.blocks)
        self._words[self._places] = words & self.blocks.masks
        return count

    def read(self, memory: MemoryReads, address: int, length: int) -> bytes:
        """Returns bytes of the held frame: the copy if the space is followed, else read now."""
        self.check(address, length)
        if self.blocks is None:
            return memory.peek_block(address, length)
        start = address - self.base
        return self._words.tobytes()[start : start + length]

    def check(self, address: int, length: int) -> None:
        """Raise UsageError if not all these bytes are in the space."""
        start = address - self.base
        if start < 0 or length < 0 or start + length > self.size:
            last = self.base + self.size - 1
            raise UsageError(
                f"{self.name} is ${self.base:04X}-${last:04X}; {length} bytes from ${address:04X} are not all in it."
            )
