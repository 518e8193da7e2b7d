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

TYPE_CHECKING = False  # as in typing, which takes longer to load than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
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

    def handle(self, number: int, _: FrameType | None) -> None:
        self.came = number
        if self.note is not None:
            note, self.note = self.note, None
            note()
        elif self.ending or self.waits:
            if not self._is_cut_short:
                self._is_cut_short = True
                _thread.start_new_thread(_end_after, (_GRACE, self, EXIT_CODE))
        elif self.held_back:
            self.waits = True
        else:
            self.interrupt()

    def interrupt(self) -> None:
        self.ending, self.waits = True, False
        raise KeyboardInterrupt


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
        _install(run)
        try:
            code = command()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        run.ending = True
    except KeyboardInterrupt:
        run.ending = True
        interrupted()
    run.last_words = b""
    for (
        number
    ) in SIGNALS:  # the interpreter restores every other handler before its end: a signal would change the code
        signal.signal(number, signal.SIG_IGN)
    if run.came:
        _show_cursor()
        code = code or EXIT_CODE
    _thread.start_new_thread(_end_after, (_SHUTDOWN, run, code))
    return code


class handled:  # noqa: N801
    """A block in which the three signals mean what they mean to the program; their handlers are restored after it.

    In another thread than the main one, and within a program, it does nothing.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        global _run  # noqa: PLW0603
        import threading

        if _run is None and threading.current_thread() is threading.main_thread():
            _run = _Run()
            self._before = _install(_run)

    def __exit__(self, *_: object) -> None:
        global _run  # noqa: PLW0603
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._before:
            _run = None


class held_back:  # noqa: N801
    """A block that a signal does not break off: it comes at its end. For what must be done whole, and is done soon."""

    def __enter__(self) -> None:
        self._run = _current()
        if self._run is not None:
            self._run.held_back += 1

    def __exit__(self, *_: object) -> None:
        run = self._run
        if run is not None:
            run.held_back -= 1
            if run.waits and not run.held_back:
                run.interrupt()


class noted:  # noqa: N801
    """A block in which the first signal is only noted, `note` being called then; the value tells whether it came."""

    def __init__(self, note: Callable[[], None]) -> None:
        self._note, self._has_come = note, False

    def __enter__(self) -> Callable[[], bool]:
        self._run = _current()
        if self._run is not None:
            self._run.note = self._come
        return lambda: self._has_come

    def __exit__(self, *_: object) -> None:
        if self._run is not None:
            self._run.note = None

    def _come(self) -> None:
        self._has_come = True
        self._note()


def came() -> bool:
    """Whether a signal came to this run: what fails after it may be its doing."""
    return _run is not None and _run.came != 0


def _current() -> _Run | None:
    return _run if _run is not None and _run.thread == _thread.get_ident() else None


def _install(run: _Run) -> dict[int, Any]:
    """Handle the signals, but for those that whoever started this process lets it ignore, as nohup; what was before."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    before = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, run.handle)
    return before


def _end_after(seconds: float, run: _Run, code: int) -> None:
    """A thread that ends the process, if the run is still this one then."""
    time.sleep(seconds)
    if run is _run:
        _show_cursor()
        if run.last_words:
            os.write(2, run.last_words)
        os._exit(code)


def _show_cursor() -> None:
    """What hid it, a progress bar or a board, may have been interrupted before its end."""
    try:
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
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
