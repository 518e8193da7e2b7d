"""Frames the board in an emulator's picture, so that a person sees where the bot reads it; knows no emulator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.bridges.protocol import Bridge
from emubot.rammap import RamMap
from emubot.view.window.layout import CONSOLE, Rectangle
from emubot.view.window.sources import PicturedBridge

# A light line inside a dark one shows on any colour. Both are outside the board.
_LINES: Final = ((2, (0x00, 0x00, 0x00)), (1, (0xFF, 0xD5, 0x9A)))  # pixels around the board, and the colour


def boards_of(ram_map: RamMap, players: Iterable[int]) -> list[Rectangle]:
    """Returns left, top, width and height of these players' visible boards in the console's full picture.

    A board is left out if the map does not say where it is.
    """
    grid = ram_map.document.grid
    screens = [ram_map.screen(player) for player in players if player < ram_map.players]
    return [(*screen[:2], grid.columns * screen[2], grid.rows * screen[3]) for screen in screens if screen is not None]


def framed_picture(bridge: Bridge, ram_map: RamMap, players: Iterable[int]) -> Callable[[], NDArray[np.uint8]] | None:
    """Returns a function that returns the bridge's picture with these players' boards framed; None if it has none."""
    if not isinstance(bridge, PicturedBridge):
        return None
    boards = boards_of(ram_map, players)
    return lambda: framed(bridge.picture(), boards)


def framed(picture: NDArray[Any], boards: Sequence[Rectangle]) -> NDArray[Any]:
    """Returns the picture, uint8 (height, width, 3), with a frame around each board; the same picture without boards.

    `boards` are in pixels of the console's full picture; a core cuts opposite edges by the same number.
    """
    if not boards:
        return picture
    shown = picture.copy()
    high, wide = picture.shape[:2]
    for left, top, width, height in boards:
        x, y = left - (CONSOLE[0] - wide) // 2, top - (CONSOLE[1] - high) // 2
        for around, colour in _LINES:
            ring = np.zeros((high, wide), np.bool_)
            ring[_span(y - around, height + 2 * around, high), _span(x - around, width + 2 * around, wide)] = True
            inner = around - 1
            ring[_span(y - inner, height + 2 * inner, high), _span(x - inner, width + 2 * inner, wide)] = False
            shown[ring] = colour
    return shown


def _span(first: int, length: int, end: int) -> slice:
    """Returns the part of a line of pixels that the picture has."""
    return slice(max(first, 0), max(min(first + length, end), 0))
