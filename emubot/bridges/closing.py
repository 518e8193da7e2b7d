"""How a bridge ends: by `with`, and to the last word whatever interrupts; knows nothing else of it."""

from __future__ import annotations

import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, TracebackType
from typing import Final, Self

_ENDINGS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C, and what else a program has made of the signals that end it, waits until the block is done.

    Signals interrupt the main thread only: in another one this does nothing. A signal that Python does not handle ends
    the process as ever. Keep the block short.
    """
    with ExitStack() as held:
        if threading.current_thread() is threading.main_thread():
            for number in _ENDINGS:
                held.enter_context(_held(number))
        yield


@contextmanager
def _held(number: int) -> Iterator[None]:
    handler = signal.getsignal(number)
    if not callable(handler):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(number, lambda *what: came.append(what))
    try:
        yield
    finally:
        signal.signal(number, handler)
        if came:
            handler(*came[-1])


class ClosedByWith(ABC):
    """For bridges: `with connect(...) as bridge:` calls `close` however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Release the pads and the emulator; harmless when called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
