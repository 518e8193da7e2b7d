"""What SIGINT, SIGTERM and SIGHUP do to a run: the first ends it in order, a second one within a second; knows no game.

Each of the three signals raises KeyboardInterrupt, but only once: the next one does not disturb the cleanup. Only the
command line's `main` enters `program` or `handled`. In this process only `held_back` touches a handler besides them,
and importing emubot never does. This module imports nothing slow, because until it is ready Python's own handler shows
a traceback.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from contextlib import ExitStack, contextmanager

from emubot.interrupts.run import EXIT_CODE as EXIT_CODE
from emubot.interrupts.run import SIGNALS, Run, end_now, say_last, start_thread
from emubot.systems.signals import wait_for

TYPE_CHECKING = False  # as in typing, whose import takes longer than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Final

_SHUTDOWN: Final = 5.0  # seconds for the interpreter's own shutdown


_run: Run | None = None


def program(command: Callable[[], int], interrupted: Callable[[], object], last_words: str) -> int:
    """Run a command that is the whole purpose of this process, and return its exit code; only `sys.exit` may follow.

    `interrupted` is called if a KeyboardInterrupt got past the command. If the end takes too long, `last_words` are
    written and the process ends at once. If a signal came, the code is 130, or the command's own if that is not 0. From
    then on all signals are ignored.
    """
    global _run  # noqa: PLW0603
    code = EXIT_CODE
    try:
        _run = run = Run(is_program=True)
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
            end_now(run, code)
        say_last(b"")
    start_thread(_end_after, _SHUTDOWN, run, code)
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
        wait_for(done)
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
    _run = run = Run(is_program=False)
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


def _current() -> Run | None:
    return _run if _run is not None and _run.thread == _thread.get_ident() else None


def _end_after(seconds: float, run: Run, code: int) -> None:
    time.sleep(seconds)
    end_now(run, code)


def _unraisable(failure: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt again a moment later if it came in code that cannot raise, such as a finaliser."""
    run = _run
    if run is not None and issubclass(failure.exc_type, KeyboardInterrupt):
        run.ending = False
        start_thread(_again, signal.Signals(run.came))
    else:
        sys.__unraisablehook__(failure)


def _again(number: signal.Signals) -> None:
    time.sleep(0.001)
    _thread.interrupt_main(number)
