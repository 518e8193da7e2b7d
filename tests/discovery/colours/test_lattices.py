"""A field's cells are in memory: what only seems to go on beyond its end is no field."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from emubot.discovery.colours.landings import Landing
from emubot.discovery.colours.lattices import Lattice, _is_cell, _Seen
from emubot.discovery.units import BYTES

SIZE, DOWN = 0x800, 20


def landing(across: int, down: int) -> Landing:
    image = np.zeros(SIZE, np.uint8)
    return Landing(0, across, down, image, image, cast(Any, None))


@pytest.mark.parametrize(("first", "expected"), [(0x500, True), (SIZE - 2, False), (3, False)])
def test_cells_beyond_the_end_of_memory_are_none(first: int, expected: bool) -> None:
    landings = [landing(x, down) for x in range(-3, 4) for down in (-2, 0, 2)]
    lattice = Lattice(BYTES, 1, DOWN, 1, (first, first + 1), landing(0, 0))
    assert lattice.fits(landings) is expected


def test_a_landing_may_be_misread() -> None:
    landings = [*[landing(x, 0) for x in range(6)], landing(0, 100)]
    assert Lattice(BYTES, 1, DOWN, 1, (0x500, 0x501), landing(0, 0)).fits(landings)


@pytest.mark.parametrize(("left", "expected"), [(5, True), (1, False)])
def test_a_cell_that_pieces_only_passed_is_none(left: int, expected: bool) -> None:
    """A piece that is drawn into the field changes cells on its way; where it rests, something is left of it."""
    passed, across = 0x500, range(8)
    landings = []
    for column in across:
        frames = np.zeros((4, SIZE), np.uint8)
        frames[2, passed + column] = 16
        after = np.zeros(SIZE, np.uint8)
        after[passed + column] = 3 if column < left else 0
        drop = cast(Any, SimpleNamespace(frames=frames, aside=1))
        landings.append(Landing(0, column, 0, np.zeros(SIZE, np.uint8), after, drop))
    seen = _Seen(landings, BYTES, meanwhile=True)
    assert _is_cell(passed, seen, np.array(across)) is expected
