"""A piece obeys if a press moves it by a column; a press that begins a game does something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.drops import Dropper
from emubot.discovery.lab import History, Lab
from emubot.discovery.pads import Hand
from emubot.pad import Pad

X, Y = 0, 1


class _Screen:
    """A console on which one press changes the two bytes of a piece's place, and no other press does."""

    def __init__(self, button: Pad, before: tuple[int, int], after: tuple[int, int]) -> None:
        self._button, self._before, self._after = button, before, after

    def replay(self, state: bytes, pads: Iterable[Pad]) -> History:
        pressed = np.logical_or.accumulate([pad is self._button for pad in pads])
        return np.where(pressed[:, None], np.array(self._after), np.array(self._before)).astype(np.uint8)


@pytest.mark.parametrize(
    ("button", "before", "after", "obeys"),
    [
        (Pad.RIGHT, (24, 10), (32, 10), True),
        (Pad.LEFT, (24, 10), (16, 10), True),
        (Pad.LEFT, (0, 10), (248, 10), True),  # a byte goes round
        (Pad.RIGHT, (24, 10), (32, 11), True),  # it fell meanwhile
        (Pad.RIGHT, (24, 10), (24, 10), False),
        (Pad.RIGHT, (24, 10), (48, 10), False),  # another game's first piece
        (Pad.RIGHT, (24, 10), (16, 10), False),
        (Pad.LEFT, (24, 10), (32, 10), False),
        (Pad.RIGHT, (24, 10), (32, 0), False),
    ],
)
def test_a_piece_that_obeys_moves_by_a_column_in_the_way_of_the_press(
    button: Pad, before: tuple[int, int], after: tuple[int, int], obeys: bool
) -> None:
    lab = cast(Lab, _Screen(button, before, after))
    assert Dropper(lab, Axis(X, 8), Axis(Y, 1), Hand(2)).obeys(b"") is obeys
