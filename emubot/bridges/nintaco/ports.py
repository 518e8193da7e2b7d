"""The two controller ports as the game sees them: shift registers for reads, and calls for the next probe.

Source: the standard controller's 4021, A is read first (facts, Nintaco 3.6 and 4).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from emubot.bridges.nintaco.api.calls import Button, Calls
from emubot.pad import Pad

JOY_1: Final = 0x4016  # reads port 0; a write sets the strobe of both
JOY_2: Final = 0x4017  # reads port 1
_OPEN_BUS: Final = 0x40  # the high byte of the address, still on the bus
_BITS: Final = 8
_ORDER: Final = {
    Button.A: Pad.A,
    Button.B: Pad.B,
    Button.SELECT: Pad.SELECT,
    Button.START: Pad.START,
    Button.UP: Pad.UP,
    Button.DOWN: Pad.DOWN,
    Button.LEFT: Pad.LEFT,
    Button.RIGHT: Pad.RIGHT,
}


class ShiftRegisters:
    """The results of reads of $4016 and $4017 while `held` is held: restarted by a strobe, 1 after the eighth bit.

    A game may read twice per frame, or read again after a sample transfer of the sound unit spoilt a read.
    """

    def __init__(self) -> None:
        self.held = [Pad.NONE, Pad.NONE]
        self._read = [0, 0]  # bits read since the strobe
        self._strobe = False

    def write(self, value: int) -> None:
        """Handle the game's write to $4016: while bit 0 is set, every read returns A."""
        self._strobe = bool(value & 1)
        if self._strobe:
            self._read = [0, 0]

    def read(self, port: int) -> int:
        """Returns the byte of the game's next read of a port."""
        count = self._read[port]
        if not self._strobe:
            self._read[port] = min(count + 1, _BITS)
        if count >= _BITS:
            return _OPEN_BUS | 1
        return _OPEN_BUS | (int(self.held[port]) >> (_BITS - 1 - count)) & 1


@lru_cache(maxsize=1024)
def gamepad_calls(port: int, pad: Pad) -> bytes:
    """Returns calls that hold exactly these buttons at the next probe; all eight, to override the user's own."""
    return b"".join(Calls.write_gamepad.pack(port, button, bool(pad & bit)) for button, bit in _ORDER.items())
