"""The way to a process that plans: starts it, asks it, ends it; knows no frame."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

from emubot.errors import EmubotError
from emubot.pilot.apart.wire import Order, Reply, line_of, reply_of
from emubot.program import program

COMMAND = "think"  # the command of emubot that plans; it is in no help
_END: Final = b""


class LinkClosed(Exception):
    """The process has ended."""


class Link(Protocol):
    """A way to something that plans. Call `close` at the end."""

    def tell(self, order: Order) -> None:
        """Send an order; nothing waits for the process to read it. If it has ended, `reply` says so."""

    def reply(self, patience: float | None) -> Reply | None:
        """Returns the next reply, None if none comes within `patience` seconds (None: wait). Raises LinkClosed."""

    def close(self) -> None:
        """End it; harmless when called again."""


class ProcessLink(Link):
    """A process that plans."""

    def __init__(self, compiled: bool, words: Sequence[str] | None = None) -> None:
        """`compiled` kernels plan there, or those of the sources as they stand; `words` start it, for tests.

        Raises EmubotError if the system starts no other process.
        """
        environment = dict(os.environ)
        environment.pop("NUMBA_DISABLE_JIT", None)
        if not compiled:
            environment["NUMBA_DISABLE_JIT"] = "1"
        try:
            self._process = subprocess.Popen(
                words or [*program(), COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
        except OSError as failure:
            raise EmubotError(f"The process that plans cannot be started: {failure}.") from failure
        self._orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=each, name="plans", daemon=True) for each in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    def tell(self, order: Order) -> None:
        """Send an order; nothing waits for the process to read it. If it has ended, `reply` says so."""
        self._orders.put(line_of(order))

    def reply(self, patience: float | None) -> Reply | None:
        """Returns the next reply, None if none comes within `patience` seconds (None: wait). Raises LinkClosed."""
        try:
            line = self._replies.get(patience != 0, patience)
        except queue.Empty:
            return None
        if not line:
            self._replies.put(line)
            raise LinkClosed
        return reply_of(line)

    def close(self) -> None:
        """End the process; harmless when called again."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.kill()  # it may be deep in a decision, and holds nothing
        self._orders.put(_END)
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self._process.stdout.close()
        with suppress(OSError):  # what was not read
            self._process.stdin.close()

    def _write(self) -> None:
        """Send what was told; a process that starts, or stands still, reads nothing, and a pipe holds little."""
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended
            while line := self._orders.get():
                self._process.stdin.write(line)
                self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith(b"\n"):  # else it was ended while it wrote
                self._replies.put(line)
        self._replies.put(_END)
