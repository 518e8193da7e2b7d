"""Of the bytes that follow a piece, those come first by which the game goes, and no others are left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from emubot.discovery.axes import Axis
from emubot.discovery.lab import History, Lab
from emubot.discovery.shaking import entered, likeliest, most_agreed
from emubot.pad import Pad

X, TRIED, Y, SPRITES = 0, 1, 2, (3, 4, 5)
LEFT, MIDDLE, RIGHT = 10, 15, 21  # columns
FALLS = 130  # frames from row to row
LASTS, HIDDEN = 400, 10  # frames of a piece, and those of its end in which its sprite is hidden


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


def test_of_several_bytes_the_one_that_copies_agree_with_is_taken() -> None:
    frames = np.zeros((40, 6), np.uint8)
    frames[:, 1] = frames[:, 4] = np.arange(40) // 4
    frames[:, 2] = np.arange(40) // 4 + (np.arange(40) % 4 == 0)  # a scratch byte, ahead now and then
    axes = dict.fromkeys((Axis(index, 1) for index in (1, 2, 4)), (0,))
    assert most_agreed(axes, frames)[0] == Axis(1, 1)
    assert most_agreed(axes, frames, near=5)[0] == Axis(4, 1)


def test_what_a_turn_moves_comes_last_though_it_is_a_row_and_others_are_pixels() -> None:
    frames = np.zeros((40, 3), np.uint8)
    frames[:, 0] = np.arange(40) // 4
    frames[:, 1] = frames[:, 2] = 8 * (np.arange(40) // 4)
    assert most_agreed({Axis(0, 1): (2,), Axis(1, 8): (0,), Axis(2, 8): (0,)}, frames)[-1] == Axis(0, 1)


def test_sprites_come_last_though_they_leave_first() -> None:
    shown = [Axis(0x203, 8), Axis(0x61, 1)], [Axis(0x200, 8), Axis(0x60, 1)]
    found = likeliest(cast(Lab, _Hidden()), b"", *shown)
    assert found[0] == (Axis(0x61, 1), Axis(0x60, 1))


def test_a_turn_that_moves_some_cells_far_is_no_new_piece() -> None:
    pivot, cell = np.zeros(40, np.bool_), np.zeros(40, np.bool_)
    cell[[3, 15]] = True  # it is turned; a piece comes, by this row soon before the other
    pivot[18] = True
    cell[25] = True  # in the turns of the next piece
    pivot[[32, 33]] = True  # the row goes aside before the next piece is there
    assert np.flatnonzero(entered([pivot, cell], each=20, turned=10)).tolist() == [15, 18, 32, 33]
    pivot[27] = True  # the turns of the next piece dropped it
    assert np.flatnonzero(entered([pivot, cell], each=20, turned=10)).tolist() == [15, 18, 25, 27, 32, 33]


class _Hidden:
    """A piece whose sprite is hidden some frames before the next one is there."""

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        """Plays from the same moment on."""
        images, x, before = np.zeros((len(held := [*pads]), 0x300), np.uint8), MIDDLE, Pad.NONE
        for frame, pad in enumerate(held):
            for button, by in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
                if pad & button and not before & button:
                    x = min(max(x + by, LEFT), RIGHT)
            before, lasts = pad, frame % LASTS
            x = MIDDLE if not lasts else x
            is_hidden = lasts >= LASTS - HIDDEN
            images[frame, [0x60, 0x61]] = min(lasts // 20, 15), x
            images[frame, [0x200, 0x203]] = (248, 0) if is_hidden else (8 * min(lasts // 20, 15), 8 * x)
        return images
