"""What is compiled while matches run, and what is said of it beside each of them; knows no process of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from emubot.arena.catalogue import game_offer
from emubot.arena.request import MatchRequest
from emubot.rammap import RamMap
from emubot.session.making import Making
from emubot.session.readiness import FULL, Readiness


class Compilations:
    """The games that matches wait for in full strength. `tell` gets an event when what is said of a match changes."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._makings: dict[str, Making] = {}
        self._requests: dict[int, MatchRequest] = {}
        self._readiness: dict[int, dict[str, Readiness]] = {}
        self._said: dict[int, str] = {}

    def open(self, match: int, request: MatchRequest) -> None:
        """A match is being opened."""
        self._requests[match] = request

    def begin(self, match: int) -> None:
        """A match begins, with bots that are not at full strength yet; what they need begins to be compiled."""
        if match not in self._requests:
            return
        maps = [game_offer(side.game).load() for side in self._requests[match].sides if side.bot is not None]
        bots, of = Counter(one.name for one in maps), {one.name: one for one in maps}
        self._readiness[match] = {name: Readiness(self._making(of[name])) for name in bots}
        for name, count in bots.items():
            self._readiness[match][name].bots = count

    def take_over(self, match: int, name: str) -> None:
        """A bot of this map decides by compiled kernels."""
        if name in self._readiness.get(match, {}):
            self._readiness[match][name].take_over()

    def close(self, match: int) -> None:
        """A match has ended."""
        for known in (self._requests, self._readiness, self._said):
            known.pop(match, None)

    def look(self) -> None:
        """Tell what has changed; call it some times a second."""
        for match, readiness in self._readiness.items():
            said = [one.words for one in readiness.values()]
            words = next((one for one in said if one not in ("", FULL)), FULL if FULL in said else "")
            if words != self._said.get(match, ""):
                self._said[match] = words
                self._tell({"event": "readiness", "match": match, "words": words})

    def _making(self, ram_map: RamMap) -> Making:
        """Returns the compilation of play by this map; one that failed is tried again."""
        known = self._makings.get(ram_map.name)
        if known is None or known.failed:
            known = self._makings[ram_map.name] = Making.start(ram_map)
        return known
