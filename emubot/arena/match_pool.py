"""Spreads matches over processes: the first one starts at once, another when those that run are busy; knows no page."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from emubot.arena.match_link import MatchLink
from emubot.arena.orders import Close, Open, OpenRecorded, ToMatch, ToProcess, Warm

BUSY: Final = 4  # matches of a process, from which on another one is started if there is a processor for it


class MatchPool:
    """Like one MatchLink. If a process ends by itself, each of its matches gets a `failed` event after `crashed`."""

    def __init__(
        self, on_frame: Callable[[int, bytes], None], on_event: Callable[[dict[str, Any]], None], pace: float = 1.0
    ) -> None:
        """`pace` is how many times as fast as a console the matches run."""
        self._on_event = on_event
        count = max(1, os.cpu_count() or 1)
        self._links = [MatchLink(on_frame, partial(self._hear, number), pace) for number in range(count)]
        self._homes: dict[int, int] = {}  # of each match

    def tell(self, message: ToProcess) -> None:
        """Send an order to its match's process, or if it belongs to no match, to the first process."""
        if isinstance(message, Warm):
            self._links[0].tell(message)
            return
        if isinstance(message, Open | OpenRecorded):
            self._homes[message.match] = self._place()
        home = self._homes.get(message.match)
        if home is not None:
            self._links[home].tell(message)
        if isinstance(message, ToMatch) and isinstance(message.order, Close):
            self._homes.pop(message.match, None)

    def put(self, match: int, message: bytes) -> None:
        """Send an input of a match."""
        home = self._homes.get(match)
        if home is not None:
            self._links[home].put(match, message)

    def close(self) -> None:
        """End all processes; harmless when called again."""
        for link in self._links:
            link.close()

    def _place(self) -> int:
        """Returns the process for one more match: the least busy one, and a new one only if all others are busy."""
        homes = list(self._homes.values())
        counts = [homes.count(number) for number in range(len(self._links))]
        used = [number for number, count in enumerate(counts) if count or number == 0]
        best = min(used, key=lambda number: counts[number])
        if counts[best] < BUSY or len(used) == len(counts):
            return best
        return next(number for number in range(len(counts)) if number not in used)

    def _hear(self, link: int, words: dict[str, Any]) -> None:
        self._on_event(words)
        if words["event"] != "crashed":
            return
        for number in [number for number, home in self._homes.items() if home == link]:
            del self._homes[number]
            message = "The process that plays this match has ended: start a new one."
            self._on_event({"event": "failed", "match": number, "message": message})
