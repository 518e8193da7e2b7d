"""Of the bytes that follow a piece, those come first by which the game goes, and no others are left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from emubot.discovery.axes import Axis, likeliest
from emubot.discovery.lab import History, Lab
from emubot.pad import Pad

X, TRIED, Y, SPRITES = 0, 1, 2, (3, 4, 5)
LEFT, MIDDLE, RIGHT = 10, 15, 21  # columns
FALLS = 130  # frames from row to row


class Faller:
    """A piece that moves at once, tries moves in a byte of their own, and whose sprites glide from row to row."""

    def __init__(self) -> None:
        self._x = self._tried = MIDDLE

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        """Plays from the same moment on."""
        self._x = self._tried = MIDDLE
        before, images = Pad.NONE, []
        for frame, pad in enumerate(pads):
            if frame % FALLS == 0:
                self._tried = self._x
            for button, by in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
                if pad & button and not before & button:
                    self._tried = self._x + by
                    self._x = min(max(self._tried, LEFT), RIGHT)
            before = pad
            images.append([self._x, self._tried, 20 - frame // FALLS, *[frame // 8 % 256] * 3])
        return np.array(images, np.uint8)


def test_a_byte_in_which_moves_are_tried_until_the_next_fall_is_no_column() -> None:
    lab = cast(Lab, Faller())
    found = likeliest(lab, b"", [Axis(X, 1), Axis(TRIED, 1)], [Axis(Y, -1)])
    assert [column for column, _ in found] == [Axis(X, 1)]


def test_the_row_is_among_those_that_are_tried_where_sprites_glide() -> None:
    rows = [Axis(Y, -1), *(Axis(index, 1) for index in SPRITES)]
    found = likeliest(cast(Lab, Faller()), b"", [Axis(X, 1), *(Axis(X, 8) for _ in range(8))], rows)
    assert (Axis(X, 1), Axis(Y, -1)) in found
