"""Turns marks into the API's drawing calls, in the nearest of the console's 64 colours.

Source of the colours: the 2C02's palette in the NESdev wiki; emulators differ slightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from emubot.bridges.nintaco.api.calls import Calls
from emubot.bridges.nintaco.api.wire import LONGEST
from emubot.bridges.protocol import Mark

_ROWS: Final = (
    "626262 001FB2 2404C8 5200B2 730076 800024 730B00 522800 244400 005700 005C00 005324 003C76 000000",
    "ABABAB 0D57FF 4B30FF 8A13FF BC08D6 D21269 C72E00 9D5400 607B00 209800 00A300 009942 007DB4 000000",
    "FFFFFF 53AEFF 9085FF D365FF FF57FF FF5DCF FF7757 FA9E00 BDC700 7AE700 43F611 26EF7E 2CD5F6 4E4E4E",
    "FFFFFF B6E1FF CED1FF E9C3FF FFBCFF FFBDF4 FFC6C3 FFD59A E9E681 CEF481 B6FB9A A9FAC3 A9F0F4 B8B8B8",
)
_BLACK: Final = 0x0F  # of the ten blacks, the one that is safe on every television
_COLORS: Final = {_BLACK: 0x000000} | {
    0x10 * row + column: int(color, 16)
    for row, colors in enumerate(_ROWS)
    for column, color in enumerate(colors.split())
    if int(color, 16)
}


def drawn(marks: Sequence[Mark]) -> bytes:
    """Returns the calls of one frame that draw these marks; unsupported characters become question marks."""
    calls, color = b"", -1
    for mark in marks:
        if nearest(mark.rgb) != color:
            color = nearest(mark.rgb)
            calls += Calls.set_color.pack(color)
        if mark.text:
            text = "".join(char if " " <= char <= "\xff" else "?" for char in mark.text[:LONGEST])
            calls += Calls.draw_string.pack(text, mark.x, mark.y, False)
        elif mark.width > 0 and mark.height > 0:
            # As in Java, an outline of w by h covers w+1 by h+1 pixels.
            calls += Calls.draw_rect.pack(mark.x, mark.y, mark.width - 1, mark.height - 1)
    return calls


@lru_cache(maxsize=256)
def nearest(rgb: int) -> int:
    """Returns the palette index 0x00-0x3F with the least sum of squared differences to the colour 0xRRGGBB."""
    wanted = _parts(rgb)
    return min(_COLORS, key=lambda index: _distance(_parts(_COLORS[index]), wanted))


def _distance(color: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum((a - b) ** 2 for a, b in zip(color, other, strict=True))


def _parts(rgb: int) -> tuple[int, int, int]:
    return rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF
