"""Of the bytes that fall with a piece, the row of the player's own one comes first."""

from __future__ import annotations

import numpy as np

from emubot.discovery.axes import Axis
from emubot.discovery.colours.following import strays

X, Y, OTHER, TRIED = range(4)
HOME, WALL = 3, 0


def test_the_row_of_the_other_player_and_a_byte_in_which_falls_are_tried_stray() -> None:
    images = np.zeros((120, 4), np.uint8)
    frames = np.arange(120)
    images[:, X] = np.where(frames % 20 < 4, HOME, WALL)  # pieces come after 20 frames each
    images[:, Y] = frames % 20 // 2
    images[:, OTHER] = frames % 26 // 2
    images[:, TRIED] = images[:, Y] + (frames % 4 == 0)
    assert strays(Axis(X, 1), Axis(Y, 1), images) == 0
    assert strays(Axis(X, 1), Axis(OTHER, 1), images) > 0
    assert strays(Axis(X, 1), Axis(TRIED, 1), images) > 0
