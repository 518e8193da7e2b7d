"""Pad: the eight buttons in the order the NES reports them; knows no game and no emulator."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Pad(IntFlag):
    """Buttons of one controller, A first as the shift register delivers them.

    Source: the game's own byte order, facts: NES Tetris 1.2, verified by run.
    """

    NONE = 0
    RIGHT = 0x01
    LEFT = 0x02
    DOWN = 0x04
    UP = 0x08
    START = 0x10
    SELECT = 0x20
    B = 0x40
    A = 0x80


PADS: Final = tuple(map(Pad, range(256)))  # by the byte: an enum looks its members up slowly
HORIZONTAL = Pad.LEFT | Pad.RIGHT
VERTICAL = Pad.UP | Pad.DOWN


# By the byte that the game reads: a table, for pads are checked in every frame and an enum's `&` is slow.
_LEGAL: Final = tuple(
    held & HORIZONTAL.value != HORIZONTAL.value and held & VERTICAL.value != VERTICAL.value for held in range(256)
)


def legal(pad: Pad) -> bool:
    """Returns whether a real d-pad can report this: never both of LEFT and RIGHT, nor both of UP and DOWN."""
    return _LEGAL[int(pad) & 0xFF]


def describe(pad: Pad) -> str:
    """Returns the held buttons as a short word for logs, `-` for none: `LEFT+A`."""
    names = [button.name for button in reversed(Pad) if button and button & pad and button.name]
    return "+".join(names) or "-"
