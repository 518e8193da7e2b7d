"""The highest row of a field: pieces are turned upwards to reach it, and rows that stay empty may lie above."""

from __future__ import annotations

import numpy as np

from emubot.discovery.colours.areas import Area
from emubot.discovery.colours.heights import _empty_above, _upright
from emubot.discovery.colours.spans import Span
from emubot.discovery.pads import Hand
from emubot.discovery.units import BYTES
from emubot.pad import Pad

FLAT, UP, DOWN = ((0, 0), (1, 0)), ((0, -1), (0, 0)), ((0, 0), (0, 1))
EMPTY, OTHER, FIRST, COLUMNS = 7, 0, 60, 6


def test_a_piece_is_turned_by_the_button_that_lifts_a_cell() -> None:
    cells = {0: FLAT, 1: DOWN, 2: FLAT, 3: UP}
    hand = Hand(1)
    both = _upright(hand, cells, {Pad.A: (0, 1, 2, 3), Pad.B: (0, 3, 2, 1)})
    assert both == [*hand.taps(Pad.B, 1)]
    assert _upright(hand, cells, {Pad.A: (0, 1, 2, 3)}) == [*hand.taps(Pad.A, 3)]
    assert _upright(hand, cells, {Pad.A: (3, 0, 1, 2)}) == [*hand.taps(Pad.A, 1)], "it enters so: turned, it lies"
    assert _upright(hand, {0: UP, 1: UP}, {Pad.A: (0, 1)}) == []


def area() -> Area:
    units = FIRST + np.arange(8)[:, None] * COLUMNS + np.arange(COLUMNS)
    return Area(BYTES, units, EMPTY, 0, False, None, (0, 1), (1, 1), (0, 0), ((0, 0), (0, 1)))


def spans(image: np.ndarray) -> list[Span]:
    return [Span(Pad.NONE, 0, image, image[None], image, image, {}, b"")]


def test_empty_rows_are_the_fields_if_something_else_is_above_them() -> None:
    image = np.full(200, OTHER, np.uint8)
    image[FIRST : FIRST + 8 * COLUMNS] = EMPTY
    assert _empty_above(area(), spans(image), 0) == 0
    assert _empty_above(area(), spans(image), 2) == 2
    image[FIRST : FIRST + COLUMNS] = OTHER
    assert _empty_above(area(), spans(image), 2) == 1
    image[: FIRST + COLUMNS] = EMPTY
    assert _empty_above(area(), spans(image), 2) == 0, "they go on, and so are no rows of a field"
