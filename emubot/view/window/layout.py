"""The places of pictures and cells in a window: integer scale, centred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Size = tuple[int, int]
Rectangle = tuple[int, int, int, int]  # left, top, width, height
# Left, top of the visible playfield and width, height of a cell, in pixels of the console's full picture.
Screen = tuple[int, int, int, int]

CONSOLE: Final[Size] = (256, 240)  # the NES's full picture; cores cut opposite edges by the same number of lines
GAP: Final = 8  # picture pixels between two pictures side by side


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """An integer scale and each picture's place, in window pixels."""

    scale: int
    pictures: tuple[Rectangle, ...]


def fit(area: Size, pictures: Sequence[Size], bar: int) -> WindowLayout:
    """Returns the layout with the largest integer scale, at least 1, that fits the pictures side by side in `area`.

    They are centred. The lowest `bar` lines stay free for text if that does not reduce the scale; otherwise the text is
    drawn over the picture.
    """
    width = sum(size[0] for size in pictures) + GAP * (len(pictures) - 1)
    height = max(size[1] for size in pictures)
    scale = max(1, min(area[0] // width, area[1] // height))
    free = area[1] - bar if (area[1] - bar) // height >= scale else area[1]
    left = (area[0] - width * scale) // 2
    placed = []
    for size in pictures:
        placed.append((left, (free - size[1] * scale) // 2, size[0] * scale, size[1] * scale))
        left += (size[0] + GAP) * scale
    return WindowLayout(scale, tuple(placed))


def roomy(desktop: Size, pictures: Sequence[Size], bar: int) -> Size:
    """Returns the initial window size: pictures at scale 3, or smaller to fit into nine tenths of the desktop."""
    width = sum(size[0] for size in pictures) + GAP * (len(pictures) - 1)
    height = max(size[1] for size in pictures)
    fitting = min(desktop[0] * 9 // 10 // width, (desktop[1] * 9 // 10 - bar) // height)
    scale = max(1, min(3, fitting))
    return width * scale, height * scale + bar


def cell_rectangle(screen: Screen, column: int, row: int, picture: Size, scale: int) -> Rectangle:
    """Returns a cell in window pixels, relative to its scaled picture's corner; `picture` is the unscaled size."""
    left = screen[0] - (CONSOLE[0] - picture[0]) // 2 + column * screen[2]
    top = screen[1] - (CONSOLE[1] - picture[1]) // 2 + row * screen[3]
    return left * scale, top * scale, screen[2] * scale, screen[3] * scale
