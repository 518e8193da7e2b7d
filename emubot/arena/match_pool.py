"""Spreads matches over processes: a quick one at first, others once what a match needs is loaded; knows no page.

The quick process leaves kernels uncompiled. It opens its first match two seconds sooner than one that loads compiled
kernels, and much sooner than one that compiles them.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from emubot.arena.catalogue import families, first_games, game_offer
from emubot.arena.compilations import Compilations
from emubot.arena.match_link import MatchLink
from emubot.arena.orders import Close, Open, OpenRecorded, OpenWall, ToMatch, Warm
from emubot.arena.request import MatchRequest
from emubot.games import game
from emubot.session.compiling import can_be_made_apart
from emubot.session.making import compile_ahead

BUSY: Final = 4  # matches of a process, from which on another one is started if there is a processor for it
LATER: Final = 5.0  # seconds in which the first match has the machine for itself
_LOOK_SECONDS, _PAINTED = 0.25, 1.0  # seconds between two looks, and until a page is shown
_QUICK, _FIRST = 0, 1  # the process of uncompiled kernels, and the first one of compiled kernels


class MatchPool:
    """If a process ends by itself, each of its matches gets a `failed` event after `crashed`."""

    def __init__(
        self, on_frame: Callable[[int, bytes], None], on_event: Callable[[dict[str, Any]], None], pace: float = 1.0
    ) -> None:
        """`pace` is how many times as fast as a console the matches run."""
        self._on_event = on_event
        count = 1 + max(1, os.cpu_count() or 1)
        self._links = [
            MatchLink(on_frame, partial(self._hear, number), number != _QUICK, pace) for number in range(count)
        ]
        self._homes: dict[int, int] = {}  # of each match
        self._walls: set[int] = set()  # which of them are walls: each keeps a process busy
        self._loaded: set[int] = set()  # processes that can open a match at once
        self._warmed: set[str] = set()  # games
        self._due = 0.0
        self._compilations = Compilations(on_event)

    def open(self) -> None:
        """Start the process of the first match, before it is asked for."""
        self._links[_QUICK].start()
        self._due = time.monotonic() + LATER

    async def watch(self) -> None:
        """Compile what matches need, and look at it all the time."""
        loop = asyncio.get_running_loop()
        loop.call_later(_PAINTED, compile_ahead, list(families().values()))
        while True:
            self.look()
            await asyncio.sleep(_LOOK_SECONDS)

    def look(self) -> None:
        """Load what has been compiled since the last look; tell how far the rest is."""
        if time.monotonic() >= self._due:
            fresh = [name for name in first_games() if name not in self._warmed and _is_compiled(name)]
            if fresh:
                self._warmed.update(fresh)
                self._links[_FIRST].tell(Warm(games=tuple(fresh)))
        is_needed = _QUICK in self._homes.values() or not (self.is_loaded and self._warmed.issuperset(first_games()))
        if self._links[_QUICK].runs and not is_needed:
            self._links[_QUICK].close()
        self._compilations.look()

    def begin(self, order: Open | OpenRecorded, request: MatchRequest) -> None:
        """Begin a match, or open a recorded one; `request` is what is played there."""
        home = self._homes[order.match] = self._place(request)
        if home == _QUICK and isinstance(order, Open):
            self._compilations.open(order.match, request)
        self._links[home].tell(order)

    def begin_wall(self, order: OpenWall) -> None:
        """Begin a wall, with compiled kernels: it waits for them."""
        home = self._homes[order.match] = self._least_busy()
        self._walls.add(order.match)
        self._links[home].tell(order)

    def tell(self, message: ToMatch) -> None:
        """Send an order to its match's process."""
        home = self._homes.get(message.match)
        if home is not None:
            self._links[home].tell(message)
        if isinstance(message.order, Close):
            self._forget(message.match)

    def put(self, match: int, message: bytes) -> None:
        """Send an input of a match."""
        home = self._homes.get(match)
        if home is not None:
            self._links[home].put(match, message)

    def close(self) -> None:
        """End all processes; harmless when called again."""
        for link in self._links:
            link.close()

    @property
    def is_loaded(self) -> bool:
        """Whether there is a process with compiled kernels that can open a match at once."""
        return _FIRST in self._loaded

    def _place(self, request: MatchRequest) -> int:
        """Returns the process for one more match: the least busy one, and a new one only if all others are busy."""
        games = {side.game for side in request.sides}
        is_cold = not all(map(_is_compiled, games))
        is_early = self._links[_QUICK].runs and not self.is_loaded
        if (is_cold or is_early) and all(map(_plays_uncompiled, games)):
            return _QUICK
        return self._least_busy()

    def _least_busy(self) -> int:
        """Returns the least busy process of those with compiled kernels."""
        homes = [home for match, home in self._homes.items() for _ in range(BUSY if match in self._walls else 1)]
        counts = {number: homes.count(number) for number in range(_FIRST, len(self._links))}
        used = [number for number, count in counts.items() if count or number == _FIRST]
        best = min(used, key=lambda number: counts[number])
        if counts[best] < BUSY or len(used) == len(counts):
            return best
        return next(number for number in counts if number not in used)

    def _forget(self, match: int) -> None:
        self._homes.pop(match, None)
        self._walls.discard(match)
        self._compilations.close(match)

    def _hear(self, link: int, words: dict[str, Any]) -> None:
        match words:
            case {"event": "loaded"}:
                self._loaded.add(link)
            case {"event": "full", "match": number, "map": name}:
                self._compilations.take_over(number, name)
                return
            case {"event": "opened", "match": number}:
                self._compilations.begin(number)
        self._on_event(words)
        if words["event"] == "crashed":
            self._loaded.discard(link)
            for number in [number for number, home in self._homes.items() if home == link]:
                self._forget(number)
                message = "The process that plays this match has ended: start a new one."
                self._on_event({"event": "failed", "match": number, "message": message})


def _is_compiled(name: str) -> bool:
    return not can_be_made_apart(game_offer(name).load())


def _plays_uncompiled(name: str) -> bool:
    return game(game_offer(name).family).facts.plays_uncompiled
