"""Fields and moves of colour games drawn as text, for tests without a cartridge."""

from __future__ import annotations

import numpy as np

from emubot.discovery.colours.findings import ColourField
from emubot.discovery.colours.moves import Board, Cell, Move
from emubot.discovery.units import BYTES

COLORS = {10: 1, 20: 2, 30: 3}
NUISANCE, TARGET_1, TARGET_2, TARGET_3, WALL = 40, 51, 52, 53, 60
CODES = {".": 0, "R": 10, "G": 20, "B": 30, "n": NUISANCE, "r": TARGET_1, "g": TARGET_2, "b": TARGET_3, "#": WALL}


def field(rows: int, columns: int) -> ColourField:
    """A field of bytes from 0 on, row by row."""
    units = tuple(tuple(range(row * columns, (row + 1) * columns)) for row in range(rows))
    return ColourField(packing=BYTES, units=units, empty=0, colors=COLORS)


def board(text: str, rows: int = 8) -> Board:
    """The lowest rows of a field, those above are empty."""
    lines = text.split()
    lines = ["." * len(lines[0])] * (rows - len(lines)) + lines
    codes = np.array([[CODES[letter] for letter in line] for line in lines], np.uint8)
    kinds = np.full(codes.shape, -1, np.int64)
    kinds[codes == 0] = 0
    for code, color in COLORS.items():
        kinds[codes == code] = color
    return Board(codes, kinds, np.zeros(codes.shape, np.int64))


def move(before: str, cells: tuple[Cell, ...], after: str | None) -> Move:
    """A piece that locked in these cells, (row, column, colour)."""
    nothing = np.zeros((1, 64), np.uint8)
    later = None if after is None else board(after)
    return Move(nothing, (), 0, 1, 1, board(before), cells, later)
