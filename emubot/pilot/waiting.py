"""Logs what a pilot that cannot go on waits for, for the person who can help; reads RAM by the map, presses nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from emubot.pad import Pad, describe
from emubot.rammap import RamMap

_LOG = logging.getLogger(__name__)
AFTER: Final = (1.0, 2.0, 5.0, 15.0)  # seconds of a wait after which it is logged
THEN_EVERY: Final = 60.0
_MOST_VALUES: Final = 6  # reported at most for a screen that the map does not know
_PAD: Final = "pad 1"  # menus listen to the first player


class Waiting:
    """Logs what is waited for after 1, 2, 5 and 15 s, then every 60 s; a new reason after 1 s.

    `muted` is true if another pilot on the same console logs it.
    """

    def __init__(self, ram_map: RamMap, player: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self.muted = False
        self._map, self._clock = ram_map, clock
        self._reader = ram_map.reader(player)
        self._start = describe(ram_map.buttons.start or Pad.START)
        names = dict.fromkeys(name for rule in ram_map.document.phases for name in rule.when)
        self._names = [name for name in names if name in self._reader.names][:_MOST_VALUES]
        self.over()

    def over(self) -> None:
        """The pilot goes on: the next wait starts from zero."""
        self._began: float | None = None
        self._noted = 0.0
        self._next = 0  # of AFTER
        self._said: set[str] = set()

    def unknown(self, ram: bytes, state: str) -> None:
        """Wait at a screen that the map does not know, or on which it says to press nothing."""
        self._say(
            state,
            lambda: (
                f"waiting for a game that the map {self._map.name} knows; it reads {state} ({self._values(ram)}): "
                f"press {self._start} on {_PAD} until one begins"
            ),
        )

    def still(self, state: str, counter: str | None) -> None:
        """Wait because memory looks like a game but does not move."""
        self._say(
            f"still {state}",
            lambda: (
                f"waiting for a game that runs; the map {self._map.name} reads {state}, but {counter or 'it'} "
                "does not count on: let the emulator go on"
            ),
        )

    def paused(self, state: str) -> None:
        """Wait for the person who paused the game."""
        self._say(
            state,
            lambda: (
                f"waiting for the game to go on; by the map {self._map.name} this is {state}: "
                f"press {self._start} on {_PAD}"
            ),
        )

    def to_begin(self, state: str) -> None:
        """Wait in menus in which a person or another pilot chooses."""
        self._say(
            state,
            lambda: (
                f"waiting for a game to begin; by the map {self._map.name} this is {state}: "
                f"choose, and press {self._start} on {_PAD}"
            ),
        )

    def to_choose(self, state: str) -> None:
        """Wait in a menu for which the map has no step."""
        self._say(
            state,
            lambda: (
                f"waiting for you; the map {self._map.name} knows no way on from {state}: "
                f"choose, and press {self._start} on {_PAD}"
            ),
        )

    def _values(self, ram: bytes) -> str:
        return ", ".join(f"{name} {self._reader.value(ram, name)}" for name in self._names)

    def _say(self, what: str, text: Callable[[], str]) -> None:
        now = self._clock()
        if self._began is None:
            self._began = self._noted = now
        scheduled = self._began + AFTER[self._next] if self._next < len(AFTER) else self._noted + THEN_EVERY
        news = what not in self._said and now >= self._noted + AFTER[0]
        if now < scheduled and not news:
            return
        while self._next < len(AFTER) and now >= self._began + AFTER[self._next]:
            self._next += 1
        self._noted = now
        self._said.add(what)
        if not self.muted:
            _LOG.warning(text())
