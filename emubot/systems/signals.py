"""Signals that end a program: which there are, how they wake it, and how they are left to a parent; handles none."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # as in typing, whose import takes longer than everything else here
if TYPE_CHECKING:
    import socket
    import threading
    from collections.abc import Iterable, Iterator
    from typing import Final

_LOOK: Final = 0.1  # seconds


def ending() -> list[signal.Signals]:
    """Returns the signals that ask a program to end: Ctrl-C, a polite kill, and the end of its terminal.

    On Windows that end, and Ctrl-Break, is SIGBREAK.
    """
    return _known("SIGINT", "SIGTERM", "SIGBREAK" if sys.platform == "win32" else "SIGHUP")


def of_terminals() -> list[signal.Signals]:
    """Returns those of `ending` that a terminal sends to all its programs."""
    return [number for number in ending() if number != signal.SIGTERM]


def leave_to_parent() -> None:
    """Ignore a terminal's signals in this process, because its parent gets them too and ends it."""
    ignore(of_terminals())


def ignore(numbers: Iterable[signal.Signals]) -> None:
    """Ignore these signals in this process."""
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Block a terminal's signals: processes of multiprocessing that start in this block never get them.

    Not even before their first step. Windows cannot block signals; there they have to ignore them.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        resource_tracker.ensure_running()  # its start unblocks Ctrl-C; of a terminal's signals it ignores only that
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wait_for(event: threading.Event) -> None:
    """Wait for an event so that Python handles signals meanwhile; on Windows they do not end a wait."""
    while not event.wait(_LOOK if sys.platform == "win32" else None):
        pass


def wake(thread: int, number: int) -> bool:
    """Send a thread a signal that ends its wait, for Python to handle what came; False where threads get none."""
    if sys.platform == "win32":
        return False
    with suppress(ProcessLookupError):  # it has just ended
        signal.pthread_kill(thread, number)
    return True


class Wakeup:
    """Where each signal leaves its number at once, even while compiled code keeps Python from handling it.

    That is a pipe. On Windows, where `select` waits for sockets only, it is a pair of these.
    """

    def __init__(self) -> None:
        self._sockets: tuple[socket.socket, socket.socket] | None = None
        if sys.platform == "win32":
            import socket

            self._sockets = socket.socketpair()
            self._ends = (self._sockets[0].fileno(), self._sockets[1].fileno())
        else:
            self._ends = os.pipe()

    def install(self) -> None:
        """Let signals of this process come here; only the main thread may call it."""
        for end in self._sockets or ():
            end.setblocking(False)
        if sys.platform != "win32":
            for number in self._ends:
                os.set_blocking(number, False)
        signal.set_wakeup_fd(self._ends[1], warn_on_full_buffer=False)

    def wait(self) -> None:
        """Wait until there are numbers."""
        select.select([self._ends[0]], [], [])

    def read(self) -> bytes:
        """Returns the numbers that came since the last call, one byte each; does not wait."""
        try:
            return os.read(self._ends[0], 4096) if self._sockets is None else self._sockets[0].recv(4096)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Close both ends; signals must no longer come here."""
        if self._sockets is None:
            os.close(self._ends[0])
            os.close(self._ends[1])
        for end in self._sockets or ():
            end.close()


def _known(*names: str) -> list[signal.Signals]:
    return [getattr(signal, name) for name in names if hasattr(signal, name)]
