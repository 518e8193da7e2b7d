"""A field is as deep as pieces fall, even where the first ones were kept from its floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from emubot.discovery.colours.fields import deepened
from emubot.discovery.colours.findings import ColourField
from emubot.discovery.colours.moves import Board, Cell, Move
from emubot.discovery.units import BYTES, Packing

COLUMNS, ROWS, FIRST = 3, 4, 10
UNITS = tuple(tuple(FIRST + row * COLUMNS + column for column in range(COLUMNS)) for row in range(ROWS))
BELOW = tuple(tuple(unit + COLUMNS for unit in row) for row in UNITS)
EMPTY = np.zeros((ROWS, COLUMNS))


def field(packing: Packing = BYTES) -> ColourField:
    return ColourField(packing, UNITS, empty=0, colors={1: 1})


def resting(*cells: Cell, size: int = 100) -> Move:
    board = Board(EMPTY.astype(np.uint8), EMPTY.astype(np.int64), EMPTY.astype(np.int64))
    return Move(np.zeros((1, size), np.uint8), (), 0, 0, 0, board, cells, board)


@pytest.mark.parametrize(
    ("moves", "rows"),
    [
        ([resting((3, 0, 1), (2, 0, 1))] * 9, ROWS),
        ([resting((4, 0, 1), (3, 0, 1))] * 2, ROWS + 1),
        ([resting((5, 0, 1), (5, 1, 1)), resting((6, 2, 1), (5, 2, 1))], ROWS + 2),
        ([resting((4, 0, 1), (3, 0, 1)), *[resting((3, 1, 1))] * 9], ROWS),  # one move may be misread
        ([resting((4, 3, 1), (4, 2, 1))] * 2, ROWS),  # a piece that is parked beside the field
        ([], ROWS),
    ],
)
def test_rows_are_added_down_to_where_pieces_came_to_rest(moves: Sequence[Move], rows: int) -> None:
    found = deepened(field(), moves)

    assert (
        found.units == (UNITS + BELOW[-1:] + tuple(tuple(unit + COLUMNS for unit in row) for row in BELOW[-1:]))[:rows]
    )


@pytest.mark.parametrize(
    ("packing", "size", "rows"), [(BYTES, 25, 5), (BYTES, 24, 4), (Packing(4), 13, 5), (Packing(4), 12, 4)]
)
def test_rows_lie_in_memory(packing: Packing, size: int, rows: int) -> None:
    moves = [resting((4, 0, 1), size=size)] * 2

    assert deepened(field(packing), moves).rows == rows
