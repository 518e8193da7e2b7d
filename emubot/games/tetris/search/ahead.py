"""Searches the next decision in a thread while frames pass; what is ready in time is exactly what Search would find.

Once a placement is chosen, the board of the next decision is known, and all but the piece that will be shown after it.
So there are seven decisions to prepare. The thread has a search of its own, so neither changes what the other finds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeAlias

from emubot.games.tetris.search.search import Position, Search
from emubot.snapshot import Placement

Ranked: TypeAlias = tuple[list[Placement], int]  # what Search.rank returns


def in_a_thread(work: Callable[[], None]) -> None:
    """Begin this work in a thread of its own."""
    threading.Thread(target=work, name="ahead").start()


class Ahead:
    """The decisions that are prepared, by their positions."""

    def __init__(self, search: Search, begin: Callable[[Callable[[], None]], None] = in_a_thread) -> None:
        """Nothing else may use `search` from now on. `begin` begins the work of `prepare`."""
        self._search, self._begin = search, begin
        self._searching = threading.Lock()
        self._prepared: dict[Any, Future[Ranked]] = {}

    def prepare(self, positions: Sequence[Position]) -> None:
        """Begin to search these positions in order, and forget those before."""
        self._cancel()
        futures = [Future[Ranked]() for _ in positions]
        self._prepared = dict(zip(map(self._search.key, positions), futures, strict=True))
        self._begin(lambda: self._work(positions, futures))

    def take(self, position: Position) -> Ranked | None:
        """Returns what was found for this position, waiting for it if it is in work; None if it was not begun.

        Nothing else is begun any more.
        """
        wanted = self._prepared.get(self._search.key(position))
        self._cancel()
        return None if wanted is None or wanted.cancelled() else wanted.result()

    def _cancel(self) -> None:
        for future in self._prepared.values():
            future.cancel()

    def _work(self, positions: Sequence[Position], futures: Sequence[Future[Ranked]]) -> None:
        for position, future in zip(positions, futures, strict=True):
            with self._searching:  # the work before may still be at its last search
                if not threading.main_thread().is_alive():  # the program ends, and waits only for this thread
                    return
                if future.set_running_or_notify_cancel():
                    self._fill(future, position)

    def _fill(self, future: Future[Ranked], position: Position) -> None:
        try:
            future.set_result(self._search.rank(position))
        except BaseException as failure:  # it is raised where the result is taken
            future.set_exception(failure)
