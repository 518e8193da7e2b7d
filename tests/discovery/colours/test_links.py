"""Bits that all colours share may belong to the links of joined halves."""

from __future__ import annotations

import numpy as np

from emubot.discovery.colours.areas import Area
from emubot.discovery.colours.fields import field
from emubot.discovery.colours.findings import Part
from emubot.discovery.colours.kinds import Kinds
from emubot.discovery.colours.spans import Span
from emubot.discovery.units import BYTES
from emubot.pad import Pad

X, Y, TURN, FIRST, COLUMNS, ROWS = 0, 1, 2, 60, 6, 8
CELLS = {0: ((0, 0), (1, 0)), 1: ((0, -1), (0, 0)), 2: ((1, 0), (0, 0)), 3: ((0, 0), (0, -1))}
EMPTY, ALONE, SIDES = 0x14, 0x40, {(1, 0): 0xE0, (-1, 0): 0x80, (0, -1): 0xC0, (0, 1): 0xA0}  # right, left, up, down
COLORS = {1: 0x05, 2: 0x0E, 3: 0x16}


def test_a_bit_that_only_a_half_alone_lacks_is_one_of_the_links() -> None:
    units = FIRST + np.arange(ROWS)[:, None] * COLUMNS + np.arange(COLUMNS)
    area = Area(BYTES, units, EMPTY, 0, False, None, (X, 1), (Y, 1), (0, 0), ((0, 0), (1, 0)))
    spans = []
    for turn, cells in CELLS.items():
        for value, code in COLORS.items():
            image = np.full(200, EMPTY, np.uint8)
            image[[X, Y, TURN]] = 2, 3, turn
            locked = {}
            for (x, y), (other_x, other_y) in zip(cells, reversed(cells), strict=True):
                locked[2 + x, 3 + y] = code | SIDES[other_x - x, other_y - y]
            after = image.copy()
            after[FIRST + value] = code | ALONE
            spans.append(Span(Pad.A, turn, image, image[None], image, after, locked, b""))
    kinds = Kinds((Part(3), Part(4)), 0x9F, {value: code | 0x80 for value, code in COLORS.items()})
    found = field(area, 0, spans, kinds, {1: 1, 2: 2, 3: 3}, CELLS, TURN)
    assert found.mask == 0x1F
    assert found.links is not None
    assert (found.links.mask, found.links.codes) == (0xE0, (ALONE, 0x80, 0xE0, 0xC0, 0xA0))
    assert found.colors == {code: value for value, code in COLORS.items()}
