"""Controllers and Zapper; ids 84-91 of the API."""

from __future__ import annotations

from enum import IntEnum

from emubot.bridges.nintaco.api.calls import Calls, within


class Button(IntEnum):
    """A controller's buttons as the API numbers them (facts, Nintaco 3.6)."""

    A = 0
    B = 1
    SELECT = 2
    START = 3
    UP = 4
    DOWN = 5
    LEFT = 6
    RIGHT = 7


class Pads(Calls):
    """Pads are 0-3. A write to a pad lasts until its next probe only, so write again in every frame.

    If it is written in a frame listener, the game reads it in the frame after the next (facts, Nintaco 4).
    """

    def read_gamepad(self, pad: int, button: Button) -> bool:
        """True if a button is held; id 84."""
        return self._flag(84, within(pad, 0, 3, "A pad"), Button(button))

    def write_gamepad(self, pad: int, button: Button, held: bool) -> None:
        """Hold or release a button at the next probe, whatever the user presses; id 85."""
        self._void(85, within(pad, 0, 3, "A pad"), Button(button), bool(held))

    def is_zapper_trigger(self) -> bool:
        """True if the Zapper's trigger is pulled; id 86."""
        return self._flag(86)

    def set_zapper_trigger(self, pulled: bool) -> None:
        """Pull or release the Zapper's trigger; id 87."""
        self._void(87, bool(pulled))

    def get_zapper_x(self) -> int:
        """The Zapper's target, in pixels from the left; id 88."""
        return self._number(88)

    def set_zapper_x(self, x: int) -> None:
        """Set the Zapper's target, in pixels from the left; id 89."""
        self._void(89, x)

    def get_zapper_y(self) -> int:
        """The Zapper's target, in pixels from the top; id 90."""
        return self._number(90)

    def set_zapper_y(self, y: int) -> None:
        """Set the Zapper's target, in pixels from the top; id 91."""
        self._void(91, y)
