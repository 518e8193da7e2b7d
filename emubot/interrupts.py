"""What SIGINT, SIGTERM and SIGHUP do to a run: the first ends it in good order, one more gives that a second; no game.

Every signal of the three is a KeyboardInterrupt, once: what cleans up after it is not disturbed by the next. `main` of
the command line enters `program` or `handled`; nobody else touches a handler, and importing emubot never does. Loads
nothing that takes time, for until then Python's own handler shows a traceback.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from contextlib import contextmanager

TYPE_CHECKING = False  # as in typing, which takes longer to load than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, Final

EXIT_CODE: Final = 130  # as shells have it after Ctrl-C
SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_GRACE: Final = 1.0  # seconds to end in good order, once it was asked for twice
_SHUTDOWN: Final = 5.0  # seconds for the interpreter's own end
_SHOW_CURSOR: Final = b"\x1b[?25h"


class _Run:
    """One run and the signals that came to it; `thread` is the one that handles them."""

    def __init__(self) -> None:
        self.thread = _thread.get_ident()
        self.came = 0  # the number of the last one
        self.ending = False  # from now on no KeyboardInterrupt is raised
        self.held_back, self.waits = 0, False
        self.note: Callable[[], None] | None = None  # takes the first one, in place of a KeyboardInterrupt
        self.last_words = b""
        self._is_cut_short = False
        self._before: dict[int, Any] = {}
        self._pipe: tuple[int, int] | None = None
        self._wakeup_before = -1
        self._counted: set[int] = set()

    def install(self) -> None:
        """Handle the signals, but for those that this process was started to ignore, as by nohup."""
        if sys.platform != "win32":
            self._pipe = os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
            self._wakeup_before = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in SIGNALS:
            if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None):
                self._before[number] = handler
                signal.signal(number, self._handle)

    def restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._pipe is not None:
            signal.set_wakeup_fd(self._wakeup_before)
            for end in self._pipe:
                os.close(end)

    def interrupt(self) -> None:
        self.ending, self.waits = True, False
        raise KeyboardInterrupt

    def _handle(self, number: int, _: FrameType | None) -> None:
        self.came = number
        times = self._times(number)
        if times and self.note is not None:
            note, self.note = self.note, None
            times -= 1
            note()
        was_ending = self.ending or self.waits
        if times > (not was_ending) and not self._is_cut_short:
            self._is_cut_short = True
            _thread.start_new_thread(_end_after, (_GRACE, self, EXIT_CODE))
        if times and not was_ending:
            if not self.held_back:
                self.interrupt()
            self.waits = True

    def _times(self, number: int) -> int:
        """How many signals came since the last call: Python calls once for two of a kind that come quickly."""
        try:
            came = os.read(self._pipe[0], 4096) if self._pipe is not None else b""
        except BlockingIOError:
            came = b""
        if not came and number in self._counted:
            self._counted.remove(number)
            return 0
        self._counted.update(set(came) - {number})
        return max(len(came), 1)


_run: _Run | None = None


def program(command: Callable[[], int], interrupted: Callable[[], object], last_words: str) -> int:
    """The exit code of a command that is all this process is there for; leaves nothing but `sys.exit` to do.

    `interrupted` is called where a KeyboardInterrupt got past the command; where ending takes too long, `last_words`
    are written and the process ends without. Returns 130 when a signal came. From then on all of them are ignored.
    """
    global _run  # noqa: PLW0603
    _run = run = _Run()
    code = EXIT_CODE
    try:
        run.last_words = last_words.encode()
        sys.unraisablehook = _unraisable
        run.install()
        try:
            code = command()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        run.ending = True
    except KeyboardInterrupt:
        run.ending = True
        interrupted()
    run.last_words = b""
    for number in SIGNALS:
        # The interpreter resets any other handler before its end, and a signal would change the exit code.
        signal.signal(number, signal.SIG_IGN)
    if run.came:
        _last(b"")
        code = code or EXIT_CODE
    _thread.start_new_thread(_end_after, (_SHUTDOWN, run, code))
    return code


@contextmanager
def handled() -> Iterator[None]:
    """In this block the three signals mean what they mean to the program; their handlers are restored after it.

    In another thread than the main one, and within a program, it changes nothing.
    """
    global _run  # noqa: PLW0603
    import threading

    if _run is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    _run = run = _Run()
    run.install()
    try:
        yield
    finally:
        run.restore()
        _run = None


@contextmanager
def held_back() -> Iterator[None]:
    """A signal does not break off this block, it comes at the end: for what must be done whole, and is done soon."""
    run = _current()
    if run is None:
        yield
        return
    run.held_back += 1
    try:
        yield
    finally:
        run.held_back -= 1
        if run.waits and not run.held_back:
            run.interrupt()


@contextmanager
def noted(note: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """The first signal in this block is only noted, and `note` called then; the value tells whether one came."""
    has_come = False

    def come() -> None:
        nonlocal has_come
        has_come = True
        note()

    run = _current()
    if run is not None:
        run.note = come
    try:
        yield lambda: has_come
    finally:
        if run is not None:
            run.note = None


def came() -> bool:
    """Whether a signal came to this run: what fails after it may be its doing."""
    return _run is not None and _run.came != 0


def _current() -> _Run | None:
    return _run if _run is not None and _run.thread == _thread.get_ident() else None


def _end_after(seconds: float, run: _Run, code: int) -> None:
    """A thread that ends the process, if the run is still this one then."""
    time.sleep(seconds)
    if run is _run:
        _last(run.last_words)
        os._exit(code)


def _last(words: bytes) -> None:
    """Write them, and show the cursor: what hid it, a progress bar or a board, may have been interrupted itself."""
    try:
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + words)
    except OSError:  # the terminal is gone
        return


def _unraisable(failure: sys.UnraisableHookArgs) -> None:
    """An interrupt in the middle of what cannot raise, such as a finaliser, is raised again a moment later."""
    run = _run
    if run is not None and issubclass(failure.exc_type, KeyboardInterrupt):
        run.ending = False
        _thread.start_new_thread(_again, (signal.Signals(run.came),))
    else:
        sys.__unraisablehook__(failure)


def _again(number: signal.Signals) -> None:
    time.sleep(0.001)
    _thread.interrupt_main(number)
