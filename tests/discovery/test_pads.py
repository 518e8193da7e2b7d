"""A button that turns a piece drops none, though it may move the row of a cell as far as a drop does."""

from __future__ import annotations

from collections.abc import Sequence

from emubot.bridges.protocol import RAM_SIZE
from emubot.discovery import pads
from emubot.discovery.axes import Axis
from emubot.discovery.lab import Lab
from emubot.pad import Pad
from tests.learn.remembering import RememberingBridge
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS

X, PIVOT, CELL = 0x20, 0x21, 0x22
ROWS, FALLS, FAR = 40, 30, 4  # rows of the board, frames from fall to fall, rows by which a turn moves the cell


class Turning(ToyMachine):
    """A piece that falls, moves aside, and with UP turns one of its cells some rows further down."""

    def __init__(self) -> None:
        super().__init__(TOYS["plain"])
        self._down, self._x, self._y, self._turned = Pad.NONE, 5, 0, False

    def step(self, pads: Sequence[Pad]) -> None:
        pressed = pads[0] if pads[0] != self._down else Pad.NONE
        self._down = pads[0]
        self._frames += 1
        self._x += {Pad.LEFT: -1, Pad.RIGHT: 1}.get(pressed, 0)
        self._turned ^= pressed is Pad.UP
        self._y = min(self._frames // FALLS, ROWS)
        self.ram[:RAM_SIZE] = 0
        self.ram[[X, PIVOT, CELL]] = self._x, self._y, self._y + FAR * self._turned


def test_a_turn_that_moves_a_cell_far_is_no_drop_at_once() -> None:
    lab = Lab(RememberingBridge(Turning()))
    lab.idle(1)
    state = lab.save()
    measured = pads.measure(lab, state, Axis(X, 1), Axis(CELL, 1), [Axis(PIVOT, 1)])
    assert measured is not None
    assert measured[0].at_once is Pad.NONE
    alone = pads.measure(lab, state, Axis(X, 1), Axis(CELL, 1))
    assert alone is not None
    assert alone[0].at_once is Pad.UP, "of the cell alone one cannot tell"
