"""Turns marks into the API's drawing calls; knows what a mark is, not what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.bridges.nintaco.api.wire import LONGEST, call
from emubot.bridges.nintaco.palette import nearest
from emubot.bridges.protocol import Mark

_SET_COLOR: Final = 92
_DRAW_RECT: Final = 102
_DRAW_STRING: Final = 114


def drawn(marks: Sequence[Mark]) -> bytes:
    """Returns the calls of one frame that draw these marks; unsupported characters become question marks."""
    calls, color = b"", -1
    for mark in marks:
        if nearest(mark.rgb) != color:
            color = nearest(mark.rgb)
            calls += call(_SET_COLOR, color)
        if mark.text:
            text = "".join(char if " " <= char <= "\xff" else "?" for char in mark.text[:LONGEST])
            calls += call(_DRAW_STRING, text, mark.x, mark.y, False)
        elif mark.width > 0 and mark.height > 0:
            # As in Java, an outline of w by h covers w+1 by h+1 pixels.
            calls += call(_DRAW_RECT, mark.x, mark.y, mark.width - 1, mark.height - 1)
    return calls
