"""A board must have rows that memory has room for; what else experiments make of it is said to be none."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.discovery.board import Lattice
from emubot.discovery.geometry import check_room, own_rows
from emubot.discovery.units import BYTES
from emubot.errors import NotDiscovered

LATTICE = Lattice(BYTES, floor=230, down=10, right=1, columns=10)


def test_a_board_fits_into_memory() -> None:
    check_room(LATTICE, 20, 0x800)


@pytest.mark.parametrize(
    ("rows", "said"),
    [(-3, "no piece fell down to them"), (0, "no piece fell down to them"), (25, "25 rows"), (33, "33 rows")],
)
def test_what_is_no_board_is_said(rows: int, said: str) -> None:
    with pytest.raises(NotDiscovered, match=said):
        check_room(LATTICE, rows, 0x800)


def test_rows_that_an_empty_board_never_shows_empty_are_something_else() -> None:
    frames = np.zeros((6, 0x800), np.uint8)
    frames[:, :45] = 7  # what lies in memory before the board, and halfway into its highest row
    frames[np.arange(6), 55 + 10 * np.arange(6)] = 9  # the piece in the air stands in the cells
    assert own_rows(LATTICE, 20, frames, 0) == 19
    assert own_rows(LATTICE, 19, frames, 0) == 19
