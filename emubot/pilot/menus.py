"""A hand that taps through a game's menus as its map says; knows no emulator and no game."""

from __future__ import annotations

from collections.abc import Mapping

from emubot.pad import Pad
from emubot.rammap import RamMap


class MenuNavigator:
    """Taps through menus: one button for one frame, then the map's pace for the screen to follow."""

    def __init__(self, ram_map: RamMap, choices: Mapping[str, int], wait_frames: int = 0) -> None:
        """`choices` as the map's menus name it; `wait_frames` are waited for before the first button."""
        self._map = ram_map
        self._choices = choices
        self._rest = wait_frames
        self._holding = Pad.NONE

    def knows(self, ram: bytes) -> bool:
        """Whether it taps, holds or rests on this screen; false where the map has no step for it."""
        return self._rest > 0 or self._map.menu_step(ram, self._choices) is not None

    def pad(self, ram: bytes) -> Pad:
        """The pad for the next frame on this screen."""
        if self._rest > 0:
            self._rest -= 1
            return Pad.NONE
        step = self._map.menu_step(ram, self._choices)
        if step is None:
            return Pad.NONE
        if step.hold & ~self._holding:  # what is held must not be new when the tap comes
            self._holding = step.hold
            return step.hold
        self._holding = Pad.NONE
        self._rest = self._map.menu_pace - 1
        return step.hold | step.tap
