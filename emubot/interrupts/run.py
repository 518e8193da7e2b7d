"""One run and the signals that come to it: what a handler does, and how a second signal cuts the end short; no game."""

from __future__ import annotations

import _thread
import os
import signal
import time
from contextlib import suppress

from emubot.systems import terminals
from emubot.systems.signals import Wakeup, ending, wake

TYPE_CHECKING = False  # as in typing, whose import takes longer than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Final

EXIT_CODE: Final = 130  # as shells report Ctrl-C
SIGNALS: Final = ending()
GRACE: Final = 1.0  # seconds to end after a second signal, twice as much if the end has begun
_MOMENT: Final = 0.02  # seconds within which Python calls a handler, if it can
_SHOW_CURSOR: Final = b"\x1b[?25h"


class Run:
    """One run and the signals that came to it; `thread` is the thread that handles them."""

    def __init__(self, is_program: bool) -> None:
        self.thread = _thread.get_ident()
        self.came = 0  # the number of the last signal
        self.ending = False  # from now on no KeyboardInterrupt is raised
        self.held_back, self.waits = 0, False
        self.note: Callable[[], None] | None = None  # called for the first signal, in place of a KeyboardInterrupt
        self.last_words = b""
        self.abandoned = False
        self._is_program = is_program
        self._before: dict[int, Any] = {}
        self._wakeup = Wakeup() if is_program else None
        self._numbers: list[int] = []
        self._handled, self._ahead = 0, set[int]()
        self._is_woken, self._is_echo, self._own = False, False, 0  # by a signal that this process sends itself
        self._is_cut_short = False

    def install(self) -> None:
        """Handle the signals, except those that this process was started to ignore, as by nohup."""
        if self._wakeup is not None:
            self._wakeup.install()
        for number in SIGNALS:
            if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None):
                self._before[number] = handler
                signal.signal(number, self._handle)
        if self._wakeup is not None:
            start_thread(self._watch, self._wakeup)

    def restore(self) -> None:
        """Give every signal its former handler back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt, and in a program never again."""
        self.ending, self.waits = self._is_program, False
        raise KeyboardInterrupt

    def _handle(self, number: int, _: FrameType | None) -> None:
        self.came = number
        times = self._times(number)
        if times and self.note is not None:
            note, self.note = self.note, None
            times -= 1
            note()
        if times and not self.ending:
            if not self.held_back:
                self.interrupt()
            self.waits = True

    def _times(self, number: int) -> int:
        """Returns how many signals came since the last call: Python calls once for two of a kind that come quickly."""
        self._read()
        new = self._numbers[self._handled :]
        self._handled += len(new)
        is_echo, self._is_echo = self._is_echo and not new, False
        if is_echo:
            return 0
        if not new and number in self._ahead:
            self._ahead.remove(number)
            return 0
        self._ahead.update(set(new) - {number})
        return max(len(new), 1)

    def _read(self) -> None:
        came = self._wakeup.read() if self._wakeup is not None else b""
        own = min(self._own, len(came))
        self._own -= own
        self._numbers += came[own:]
        if len(self._numbers) > 1 and self._is_program and not self._is_cut_short:
            self._is_cut_short = True
            start_thread(self._cut_short)

    def _watch(self, wakeup: Wakeup) -> None:
        """Watch for signals in a thread, whatever the main thread is doing."""
        while not self._is_cut_short:
            wakeup.wait()
            time.sleep(_MOMENT)  # leaves the signals to the handler, if it is called
            self._read()
            # A signal that comes right before the main thread begins to wait does not end that wait.
            if self._handled < len(self._numbers) and not self._is_woken:
                self._is_woken, self._is_echo, self._own = True, True, 1
                if not wake(self.thread, self._numbers[-1]):
                    self._is_echo, self._own = False, 0

    def _cut_short(self) -> None:
        """End the process soon after a second signal, from a thread."""
        time.sleep(GRACE)
        if self.ending:  # the main thread is already ending
            time.sleep(GRACE)
        end_now(self, EXIT_CODE)


def start_thread(work: Callable[..., None], *given: Any) -> None:
    """Start a thread and return as soon as it runs.

    Python's own call returns before. If the interpreter ends in between, Python 3.11 frees what the thread begins with,
    and the process crashes. `threading` waits, too, but takes long to import.
    """
    begun = _thread.allocate_lock()
    begun.acquire()

    def run() -> None:
        begun.release()
        work(*given)

    _thread.start_new_thread(run, ())
    begun.acquire()


def end_now(run: Run, code: int) -> None:
    """End the process without the interpreter's own shutdown."""
    terminals.restore()
    say_last(run.last_words)
    os._exit(code)


def say_last(words: bytes) -> None:
    """Write the words and show the cursor: the progress bar or board that hid it may have been interrupted itself."""
    with suppress(OSError):  # the terminal is gone
        os.write(2, (_SHOW_CURSOR if terminals.takes_sequences(2) else b"") + words)
