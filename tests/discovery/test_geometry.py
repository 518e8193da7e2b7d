"""A board must have rows that memory has room for; what else experiments make of it is said to be none."""

from __future__ import annotations

import pytest

from emubot.discovery.board import Lattice
from emubot.discovery.geometry import check_room
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
