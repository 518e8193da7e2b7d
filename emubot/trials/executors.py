"""Executors for the work: processes, or any concurrent.futures.Executor."""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

from emubot import interrupts
from emubot.errors import EmubotError
from emubot.systems.signals import kept_from_children, leave_to_parent

_LOG = logging.getLogger(__name__)

DEATHS: Final = 3  # deaths of workers at the same task; then the task is the cause
_LOOK: Final = 0.2  # seconds between two checks of whether to stop
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@contextmanager
def workers(jobs: int) -> Iterator[Executor]:
    """Open an executor with `jobs` workers, each a process: a thread could not be ended before it has finished.

    If a worker dies, it is replaced and its task is done again, with a line in the log. The third time the task is
    given up, with an EmubotError that names it. If the block ends by an exception, the processes are ended at once.
    Processes are spawned, so compile kernels before. They ignore Ctrl-C and a closed terminal, which this process
    handles, and they end when it ends.
    """
    executor = _Processes(jobs)
    try:
        for _ in range(jobs):
            with interrupts.held_back():  # a process whose parent is interrupted during its start prints an error
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
    patience: float = math.inf,
) -> Iterator[tuple[_Task, _Result]]:
    """Yields each task with its result, in the order in which they end; `at_once` of them are submitted at a time.

    When `stop` returns True, no more tasks are submitted and those under way are finished, if they end within
    `patience` seconds; others are left to run. It is called several times a second. What it or a task raises is raised
    here.
    """
    waiting = iter(tasks)
    running: dict[Future[_Result], _Task] = {}
    stopped, since = False, time.monotonic()
    while True:
        stopped, since = (True, since) if stopped else (stop(), time.monotonic())
        while len(running) < at_once and not stopped:
            task = next(waiting, None)
            if task is None:
                break
            running[executor.submit(work, task)] = task
            stopped = stop()
        if not running or (stopped and time.monotonic() - since > patience):
            return
        done, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            yield task, future.result()


def end(executor: Executor) -> None:
    """End the processes of `workers`, whatever they are doing; another executor goes on."""
    if isinstance(executor, _Processes):
        executor.end()


def results(
    executor: Executor,
    work: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    at_once: int | None = None,
    finished: Callable[[_Task], object] = lambda task: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[_Result] | None:
    """Returns the tasks' results in the order of the tasks, or None if it was stopped before all were done.

    `finished` is called with each task as it ends. If `at_once` is None, all tasks are submitted, for workers that join
    later.
    """
    done: dict[int, _Result] = {}
    numbered = [_Numbered(index, task) for index, task in enumerate(tasks)]
    for item, result in completed(executor, partial(_done, work), numbered, at_once or max(len(tasks), 1), stop):
        done[item.index] = result
        finished(item.task)
    return [done[index] for index in range(len(tasks))] if len(done) == len(tasks) else None


def died_with(task: object, deaths: int) -> EmubotError:
    """Returns the error for a task that ended `deaths` workers."""
    return EmubotError(
        f"{deaths} workers in a row were ended from outside, perhaps because memory ran out, all of them at "
        f"{_shown(task)}; run the same command again, with fewer --jobs."
    )


@dataclass(frozen=True, slots=True)
class _Numbered(Generic[_Task]):
    """A task and its index in the list."""

    index: int
    task: _Task


def _done(work: Callable[[_Task], _Result], numbered: _Numbered[_Task]) -> _Result:
    return work(numbered.task)


class _Processes(Executor):
    """A set of pools of one process each. If a process dies, its task is known, and no other task ends with it.

    One thread per pool submits the tasks; pools that wait for a thread are in a queue.
    """

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs, "emubot worker")
        self._lock = threading.Lock()  # guards `_pools` and `_ended`
        self._ended = False
        self._pools: set[ProcessPoolExecutor] = set()
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        self._others = set(multiprocessing.active_children())

    def start_one(self) -> None:
        """Start one more process; each thread needs one."""
        self._idle.put(self._new_pool())

    def submit(self, fn: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> Future[_Result]:
        return self._threads.submit(self._done, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down, as every executor does."""
        if wait:
            self._threads.shutdown(wait=True, cancel_futures=cancel_futures)
        with self._lock:
            self._ended = True
            pools = list(self._pools)
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        for pool in pools:
            pool.shutdown(wait=wait, cancel_futures=True)

    def end(self) -> None:
        """End the processes, whatever they are doing."""
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
            with kept_from_children():
                pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_serve)
                pool.submit(_nothing)  # starts its process
            self._pools.add(pool)
            if instead_of is not None:
                self._pools.discard(instead_of)
            return pool


def _shown(task: object) -> str:
    text = f"task {task.index}, {task.task!r}" if isinstance(task, _Numbered) else repr(task)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _nothing() -> None:
    """The first task, which only starts the process."""


def _serve() -> None:
    """Prepare a worker: leave Ctrl-C to the parent, and end with the parent even if that was killed."""
    leave_to_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
