"""Taps through a game's menus as its map says; knows no emulator and no game."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.rammap.menus import MenuStep, MenuTaps, menu_sight, menu_step

TAPS: Final = 60  # of one step without any effect, after which it presses no more

Pads = tuple[Pad, Pad]  # of port 0 and port 1
_NOTHING: Final[Pads] = (Pad.NONE, Pad.NONE)


class MenuCourse(Enum):
    """How the way through the menus goes on."""

    GOING_ON = auto()  # it presses, or waits for a number of frames
    PASSING = auto()  # the map says to press nothing until the screen passes
    NO_STEP = auto()  # the map has no step for this screen
    NO_EFFECT = auto()  # the same step tapped TAPS times and changed nothing
    NOT_OURS = auto()  # the step's pad belongs to a person


class MenuNavigator:
    """Taps through menus: each tap lasts as long as the game needs, then the map's pace leaves the screen time.

    `course` says after each call of `pads` how it goes on, and `step` is the step of the map that it is at.
    """

    def __init__(self, ram_map: RamMap, choices: Mapping[str, int], wait_frames: int = 0) -> None:
        """`choices` uses the names of the map's menus. `wait_frames` is the wait before the first button."""
        self.ports = {0, 1}  # that may be pressed; a person uses the others
        self.course = MenuCourse.GOING_ON
        self.step: MenuStep | None = None
        self._map = ram_map
        self._reader = ram_map.reader()
        self._choices = choices
        self._rest = wait_frames
        self._holding = Pad.NONE
        self._pressed, self._left = _NOTHING, 0  # the pads of a press, and the frames that it still has to last
        self.forget()

    def forget(self) -> None:
        """Forget the screens so far, after a discontinuity: taps and waits count from zero."""
        self._state = ""
        self._turns = MenuTaps()
        self._waited: set[int] = set()  # numbers of the steps whose wait is over in this visit to the state
        self._waiting = (-1, 0)  # the step that waits, and the frames of its wait so far
        self._sight: object = None  # what the last tap saw
        self._taps = 0  # that saw the same

    def rest(self, frames: int) -> None:
        """Press nothing for this number of frames."""
        self._rest, self.course = frames, MenuCourse.GOING_ON

    def pads(self, ram: bytes) -> Pads:
        """Returns the pads of both ports for the next frame on this screen."""
        if self._left > 0:
            self._left -= 1
            return self._pressed
        if self._rest > 0:
            self._rest -= 1
            return _NOTHING
        self._enter(self._reader.phase(ram)[1])
        menu = self._map.document.menu
        self.step = step = menu_step(
            menu, self._map.cartridge, self._reader, ram, self._choices, self._turns, self._waited
        )
        if menu is None or step is None:
            self.course = MenuCourse.NO_STEP
        elif step.wait:
            self.course = MenuCourse.GOING_ON
            self._wait(step)
        elif not step.tap:
            self.course = MenuCourse.PASSING
        elif step.port not in self.ports:
            self.course = MenuCourse.NOT_OURS
        elif not self._has_effect((step.number, menu_sight(menu, self._reader, ram))):
            self.course = MenuCourse.NO_EFFECT
        else:
            self.course = MenuCourse.GOING_ON
            pad = self._press(step)
            self._pressed, self._left = (Pad.NONE, pad) if step.port else (pad, Pad.NONE), self._map.press - 1
            return self._pressed
        return _NOTHING

    def _enter(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self._waited.clear()
            self._waiting = (-1, 0)

    def _wait(self, step: MenuStep) -> None:
        number, frames = self._waiting
        frames = frames + 1 if number == step.number else 1
        self._waiting = (step.number, frames)
        if frames >= step.wait:
            self._waited.add(step.number)

    def _has_effect(self, sight: object) -> bool:
        """Returns whether fewer than TAPS taps in a row saw this."""
        if sight != self._sight:
            self._sight, self._taps = sight, 0
        return self._taps < TAPS

    def _press(self, step: MenuStep) -> Pad:
        if step.hold & ~self._holding:  # a held button must be down before the tap
            self._holding = step.hold
            return step.hold
        self._holding = Pad.NONE
        self._taps += 1
        self._turns.tapped(step)
        self._rest = self._map.menu_pace - self._map.press
        return step.hold | step.tap
