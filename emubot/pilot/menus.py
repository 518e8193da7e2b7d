"""Taps through a game's menus as its map says; knows no emulator and no game."""

from __future__ import annotations

from collections.abc import Mapping

from emubot.pad import Pad
from emubot.rammap import RamMap


class MenuNavigator:
    """Taps through menus: each tap lasts one frame, then the map's pace leaves the screen time to change."""

    def __init__(self, ram_map: RamMap, choices: Mapping[str, int], wait_frames: int = 0) -> None:
        """`choices` uses the names of the map's menus. `wait_frames` is the wait before the first button."""
        self._map = ram_map
        self._choices = choices
        self._rest = wait_frames
        self._holding = Pad.NONE

    def knows(self, ram: bytes) -> bool:
        """Returns whether the map has a step for this screen; also true during the wait after a tap."""
        return self._rest > 0 or self._map.menu_step(ram, self._choices) is not None

    def pad(self, ram: bytes) -> Pad:
        """Returns the pad for the next frame on this screen."""
        if self._rest > 0:
            self._rest -= 1
            return Pad.NONE
        step = self._map.menu_step(ram, self._choices)
        if step is None:
            return Pad.NONE
        if step.hold & ~self._holding:  # a held button must be down a frame before the tap
            self._holding = step.hold
            return step.hold
        self._holding = Pad.NONE
        self._rest = self._map.menu_pace - 1
        return step.hold | step.tap
