"""The board in an emulator's picture gets a frame around it, and nothing else changes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.simulated import SimulatedBridge
from emubot.rammap import load_map
from emubot.view.framing import boards_of, framed, framed_picture
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS

DEMO = load_map("nes_tetris_usa")


def grey(height: int = 240, width: int = 256) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((height, width, 3), 100, np.uint8)


def test_the_frame_is_just_around_the_cells_also_where_a_core_cuts_edges() -> None:
    assert boards_of(DEMO, [0]) == [(96, 48, 80, 160)]
    for height, width in ((240, 256), (224, 240)):
        shown = framed(grey(height, width), boards_of(DEMO, [0]))
        top, left = 48 - (240 - height) // 2, 96 - (256 - width) // 2
        changed = (shown != 100).any(axis=2)
        assert changed[top - 2 : top + 162, left - 2 : left + 82].sum() == changed.sum() == 164 * 84 - 160 * 80
        assert not changed[top : top + 160, left : left + 80].any()
        assert shown[top - 1, left].tolist() != shown[top - 2, left].tolist() == [0, 0, 0]


@given(st.integers(-300, 300), st.integers(-300, 300), st.integers(1, 300), st.integers(1, 300))
def test_a_board_may_be_outside_the_picture(left: int, top: int, width: int, height: int) -> None:
    before = grey(60, 80)
    shown = framed(before, [(left, top, width, height)])
    assert shown.shape == before.shape
    assert (before == 100).all(), "the emulator's own picture stays as it is"


def test_without_a_place_or_a_picture_nothing_is_framed() -> None:
    picture = grey()
    assert framed(picture, []) is picture
    assert boards_of(load_map("simulated_columns"), [1]) == [], "there is no second player"
    assert framed_picture(SimulatedBridge(ToyMachine(TOYS["plain"])), DEMO, [0]) is None
