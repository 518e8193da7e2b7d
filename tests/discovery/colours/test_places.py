"""Which half of a piece a turn leaves in its place, where bytes say the place of each half."""

from __future__ import annotations

import numpy as np

from emubot.discovery.colours.findings import Ruler
from emubot.discovery.colours.places import _pivot
from emubot.discovery.colours.turning import Presses
from emubot.pad import Pad

_AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))  # of the half that turns


def _half(first: int) -> tuple[Ruler, Ruler]:
    return Ruler(first, 0, 1, signed=False), Ruler(first + 1, 0, 1, signed=True)


def test_the_pivot_is_the_half_that_stays_whichever_of_them_the_survey_followed() -> None:
    for pivot in (0, 1):
        images = np.zeros((5, 8), np.uint8)
        images[:, 2 * pivot : 2 * pivot + 2] = (3, 4)
        for times, (x, y) in enumerate((*_AROUND, _AROUND[0])):
            images[times, 2 - 2 * pivot : 4 - 2 * pivot] = (3 + x, 4 + y)
        assert _pivot([_half(0), _half(2)], [Presses(Pad.A, images), Presses(Pad.UP, images[:1])]) == pivot
