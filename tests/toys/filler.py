"""A player for any toy that fills low places by straight drops; so games last and rows are cleared. It knows no map."""

from __future__ import annotations

from emubot.pad import Pad
from tests.toys.addresses import FRAMES
from tests.toys.machine import ToyMachine
from tests.toys.toy import PLAYING

_PER_GAP = 6.0  # of the worth of a row


class Filler:
    """Chooses by the machine's own fields, and presses a button every second frame."""

    def __init__(self, machine: ToyMachine) -> None:
        self._machine, self._pieces, self._target = machine, -1, (0, 0)

    def pad(self) -> Pad:
        """Returns the pad of the first player in the next frame."""
        machine = self._machine
        if machine.state != PLAYING:
            self._pieces = -1
            return Pad.NONE
        if machine.pieces != self._pieces:
            self._pieces, self._target = machine.pieces, self._best()
        shape, column = self._target
        if machine.ram[FRAMES] % 2:
            return Pad.NONE
        if machine.shape != shape:
            return Pad.A
        if machine.x != column:
            return Pad.LEFT if machine.x > column else Pad.RIGHT
        return Pad.DOWN

    def _best(self) -> tuple[int, int]:
        """Returns the orientation and column whose straight drop is worth most."""
        machine, best, target = self._machine, -1e9, (self._machine.shape, self._machine.x)
        shape = machine.shape
        for _ in range(4):
            for column in range(-4, machine.toy.columns):
                if machine.fits(shape, column, machine.y):
                    value = self._value(shape, column)
                    if value > best:
                        best, target = value, (shape, column)
            shape = machine.toy.shapes[shape].clockwise
        return target

    def _value(self, shape: int, column: int) -> float:
        """Low cells are good, gaps below the piece are bad."""
        machine, row = self._machine, self._machine.y
        while machine.fits(shape, column, row + 1):
            row += 1
        cells = {(column + x, row + y) for x, y in machine.toy.shapes[shape].cells}
        gaps, stored = 0, machine.cells != machine.toy.empty
        for x, y in cells:
            below = y + 1
            while (x, below) not in cells and below < machine.toy.rows and not stored[below + machine.toy.hidden, x]:
                gaps, below = gaps + 1, below + 1
        return sum(y for _, y in cells) / len(cells) - _PER_GAP * gaps
