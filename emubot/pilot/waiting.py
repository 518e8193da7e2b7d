"""Logs what a pilot that cannot go on waits for, for the person who can help; reads RAM by the map, presses nothing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from emubot.pad import Pad, describe
from emubot.pilot.menus import TAPS, MenuCourse, MenuNavigator
from emubot.rammap import RamMap

_LOG = logging.getLogger(__name__)
AFTER: Final = (1.0, 2.0, 5.0, 15.0)  # seconds of a wait after which it is logged
THEN_EVERY: Final = 60.0
IN_FULL_AFTER: Final = 30.0  # seconds of one screen that the map does not know, after which everything is logged once
_MOST_VALUES: Final = 6  # in the short sentence


def on_pad(button: Pad, port: int) -> str:
    """Returns the words for a button of the console's own pads."""
    return f"{describe(button)} on pad {port + 1}"


class Waiting:
    """Logs what is waited for after 1, 2, 5 and 15 s, then every 60 s; a new reason after 1 s.

    After 30 s of one screen that the map does not know it also logs all values that the phases test, and what each
    phase asks for.

    `muted` is true if another pilot on the same console logs it. `words` names a button of a port (0 or 1) for the
    person. `seen` is true if a view shows them what they are waited for.
    """

    def __init__(self, ram_map: RamMap, player: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self.muted = self.seen = False
        self.words: Callable[[Pad, int], str] = on_pad
        self._map, self._clock = ram_map, clock
        self._reader = ram_map.reader(player)
        self.over()

    def over(self) -> None:
        """The pilot goes on: the next wait starts from zero."""
        self._began: float | None = None
        self._noted = 0.0
        self._next = 0  # of AFTER
        self._said: set[str] = set()
        self._screen = ""
        self._since = 0.0  # when this screen came
        self._in_full = False  # whether everything about it was logged

    def unknown(self, ram: bytes, state: str) -> None:
        """Wait at a screen that the map does not know, or on which it says to press nothing."""
        self._say(
            state,
            lambda: (
                f"waiting for a game that the map {self._map.name} knows; it reads {state} "
                f"({self._values(ram, _MOST_VALUES)}): press {self._start} until one begins"
            ),
        )
        self._say_in_full(ram, state)

    def for_two(self) -> None:
        """Wait while the person plays a game for one."""
        self._say(
            "for two",
            lambda: (
                "waiting for the game for two: this is a game for one player, and the bot has no part in it; end it, "
                "and choose the game for two"
            ),
        )

    def impossible(self, state: str, fault: str) -> None:
        """Wait in a position that no game can have, although the map calls it play."""
        self._say(
            f"impossible {state}",
            lambda: (
                f"waiting for a position that a game can have; the map {self._map.name} reads {state}, but {fault}: "
                'let the game go on, or see with "emubot maps watch" what the map reads'
            ),
        )

    def in_menu(self, menu: MenuNavigator, ram: bytes, state: str) -> None:
        """Take note of how the way through the menus goes on, after each of its frames."""
        if menu.course is MenuCourse.GOING_ON:
            self.over()
        elif menu.course is MenuCourse.NO_STEP:
            self.to_choose(state)
            self._say_in_full(ram, state)
        elif menu.course is MenuCourse.PASSING:
            self._say(
                state,
                lambda: f"waiting for {state} to pass; the map {self._map.name} says to press nothing until it does",
            )
            self._say_in_full(ram, state)
        else:
            self._cannot_tap(menu, state)

    def _cannot_tap(self, menu: MenuNavigator, state: str) -> None:
        step = menu.step
        button = ", then ".join(self.words(tap, step.port) for tap in step.in_turn) if step else "nothing"
        if menu.course is MenuCourse.NOT_OURS:
            self._say(
                f"yours {state} {button}",
                lambda: f"waiting for you: press {button} (by the map {self._map.name} this is {state})",
            )
            return
        self._say(
            f"stuck {state}",
            lambda: (
                f"pressed {button} {TAPS} times in {state} without any effect and stopped: press what goes on "
                f"yourself, and correct this step in the map {self._map.name}"
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
        if self.seen:
            return
        self._say(
            state,
            lambda: f"waiting for the game to go on; by the map {self._map.name} this is {state}: press {self._start}",
        )

    def to_begin(self, state: str) -> None:
        """Wait in menus in which a person or another pilot chooses."""
        if self.seen:
            return
        self._say(
            state,
            lambda: (
                f"waiting for a game to begin; by the map {self._map.name} this is {state}: "
                f"choose, and press {self._start}"
            ),
        )

    def to_choose(self, state: str) -> None:
        """Wait in a menu for which the map has no step."""
        self._say(
            state,
            lambda: (
                f"waiting for you; the map {self._map.name} knows no way on from {state}: "
                f"choose, and press {self._start}"
            ),
        )

    @property
    def _start(self) -> str:
        return self.words(self._map.buttons.start or Pad.START, 0)  # menus listen to the first player

    def _values(self, ram: bytes, most: int | None = None) -> str:

        from emubot.rammap.sight import tested_values

        names = tested_values(self._map.document, self._reader)
        return ", ".join(f"{name} {self._reader.value(ram, name)}" for name in names[:most])

    def _say_in_full(self, ram: bytes, state: str) -> None:
        """Log all values and what each phase asks for, once, after 30 s of this screen."""
        now = self._clock()
        if state != self._screen:
            self._screen, self._since, self._in_full = state, now, False
        if self._in_full or self.muted or now < self._since + IN_FULL_AFTER:
            return
        self._in_full = True

        from emubot.rammap.sight import refusals

        asked = "".join(f"\n  {refusal}" for refusal in refusals(self._map.document, self._reader, ram))
        _LOG.warning(
            f"{state} for {IN_FULL_AFTER:.0f} s; the map {self._map.name} reads {self._values(ram)}; "
            f"its phases ask for:{asked or ' nothing else'}"
        )

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
