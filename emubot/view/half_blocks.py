"""The emulator's picture in a terminal: two pixels a character, as a half block."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

COLUMNS: Final = 64  # characters; a pixel of the console in four
LINES: Final = 30
_TERMINALS: Final = ("256", "truecolor")  # fewer colours show too little


class HalfBlocks:
    """A renderable picture: uint8 (height, width, 3), RGB, of any size."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self._pixels = pixels

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Returns the width in characters."""
        return Measurement(COLUMNS, COLUMNS)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Yields the characters; neighbours of the same colours are one segment."""
        height, width, _ = self._pixels.shape
        rows = (np.arange(2 * LINES) * height + height // 2) // (2 * LINES)
        columns = (np.arange(COLUMNS) * width + width // 2) // COLUMNS
        sampled = self._pixels[rows[:, None], columns].astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
        for upper, lower in zip(sampled[::2].tolist(), sampled[1::2].tolist(), strict=True):
            start = 0
            for column in range(1, COLUMNS + 1):
                if column == COLUMNS or (upper[column], lower[column]) != (upper[start], lower[start]):
                    yield Segment("▀" * (column - start), _style(upper[start], lower[start]))
                    start = column
            yield Segment.line()


def shows_pictures(console: Console) -> bool:
    """Returns whether the terminal has enough colours for a picture."""
    return console.color_system in _TERMINALS


@lru_cache(maxsize=4096)
def _style(upper: int, lower: int) -> Style:
    return Style(color=_colour(upper), bgcolor=_colour(lower))


def _colour(rgb: int) -> Color:
    return Color.from_rgb(rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF)
