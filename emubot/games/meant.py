"""What a cartridge's buttons do in play, as the buttons of a family's simulator; knows no game."""

from __future__ import annotations

from emubot.pad import Pad
from emubot.rammap import RamMap


class Meant:
    """Translates pads of a map's cartridge.

    A simulator shifts with LEFT and RIGHT, turns clockwise with A and counter-clockwise with B, drops with DOWN and
    pauses with START.
    """

    def __init__(self, ram_map: RamMap) -> None:
        named = ram_map.buttons
        moves = (
            (named.left, Pad.LEFT),
            (named.right, Pad.RIGHT),
            (named.rotate_clockwise, Pad.A),
            (named.rotate_counterclockwise, Pad.B),
            (named.soft_drop, Pad.DOWN),
            (named.start, Pad.START),
        )
        self._moves = tuple((int(button), int(action)) for button, action in moves if button is not None)

    def __call__(self, pad: int) -> int:
        """Returns the simulator's buttons that do in play what the pad's buttons do."""
        meant = 0
        for button, action in self._moves:
            if pad & button == button:
                meant |= action
        return meant
