"""A console in Python that is nothing but menus: screens, the buttons between them, and bytes that mean nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.protocol import RAM_SIZE
from emubot.pad import Pad
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS

SCREEN, COUNTER, HELD, LAST = 0x20, 0x30, 0x31, 0x32


class Menus(ToyMachine):
    """Goes from screen to screen by presses; `leads` says where each button of a screen leads."""

    def __init__(self, leads: Mapping[tuple[int, Pad], int]) -> None:
        super().__init__(TOYS["plain"])
        self._leads = dict(leads)
        self._down = Pad.NONE
        self._last = Pad.NONE
        self._screen = 1

    def step(self, pads: Sequence[Pad]) -> None:
        pressed = pads[0] if not self._down else Pad.NONE
        self._down = pads[0]
        self._last = self._down or self._last
        self._frames += 1
        self._screen = self._leads.get((self._screen, pressed), self._screen)
        memory: NDArray[np.uint8] = self.ram
        memory[:RAM_SIZE] = 0
        told = self._screen, self._frames % 256, int(self._down), int(self._last)
        memory[[SCREEN, COUNTER, HELD, LAST]] = told
