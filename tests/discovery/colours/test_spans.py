"""Pieces are moved where they have rows to fall in: many if there are, and few where a field is full of targets."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.colours.spans import _open_to


@pytest.mark.parametrize(
    ("heights", "room", "found"),
    [
        ([0, 0, 0, 0, 0, 0], 9, [0, 1, 2, 3, 4, 5]),
        ([7, 0, 0, 0, 7, 0], 9, [1, 2]),  # to the right it would pass the fifth column
        ([0, 6, 0, 6, 0, 0], 9, [0, 1, 2, 3, 4, 5]),
        ([0, 7, 0, 7, 0, 0], 9, [0, 1, 2, 3, 4, 5]),  # two rows must do where it enters
        ([9, 7, 0, 8, 0, 9], 9, [1, 2, 3]),  # one row must do: it lies on the fourth column, too
        ([0, 0, 0, 9, 0, 0], 9, []),
    ],
)
def test_a_piece_is_moved_where_it_has_most_rows_to_fall_in(heights: list[int], room: int, found: list[int]) -> None:
    assert _open_to(np.array(heights), room, first=2) == found
