"""What SIGINT, SIGTERM and SIGHUP do to a run: the first ends it in order, a second one within a second; knows no game.

Each of the three signals raises KeyboardInterrupt, but only once: the next one does not disturb the cleanup. Only the
command line's `main` enters `program` or `handled`. In this process only `held_back` touches a handler besides them,
and importing emubot never does. This module imports nothing slow, because until it is ready Python's own handler shows
a traceback.
"""

from __future__ import annotations

import _thread
import os
import select
import signal
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

TYPE_CHECKING = False  # as in typing, whose import takes longer than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, Final

EXIT_CODE: Final = 130  # as shells report Ctrl-C
SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_GRACE: Final = 1.0  # seconds to end after a second signal, twice as much if the end has begun
_MOMENT: Final = 0.02  # seconds within which Python calls a handler, if it can
_SHUTDOWN: Final = 5.0  # seconds for the interpreter's own shutdown
_SHOW_CURSOR: Final = b"\x1b[?25h"


class _Run:
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
        # Each signal writes its number into the pipe, even while compiled code keeps Python from handling it.
        self._pipe = os.pipe() if is_program and sys.platform != "win32" else None
        self._numbers: list[int] = []
        self._handled, self._ahead = 0, set[int]()
        self._is_cut_short = False

    def install(self) -> None:
        """Handle the signals, except those that this process was started to ignore, as by nohup."""
        if self._pipe is not None:
            for end in self._pipe:
                os.set_blocking(end, False)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in SIGNALS:
            if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None):
                self._before[number] = handler
                signal.signal(number, self._handle)
        if self._pipe is not None:
            _thread.start_new_thread(self._watch, (self._pipe[0],))

    def restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def interrupt(self) -> None:
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
        if not new and number in self._ahead:
            self._ahead.remove(number)
            return 0
        self._ahead.update(set(new) - {number})
        return max(len(new), 1)

    def _read(self) -> None:
        try:
            self._numbers += os.read(self._pipe[0], 4096) if self._pipe is not None else b""
        except BlockingIOError:  # all are read
            return
        if len(self._numbers) > 1 and self._is_program and not self._is_cut_short:
            self._is_cut_short = True
            _thread.start_new_thread(self._cut_short, ())

    def _watch(self, pipe: int) -> None:
        """Watch for signals in a thread, whatever the main thread is doing."""
        while not self._is_cut_short:
            select.select([pipe], [], [])
            time.sleep(_MOMENT)  # leaves the signals to the handler, if it is called
            self._read()

    def _cut_short(self) -> None:
        """End the process soon after a second signal, from a thread."""
        time.sleep(_GRACE)
        if self.ending:  # the main thread is already ending
            time.sleep(_GRACE)
        _end(self, EXIT_CODE)


_run: _Run | None = None


def program(command: Callable[[], int], interrupted: Callable[[], object], last_words: str) -> int:
    """Run a command that is the whole purpose of this process, and return its exit code; only `sys.exit` may follow.

    `interrupted` is called if a KeyboardInterrupt got past the command. If the end takes too long, `last_words` are
    written and the process ends at once. If a signal came, the code is 130, or the command's own if that is not 0. From
    then on all signals are ignored.
    """
    global _run  # noqa: PLW0603
    code = EXIT_CODE
    try:
        _run = run = _Run(is_program=True)
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
        # The interpreter resets any other handler before its end, and then a signal would change the exit code.
        signal.signal(number, signal.SIG_IGN)
    if run.came:
        code = code or EXIT_CODE
        if run.abandoned:  # the interpreter's shutdown would break the abandoned thread
            _end(run, code)
        _last(b"")
    _thread.start_new_thread(_end_after, (_SHUTDOWN, run, code))
    return code


def apart(work: Callable[[], None]) -> None:
    """Run long compiled work in a thread of its own, so that signals are handled meanwhile; return when it is done.

    A signal does not stop the work; the process then ends without waiting for it.
    """
    run = _current()
    if run is None:
        work()
        return
    check()
    import threading

    failures: list[BaseException] = []
    done = threading.Event()

    def do() -> None:
        try:
            work()
        except BaseException as failure:  # raised again in the waiting thread
            failures.append(failure)
        done.set()

    try:
        threading.Thread(target=do, daemon=True).start()
        done.wait()
    except KeyboardInterrupt:
        run.abandoned = True
        raise
    if failures:
        raise failures[0]


@contextmanager
def handled() -> Iterator[None]:
    """Handle the three signals in this block as in the program; their handlers are restored after it.

    In a thread other than the main one, and within a program, it changes nothing.
    """
    global _run  # noqa: PLW0603
    if _run is not None or not _handles_signals():
        yield
        return
    _run = run = _Run(is_program=False)
    try:
        run.install()
        yield
    finally:
        run.restore()
        _run = None


@contextmanager
def held_back() -> Iterator[None]:
    """Delay a signal to the end of this block: for short work that must not be interrupted.

    Outside of a run the signal then goes to its present handler.
    """
    run = _current()
    if run is None:
        with ExitStack() as stack:
            if _handles_signals():
                for number in SIGNALS:
                    stack.enter_context(_put_off(number))
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
def _put_off(number: int) -> Iterator[None]:
    """Delay the call of a signal's present handler to the end of the block."""
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


@contextmanager
def noted(note: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Only note the first signal in this block, and call `note`; the yielded function returns whether one came."""
    has_come = False

    def come() -> None:
        nonlocal has_come
        has_come = True
        note()

    check()
    run = _current()
    if run is not None:
        run.note = come
    try:
        yield lambda: has_come
    finally:
        if run is not None:
            run.note = None


def check() -> None:
    """Raise KeyboardInterrupt again if it was lost; compiled libraries may lose it while they are loaded.

    Do not call it where cleanup code passes.
    """
    run = _current()
    if run is not None and run.ending:
        raise KeyboardInterrupt


def came() -> bool:
    """Returns whether a signal came to this run: it may be the cause of a later failure."""
    return _run is not None and _run.came != 0


def _handles_signals() -> bool:
    """Returns whether this is the main thread, the only one that signals interrupt."""
    import threading

    return threading.current_thread() is threading.main_thread()


def _current() -> _Run | None:
    return _run if _run is not None and _run.thread == _thread.get_ident() else None


def _end_after(seconds: float, run: _Run, code: int) -> None:
    time.sleep(seconds)
    _end(run, code)


def _end(run: _Run, code: int) -> None:
    """End the process without the interpreter's own shutdown."""
    _last(run.last_words)
    os._exit(code)


def _last(words: bytes) -> None:
    """Write the words and show the cursor: the progress bar or board that hid it may have been interrupted itself."""
    with suppress(OSError):  # the terminal is gone
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + words)


def _unraisable(failure: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt again a moment later if it came in code that cannot raise, such as a finaliser."""
    run = _run
    if run is not None and issubclass(failure.exc_type, KeyboardInterrupt):
        run.ending = False
        _thread.start_new_thread(_again, (signal.Signals(run.came),))
    else:
        sys.__unraisablehook__(failure)


def _again(number: signal.Signals) -> None:
    time.sleep(0.001)
    _thread.interrupt_main(number)
