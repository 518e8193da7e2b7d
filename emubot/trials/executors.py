"""Who does the work: processes, or any concurrent.futures.Executor; knows no game and keeps no result."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

from emubot import interrupts
from emubot.errors import EmubotError

_LOG = logging.getLogger(__name__)

DEATHS: Final = 3  # of workers with one and the same task: so many and it is the task's doing
_LOOK: Final = 0.2  # seconds between two looks at whether to stop
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@contextmanager
def workers(jobs: int) -> Iterator[Executor]:
    """An executor with that many workers, each a process: a thread could not be ended before it has finished.

    A worker that dies is replaced and its task done again, with a line in the log; the third time the task is given up
    with an EmubotError that names it. Left by an exception, it does not wait for what is still running: processes are
    ended. Processes are spawned, so compile kernels before; they ignore Ctrl-C and a closed terminal, which are this
    process's to handle, and end when it ends.
    """
    executor = _Processes(jobs)
    try:
        for _ in range(jobs):
            with interrupts.held_back():  # a process whose parent was interrupted as it starts complains of it
                executor.start_one()
        yield executor
        executor.shutdown(wait=True, cancel_futures=True)
    except BaseException:
        executor.end()
        raise


def completed(
    executor: Executor,
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    at_once: int,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[_Task, _Result]]:
    """Each task with its result, in the order in which they end; `at_once` of them are handed out at a time.

    When `stop` says so no more are handed out, and those under way are finished. It is asked several times a second;
    what it raises, or a task does, is raised here.
    """
    waiting = iter(tasks)
    running: dict[Future[_Result], _Task] = {}
    stopped = False
    while True:
        stopped = stopped or stop()
        while len(running) < at_once and not stopped:
            task = next(waiting, None)
            if task is None:
                break
            running[executor.submit(work, task)] = task
            stopped = stop()
        if not running:
            return
        done, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            yield task, future.result()


def results(
    executor: Executor,
    work: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    at_once: int | None = None,
    finished: Callable[[_Task], object] = lambda task: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[_Result] | None:
    """What the tasks return, in their order, whoever does them and whenever they end; None if it was stopped before.

    `finished` hears of each task as it ends. `at_once`: None hands out all of them, for workers that are still to come.
    """
    found: dict[int, _Result] = {}
    numbered = [_Numbered(index, task) for index, task in enumerate(tasks)]
    for one, result in completed(executor, partial(_done, work), numbered, at_once or max(len(tasks), 1), stop):
        found[one.index] = result
        finished(one.task)
    return [found[index] for index in range(len(tasks))] if len(found) == len(tasks) else None


def died_with(task: object, deaths: int) -> EmubotError:
    """The sentence for a task that ended that many workers."""
    return EmubotError(
        f"{deaths} workers in a row were ended from outside, perhaps because memory ran out, all of them at "
        f"{_shown(task)}; run the same command again, with fewer --jobs."
    )


@dataclass(frozen=True, slots=True)
class _Numbered(Generic[_Task]):
    """A task and its place in the list."""

    index: int
    task: _Task


def _done(work: Callable[[_Task], _Result], numbered: _Numbered[_Task]) -> _Result:
    return work(numbered.task)


class _Processes(Executor):
    """A row of pools of one process each: where a process dies it is plain whose task it was, and nobody else's ends.

    A thread for each hands out the tasks; pools that wait for one lie in a queue.
    """

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs, "emubot worker")
        self._lock = threading.Lock()  # of which pools there are
        self._ended = False
        self._pools: set[ProcessPoolExecutor] = set()
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        self._others = set(multiprocessing.active_children())

    def start_one(self) -> None:
        """One process more; each thread needs one."""
        self._idle.put(self._new_pool())

    def submit(self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> Future[_Result]:
        return self._threads.submit(self._done, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As every executor's."""
        if wait:
            self._threads.shutdown(wait=True, cancel_futures=cancel_futures)
        with self._lock:
            self._ended = True
            pools = list(self._pools)
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        for pool in pools:
            pool.shutdown(wait=wait, cancel_futures=True)

    def end(self) -> None:
        """End the processes, whatever they are at."""
        with self._lock:
            self._ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - self._others:
            child.kill()
        self.shutdown()

    def _done(self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> _Result:
        pool = self._idle.get()
        try:
            for _ in range(DEATHS):
                try:
                    return pool.submit(fn, *args, **kwargs).result()
                except BrokenProcessPool:
                    if not self._ended:
                        _LOG.warning("a worker was ended from outside; another one does its task again")
                    pool = self._new_pool(instead_of=pool)
        finally:
            self._idle.put(pool)
        raise died_with(args[-1] if args else fn, DEATHS)

    def _new_pool(self, instead_of: ProcessPoolExecutor | None = None) -> ProcessPoolExecutor:
        with self._lock:
            if self._ended:
                raise EmubotError("The workers were ended.")
            with _terminal_waits():
                pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_serve)
                pool.submit(_nothing)  # starts its process
            self._pools.add(pool)
            if instead_of is not None:
                self._pools.discard(instead_of)
            return pool


def _shown(task: object) -> str:
    text = f"task {task.index}, {task.task!r}" if isinstance(task, _Numbered) else repr(task)
    return text if len(text) <= 200 else f"{text[:200]}..."


@contextmanager
def _terminal_waits() -> Iterator[None]:
    """Hold back what a terminal sends; processes started meanwhile never get it, not even before their first step."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        resource_tracker.ensure_running()  # it lets Ctrl-C in again, and is itself safe from that alone
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _nothing() -> None:
    """The first task."""


def _serve() -> None:
    """A worker's first steps: leave Ctrl-C to the parent, and end with it even where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for where it could not be held back
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
