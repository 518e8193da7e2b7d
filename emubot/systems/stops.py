"""Ctrl-Z: what a program does before it stops, and after it goes on; nothing where systems have no such stop."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager

TYPE_CHECKING = False  # as in typing, which takes time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def around_stops(leave: Callable[[], object], come_back: Callable[[], object]) -> Iterator[None]:
    """In this block Ctrl-Z calls `leave`, stops the program, and calls `come_back` when it goes on."""
    number = getattr(signal, "SIGTSTP", None)
    is_main = threading.current_thread() is threading.main_thread()
    if number is None or not is_main or signal.getsignal(number) != signal.SIG_DFL:
        yield
        return

    def stop(*_: object) -> None:
        leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # returns when the program goes on
        signal.signal(number, stop)
        come_back()

    signal.signal(number, stop)
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL)
