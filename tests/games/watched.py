"""Thinking ahead under watch: begun at once, never, or in its thread, with a note of what was ready in time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from emubot.games.ahead import Ahead

_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def at_once(work: Callable[[], None]) -> None:
    """Everything is ready before the next frame."""
    work()


def never(work: Callable[[], None]) -> None:
    """No thread ever begins."""


class Watched(Generic[_Task, _Found]):
    """Prepares decisions in one of these ways (None: in a thread), and notes which were ready."""

    def __init__(self, begin: Callable[[Callable[[], None]], None] | None) -> None:
        self.begin = begin
        self.ready: list[bool] = []

    def ahead(self, search: Callable[[_Task], _Found], key: Callable[[_Task], Hashable]) -> Ahead[_Task, _Found]:
        """Takes the place of `Ahead` in a thinker's module."""
        made = Ahead(search, key, self.begin)
        take = made.take

        def noted(task: _Task) -> _Found | None:
            found = take(task)
            self.ready.append(found is not None)
            return found

        made.take = noted  # type: ignore[method-assign]
        return made
