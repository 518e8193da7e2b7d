"""Of the bytes that follow a piece, those come first by which the game itself moves it."""

from __future__ import annotations

import numpy as np

from emubot.discovery.axes import Axis
from emubot.discovery.shaking import most_agreed


def test_of_several_bytes_the_one_that_copies_agree_with_is_taken() -> None:
    frames = np.zeros((40, 6), np.uint8)
    frames[:, 1] = frames[:, 4] = np.arange(40) // 4
    frames[:, 2] = np.arange(40) // 4 + (np.arange(40) % 4 == 0)  # a scratch byte, ahead now and then
    axes = dict.fromkeys((Axis(index, 1) for index in (1, 2, 4)), 0)
    assert most_agreed(axes, frames)[0] == Axis(1, 1)
    assert most_agreed(axes, frames, near=5)[0] == Axis(4, 1)


def test_what_a_turn_moves_comes_last_though_it_is_a_row_and_others_are_pixels() -> None:
    frames = np.zeros((40, 3), np.uint8)
    frames[:, 0] = np.arange(40) // 4
    frames[:, 1] = frames[:, 2] = 8 * (np.arange(40) // 4)
    assert most_agreed({Axis(0, 1): 2, Axis(1, 8): 0, Axis(2, 8): 0}, frames)[-1] == Axis(0, 1)
