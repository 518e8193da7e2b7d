"""The line between a parent and its child: shared memory for frames, a bell to wake by; knows no emulator.

One frame is one request. The parent posts it and the child answers it, and nothing else is under way meanwhile: a
request is under way while the two counters differ. Each side looks at them for a short, bounded while (a third of a
millisecond, the length of a frame at full speed) and then sleeps until the other one rings: a socket pair alone costs
the time of a quarter of a frame in wake-ups (measured, benchmarks/hosting.md).
"""

from __future__ import annotations

import mmap
import os
import platform
import select
import socket
import struct
import tempfile
import time
from contextlib import suppress
from typing import Final

SIZE: Final = 1 << 16
SPACES: Final = 4096  # the memory spaces of the console stand from here on
FRAME, TALK = 1, 2  # operations: run a frame; answer a message that comes over `talk`
GOOD, FAILED = 0, 1  # how an operation ended; why it failed comes over `talk`

# Offsets, each in a cache line of its own where both sides look at it in turn.
_REQUEST, _REPLY, _PARENT_SLEEPS, _CHILD_SLEEPS = 0, 64, 128, 192
_SPINS, _OPERATION, _STATUS, _PADS, _FRAMES = 256, 320, 384, 448, 512

_LOOKS: Final = 3000  # at the counters before sleeping; some 0.1 us each
_COUNT: Final = struct.Struct("<Q")
# Other processors may show the counter before the frame's bytes: there the bell orders them.
_ORDERED: Final = platform.machine().lower() in {"x86_64", "amd64"}


class LineLost(Exception):
    """The process at the other end is gone."""


def shared_memory() -> int:
    """A file descriptor of `SIZE` zero bytes that have no name: nothing is left behind however the processes end."""
    if hasattr(os, "memfd_create"):
        memory = os.memfd_create("emubot")
    else:
        with tempfile.TemporaryFile() as file:
            memory = os.dup(file.fileno())
    os.truncate(memory, SIZE)
    return memory


class Line:
    """One end of the line; `memory` is the whole of it, and the console's memory spaces begin at `SPACES`."""

    def __init__(self, memory: int, bell: socket.socket, *, is_child: bool) -> None:
        """Take over `bell`; `memory` is mapped and may be closed by the caller."""
        self.memory = memoryview(mmap.mmap(memory, SIZE))
        self._bell = bell
        self._bell.setblocking(False)
        self._asleep, self._other_asleep = (_CHILD_SLEEPS, _PARENT_SLEEPS)[:: 1 if is_child else -1]
        self._poll = select.poll()
        self._poll.register(bell, select.POLLIN)

    @property
    def under_way(self) -> bool:
        """Whether a request was posted and is not answered yet."""
        return self.memory[_REQUEST] != self.memory[_REPLY]

    @property
    def frames(self) -> int:
        """How many frames the child has run."""
        count: int = _COUNT.unpack_from(self.memory, _FRAMES)[0]
        return count

    @frames.setter
    def frames(self, count: int) -> None:
        _COUNT.pack_into(self.memory, _FRAMES, count)

    @property
    def pads(self) -> bytes:
        """The two ports' pads of the frame posted last."""
        return bytes(self.memory[_PADS : _PADS + 2])

    @pads.setter
    def pads(self, pads: bytes | bytearray) -> None:
        self.memory[_PADS : _PADS + 2] = pads

    @property
    def operation(self) -> int:
        """What was posted last."""
        return self.memory[_OPERATION]

    @property
    def failed(self) -> bool:
        """Whether the operation answered last failed."""
        return self.memory[_STATUS] != GOOD

    def spin(self, wanted: bool) -> None:
        """Whether both ends may look before they sleep: only while nobody else needs the processor."""
        self.memory[_SPINS] = wanted and _ORDERED

    def post(self, operation: int) -> None:
        """Ask the child for an operation. Raises LineLost."""
        self.memory[_OPERATION] = operation
        self.memory[_REQUEST] = self.memory[_REQUEST] + 1 & 0xFF
        self._wake()

    def answer(self, status: int) -> None:
        """Tell the parent that what it posted is done. Raises LineLost."""
        self.memory[_STATUS] = status
        self.memory[_REPLY] = self.memory[_REQUEST]
        self._wake()

    def wait_request(self, seconds: float) -> bool:
        """Wait for a request; False where none came in time. Raises LineLost."""
        return self._wait(True, seconds)

    def answered_soon(self) -> bool:
        """Look for an answer without sleeping; False where there is none yet."""
        memory = self.memory
        looks = _LOOKS if memory[_SPINS] else 1
        return any(memory[_REQUEST] == memory[_REPLY] for _ in range(looks))

    def wait_answer(self, seconds: float) -> bool:
        """Wait until nothing is under way; False where that took longer. Raises LineLost."""
        return self._wait(False, seconds)

    def close(self) -> None:
        """Hang up: the other end sees that it is alone. The memory stays readable."""
        self._bell.close()

    def _wait(self, under_way: bool, seconds: float) -> bool:
        memory = self.memory
        spins = memory[_SPINS]
        for _ in range(_LOOKS if spins else 1):
            if (memory[_REQUEST] != memory[_REPLY]) is under_way:
                return True
        until = time.monotonic() + seconds
        memory[self._asleep] = 1
        try:
            if spins:
                # A processor may show the other end our flag after it looked: it is rung once more than it needs be.
                self._ring()
            while (memory[_REQUEST] != memory[_REPLY]) is not under_way:
                if not self._poll.poll(max(until - time.monotonic(), 0) * 1000):
                    return False
                with suppress(BlockingIOError):
                    if not self._bell.recv(64):
                        raise LineLost
        except OSError as failure:
            raise LineLost from failure
        finally:
            memory[self._asleep] = 0
        return True

    def _wake(self) -> None:
        if not self.memory[_SPINS] or self.memory[self._other_asleep]:
            self._ring()

    def _ring(self) -> None:
        try:
            with suppress(BlockingIOError):  # it has more rings before it than it needs
                self._bell.send(b"!")
        except OSError as failure:
            raise LineLost from failure
