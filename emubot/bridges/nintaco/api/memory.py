"""Reads many bytes in one go: ranges of CPU memory as aligned 32-bit words, and the whole cartridge.

The API has no block read: 2 KiB need 512 calls (facts, Nintaco 3.6). They are pipelined if the system allows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.nintaco.api.answers import FRAME_COUNT, counted
from emubot.bridges.nintaco.api.calls import Calls
from emubot.bridges.nintaco.api.wire import ProtocolError, call
from emubot.cartridge import SIZE_LIMIT
from emubot.errors import BridgeError, UsageError

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
        self.peeks = b"".join(Calls.peek_cpu_32.pack(int(word) * 4) for word in self.words)
        self.count = len(self.words)


class MemoryReads(Calls):
    """The calls, and reads of many bytes."""

    def peek_block(self, address: int, length: int) -> bytes:
        """Returns `length` bytes of CPU memory, without side effects; all of one frame if an event is held."""
        _, words = self.peek_words(Blocks([(address, length)]))
        first = address % 4
        return words.astype("<u4").tobytes()[first : first + length]

    def peek_words(self, blocks: Blocks) -> tuple[int, NDArray[np.uint32]]:
        """Returns the frame counter, and the words of `blocks` by ascending address as uint32, lowest byte first.

        Raises NoMachine if no cartridge runs.
        """
        data = self._asking().replies(blocks.peeks, blocks.count, first=FRAME_COUNT)
        numbers = np.frombuffer(data, dtype=">u4").astype(np.uint32)
        return counted(int(numbers[0].view(np.int32))), numbers[1:]

    def read_rom(self) -> bytes:
        """Returns all of PRG and CHR, in this order."""
        program = self._rom(Calls.read_prg_rom.number, self.get_prg_rom_size())
        return program + self._rom(Calls.read_chr_rom.number, self.get_chr_rom_size())

    def rom_sha1(self) -> str | None:
        """Returns the SHA-1 of PRG and CHR in upper case, which identifies a cartridge; None without PRG (disks)."""
        rom = self.read_rom()
        return hashlib.sha1(rom, usedforsecurity=False).hexdigest().upper() if rom else None

    def _rom(self, method: int, size: int) -> bytes:
        """Returns `size` bytes, each by one call."""
        if not 0 <= size <= SIZE_LIMIT:
            raise ProtocolError(f"Nintaco reports a cartridge of {size} bytes, which is impossible: open it again.")
        data = self._asking().replies(b"".join(call(method, index) for index in range(size)), size)
        numbers = np.frombuffer(data, dtype=">u4")
        if size and int(numbers.max()) > 0xFF:
            raise BridgeError("Nintaco reports cartridge bytes above 255: open the cartridge again.")
        return numbers.astype("u1").tobytes()
