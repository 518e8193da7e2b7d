"""Plays a wall of bots, with twenty pictures a second; runs in a thread of its own, knows no pipe and no page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from emubot.arena.match_runner import AtTable, Prepare
from emubot.arena.orders import OpenWall, Order
from emubot.arena.request import Do
from emubot.arena.wire import Input

if TYPE_CHECKING:  # loaded before any thread begins (match_process.py)
    from emubot.arena.wall import Wall

PICTURES: Final = 20  # a second
_SHOWN: Final = 1.0  # seconds for which a game that has ended is shown
_LATE: Final = 0.05  # seconds for which a picture waits for its frames: bots that think longer make the wall slower
_TOLD_EVERY: Final = 0.5  # seconds


class WallRunner(AtTable):
    """A wall of bots, until an order ends it."""

    _wall: Wall

    def __init__(self, order: OpenWall, pace: float, send: Callable[[bytes], None], prepare: Prepare) -> None:
        super().__init__(order.match, pace, send, prepare)
        self._order = order
        self._ended: dict[int, float] = {}  # when the games in these places have ended

    def put(self, one: Input) -> None:
        """Nobody plays it."""

    def do(self, order: Order) -> None:
        """Do an order."""
        match order:
            case Do(type="pause"):
                self._wall.is_paused = True
            case Do(type="resume"):
                self._wall.is_paused = False

    def _run(self) -> None:
        from emubot.arena.wall import Wall

        request = self._order.request
        request.check()
        self._prepare(request.game, self._number)
        self.say(event="readiness", words="")
        self._wall = wall = Wall(request, self._order.seed)
        try:
            self.say(event="opened", wall=True)
            self._play(wall, request.pace * self._pace * wall.frame_rate / PICTURES)
        finally:
            wall.close()

    def _play(self, wall: Wall, step: float) -> None:
        """Play so many frames for each picture; 0: as many as fit."""
        due = told = time.perf_counter()
        ticks, asked = wall.ticks, 0.0
        self._tell(wall, None)
        while not self.closed:
            due += 1 / PICTURES
            asked += step
            while (asked >= 1 or not step) and time.perf_counter() < due + (_LATE if step else 0):
                self._ended |= dict.fromkeys(wall.tick(), time.perf_counter())
                asked -= 1
            asked = min(asked, step)  # frames that are late are not made up for
            self.show(wall.frame())
            now = time.perf_counter()
            if now - told > _TOLD_EVERY:
                self._tell(wall, (wall.ticks - ticks) / (now - told) / wall.frame_rate)
                told, ticks = now, wall.ticks
            self._renew(wall, now)
            due = max(due, now - 1 / PICTURES)
            time.sleep(max(0.0, due - time.perf_counter()))
            self.obey()
            if wall.is_paused:
                self.show(wall.frame())
                self.obey_while(lambda: wall.is_paused)
                due = told = time.perf_counter()

    def _tell(self, wall: Wall, rate: float | None) -> None:
        """Tell the table, and how many times as fast as a console it goes."""
        self.say(event="standings", rate=None if rate is None else round(rate, 2), **wall.told())

    def _renew(self, wall: Wall, now: float) -> None:
        """Begin the next game where the last one has been shown for long enough; one for each picture."""
        place = next((place for place, since in self._ended.items() if now - since > _SHOWN), None)
        if place is not None:
            del self._ended[place]
            wall.renew(place)
