"""Who does the work: processes, or any concurrent.futures.Executor; knows no game and keeps no result."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Final, TypeVar

from emubot.errors import EmubotError

_LOOK: Final = 0.2  # seconds between two looks at whether to stop
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@contextmanager
def workers(jobs: int) -> Iterator[Executor]:
    """An executor with that many workers, each a process: a thread could not be ended before it has finished.

    Left by an exception, it does not wait for what is still running: processes are ended. Processes are spawned, so
    compile kernels before; they ignore Ctrl-C, which is this process's to handle, and end when it ends.
    """
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_serve)
    try:
        with _ctrl_c_waits():
            executor.submit(_nothing)  # starts all of them
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    executor.shutdown(wait=True, cancel_futures=True)


def completed(
    executor: Executor,
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    at_once: int,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[_Task, _Result]]:
    """Each task with its result, in the order in which they end; `at_once` of them are handed out at a time.

    When `stop` says so no more are handed out, and those under way are finished. What a task raises is raised here.
    """
    waiting = iter(tasks)
    running: dict[Future[_Result], _Task] = {}
    while True:
        while len(running) < at_once and not stop():
            task = next(waiting, None)
            if task is None:
                break
            running[executor.submit(work, task)] = task
        if not running:
            return
        done, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            try:
                result = future.result()
            except BrokenProcessPool as broken:
                raise EmubotError(
                    "A worker process was ended from outside, perhaps because memory ran out; run the same command "
                    "again, with fewer --jobs."
                ) from broken
            yield task, result


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back; processes started meanwhile never get it, not even before their first step."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its own start would let Ctrl-C in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _nothing() -> None:
    """The first task."""


def _serve() -> None:
    """A worker's first steps: leave Ctrl-C to the parent, and end with it even where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
