"""Searches decisions in a thread while frames pass, before they are due; knows no game and no search.

A result that is ready in time is exactly what the search would find. The thread has a search of its own, so neither
changes what the other finds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Generic, TypeVar

_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


class Ahead(Generic[_Task, _Found]):
    """The decisions that are prepared, by their tasks."""

    def __init__(
        self,
        search: Callable[[_Task], _Found],
        key: Callable[[_Task], Hashable],
        begin: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """Nothing else may use `search` from now on. `key` is equal for tasks in which it finds the same.

        `begin` does one piece of work after the other, in a thread.
        """
        self._search, self._key = search, key
        self._begin = begin or ThreadPoolExecutor(1, "ahead").submit
        self._prepared: dict[Hashable, Future[_Found]] = {}

    def prepare(self, tasks: Sequence[_Task]) -> None:
        """Begin to search these tasks in order, and forget those before."""
        self._cancel()
        futures = [Future[_Found]() for _ in tasks]
        self._prepared = dict(zip(map(self._key, tasks), futures, strict=True))
        self._go_on(deque(zip(tasks, futures, strict=True)))

    def take(self, task: _Task) -> _Found | None:
        """Returns what was found for this task, waiting for it if it is in work; None if it was not begun.

        Nothing else is begun any more.
        """
        due = self._prepared.get(self._key(task))
        self._cancel()
        return None if due is None or due.cancelled() else due.result()

    def _cancel(self) -> None:
        for future in self._prepared.values():
            future.cancel()

    def _go_on(self, work: deque[tuple[_Task, Future[_Found]]]) -> None:
        """Begin the next search, and only that: the end of the program waits for what is begun."""
        with suppress(RuntimeError):  # the program ends, so nobody needs it
            self._begin(lambda: self._search_first(work))

    def _search_first(self, work: deque[tuple[_Task, Future[_Found]]]) -> None:
        task, future = work.popleft()
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(self._search(task))
            except BaseException as failure:  # it is raised where the result is taken
                future.set_exception(failure)
        if work:
            self._go_on(work)
