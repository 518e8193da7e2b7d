"""The line between a parent and its child: shared memory for frames, a bell to wake the other side.

One frame is one request: the parent posts it and the child answers it. Only one request is under way at a time, while
the request and reply counters differ. Each side polls the counters for a third of a millisecond at most (one frame at
full speed) and then sleeps until the other side rings. With a socket pair alone, wake-ups would cost the time of a
quarter of a frame (measured, docs/measurements/index.md).
"""

from __future__ import annotations

import mmap
import socket
import struct
import time
from contextlib import suppress
from typing import Final

from emubot.systems.cores import orders_writes
from emubot.systems.sockets import waiter

SIZE: Final = 1 << 16
SPACES: Final = 4096  # offset of the console's memory spaces
FRAME, TALK = 1, 2  # operations: run a frame; answer a message sent over `talk`
GOOD, FAILED = 0, 1  # results of an operation; the reason of a failure comes over `talk`

# Offsets. Each has its own cache line, because both sides access them in turn.
_REQUEST, _REPLY, _PARENT_SLEEPS, _CHILD_SLEEPS = 0, 64, 128, 192
_SPINS, _OPERATION, _STATUS, _PADS, _FRAMES = 256, 320, 384, 448, 512

_LOOKS: Final = 3000  # polls of the counters before sleeping; about 0.1 us each
_COUNT: Final = struct.Struct("<Q")
# Other processors may show the counter before the frame's bytes; there the bell orders them.
_ORDERED: Final = orders_writes()


class LineLost(Exception):
    """The process at the other end is gone."""


class Channel:
    """One end of the line; `memory` is all the shared memory, and the console's spaces begin at `SPACES`."""

    def __init__(self, memory: int, bell: socket.socket, *, is_child: bool) -> None:
        """Take over `bell`; `memory` is mapped, and the caller may close it."""
        self.memory = memoryview(mmap.mmap(memory, SIZE))
        self._bell = bell
        self._bell.setblocking(False)
        self._asleep, self._other_asleep = (_CHILD_SLEEPS, _PARENT_SLEEPS)[:: 1 if is_child else -1]
        self._rings = waiter(bell)

    @property
    def under_way(self) -> bool:
        """True while a posted request is unanswered."""
        return self.memory[_REQUEST] != self.memory[_REPLY]

    @property
    def frames(self) -> int:
        """The number of frames the child has run."""
        count: int = _COUNT.unpack_from(self.memory, _FRAMES)[0]
        return count

    @frames.setter
    def frames(self, count: int) -> None:
        _COUNT.pack_into(self.memory, _FRAMES, count)

    @property
    def pads(self) -> bytes:
        """The pads of both ports for the last posted frame."""
        return bytes(self.memory[_PADS : _PADS + 2])

    @pads.setter
    def pads(self, pads: bytes | bytearray) -> None:
        self.memory[_PADS : _PADS + 2] = pads

    @property
    def operation(self) -> int:
        """The last posted operation."""
        return self.memory[_OPERATION]

    @property
    def failed(self) -> bool:
        """True if the last answered operation failed."""
        return self.memory[_STATUS] != GOOD

    def spin(self, wanted: bool) -> None:
        """Allow or forbid both ends to poll before they sleep; allow it only while processors are idle."""
        self.memory[_SPINS] = wanted and _ORDERED

    def post(self, operation: int) -> None:
        """Post an operation for the child. Raises LineLost."""
        self.memory[_OPERATION] = operation
        self.memory[_REQUEST] = self.memory[_REQUEST] + 1 & 0xFF
        self._wake()

    def answer(self, status: int) -> None:
        """Tell the parent that its operation is done. Raises LineLost."""
        self.memory[_STATUS] = status
        self.memory[_REPLY] = self.memory[_REQUEST]
        self._wake()

    def wait_request(self, seconds: float) -> bool:
        """Wait for a request; returns False if none came in time. Raises LineLost."""
        return self._wait(True, seconds)

    def answered_soon(self) -> bool:
        """Poll for an answer without sleeping; returns False if there is none yet."""
        memory = self.memory
        looks = _LOOKS if memory[_SPINS] else 1
        return any(memory[_REQUEST] == memory[_REPLY] for _ in range(looks))

    def wait_answer(self, seconds: float) -> bool:
        """Wait until no request is under way; returns False if that takes longer. Raises LineLost."""
        return self._wait(False, seconds)

    def close(self) -> None:
        """Close the bell, so that the other end gets LineLost. The memory stays readable."""
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
                # The other end may have read our flag before this write reached it, so ring it once to be safe.
                self._ring()
            while (memory[_REQUEST] != memory[_REPLY]) is not under_way:
                if not self._rings(max(until - time.monotonic(), 0)):
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
            with suppress(BlockingIOError):  # enough rings wait there already
                self._bell.send(b"!")
        except OSError as failure:
            raise LineLost from failure
