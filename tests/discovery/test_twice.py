"""A board in two memories that take turns is found; a copy of a board is no second one."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.axes import Axis
from emubot.discovery.board import Lattice
from emubot.discovery.geometry import Geometry
from emubot.discovery.pieces import PieceSpan
from emubot.discovery.twice import other_board
from emubot.discovery.units import BYTES

ROWS, COLUMNS, OWN, OTHER = 3, 2, 10, 40
LATE = 4  # frames by which the other memory has a lock later


def pieces(swaps: bool) -> list[PieceSpan]:
    """Pieces that fill a cell each; the first memory has them sooner, or each in turn."""
    spans, memory = [], np.zeros(64, np.uint8)
    memory[OTHER : OTHER + ROWS * COLUMNS] = 9  # nothing has filled it yet
    for number in range(ROWS * COLUMNS):
        frames = np.tile(memory, (20, 1))
        first, second = (OTHER, OWN) if swaps and number % 2 else (OWN, OTHER)
        frames[8:, first + number] = 1
        frames[8 + LATE :, second : second + ROWS * COLUMNS] = frames[-1, first : first + ROWS * COLUMNS]
        before = memory[OWN : OWN + ROWS * COLUMNS].reshape(ROWS, COLUMNS) == 1
        spans.append(PieceSpan(frames, (), 7, 7, None, before))
        memory = frames[-1]
    return spans


@pytest.mark.parametrize(("swaps", "at"), [(True, OTHER), (False, None)])
def test_a_board_is_kept_twice_where_each_memory_comes_first(swaps: bool, at: int | None) -> None:
    lattice = Lattice(BYTES, OWN + (ROWS - 1) * COLUMNS, COLUMNS, 1, COLUMNS)
    geometry = Geometry(lattice, ROWS, 0, Axis(0, 1), drawn=False, pause=0)
    assert other_board(pieces(swaps), geometry) == at
    assert other_board(pieces(swaps)[:1], geometry) is None, "it is the first piece"
