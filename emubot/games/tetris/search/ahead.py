"""Searches the next decision in a thread while frames pass; what is ready in time is exactly what Search would find.

Once a placement is chosen, the board of the next decision is known, and all but the piece that will be shown after it.
So there are seven decisions to prepare. The thread has a search of its own, so neither changes what the other finds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeAlias

from emubot.games.tetris.search.search import Position, Search
from emubot.snapshot import Placement

Ranked: TypeAlias = tuple[list[Placement], int]  # what Search.rank returns


class Ahead:
    """The decisions that are prepared, by their positions."""

    def __init__(self, search: Search, begin: Callable[[Callable[[], None]], object] | None = None) -> None:
        """Nothing else may use `search` from now on. `begin` does one piece of work after the other, in a thread."""
        self._search = search
        self._begin = begin or ThreadPoolExecutor(1, "ahead").submit
        self._prepared: dict[Any, Future[Ranked]] = {}

    def prepare(self, positions: Sequence[Position]) -> None:
        """Begin to search these positions in order, and forget those before."""
        self._cancel()
        futures = [Future[Ranked]() for _ in positions]
        self._prepared = dict(zip(map(self._search.key, positions), futures, strict=True))
        self._go_on(deque(zip(positions, futures, strict=True)))

    def take(self, position: Position) -> Ranked | None:
        """Returns what was found for this position, waiting for it if it is in work; None if it was not begun.

        Nothing else is begun any more.
        """
        due = self._prepared.get(self._search.key(position))
        self._cancel()
        return None if due is None or due.cancelled() else due.result()

    def _cancel(self) -> None:
        for future in self._prepared.values():
            future.cancel()

    def _go_on(self, work: deque[tuple[Position, Future[Ranked]]]) -> None:
        """Begin the next search, and only that: the end of the program waits for what is begun."""
        with suppress(RuntimeError):  # the program ends, so nobody needs it
            self._begin(lambda: self._search_first(work))

    def _search_first(self, work: deque[tuple[Position, Future[Ranked]]]) -> None:
        position, future = work.popleft()
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(self._search.rank(position))
            except BaseException as failure:  # it is raised where the result is taken
                future.set_exception(failure)
        if work:
            self._go_on(work)
