"""How much a client may send: messages a second and in all; knows no message."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

MOST_BYTES: Final = 4096  # of one message
MOST_UPLOAD: Final = 8 << 20  # bytes of a recorded match that a page brings
MOST_CLIENTS: Final = 32
MOST_MATCHES: Final = 24
INPUTS_A_SECOND: Final = 240  # eight buttons, pressed and released fifteen times each
TEXTS_A_SECOND: Final = 10


class Allowance:
    """A bucket that fills with `per_second` tokens a second and holds those of two seconds; each message takes one.

    A client that goes on when it is empty for as many messages as it holds is `hopeless`.
    """

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._clock = per_second, clock
        self._most = 2 * per_second
        self._left, self._then, self._refused = self._most, clock(), 0.0

    def take(self) -> bool:
        """Returns whether one more message is allowed now."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < 1:
            self._refused += 1
            return False
        self._left -= 1
        self._refused = max(0.0, self._refused - 0.5)
        return True

    @property
    def hopeless(self) -> bool:
        """Whether too much was refused for an accident."""
        return self._refused > self._most
