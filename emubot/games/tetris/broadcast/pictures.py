"""What both ways share: colours of cells, and the pieces' cells on the visible board as bits; knows no game's course.

The colours of pieces and of the cells that they leave are those of the public encoders (PIECEGRAPHICTABLE in
nestrischamps/variables.lua of github.com/Stabyourself/nestrischamps-emulator-connector).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.decode.piece_tables import cells_of
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ORIENTATIONS, PIECE_OF, ROWS
from emubot.snapshot import Piece

PIECE_COLOURS: Final = (1, 2, 3, 1, 2, 3, 1)  # of T J Z O S L I
# By kind of cell, and by colour the kind: the family's kinds 1, 2, 3 (those of T, Z, J) are the colours 1, 3, 2.
# What is neither, such as the curtain, is 1, because an unknown cell is filled.
COLOURS: Final[NDArray[np.uint8]] = np.array([0, 1, 3, 2] + [1] * 252, dtype=np.uint8)
FULL: Final = (1 << COLUMNS) - 1


def bits_of(cells: bytes) -> int:
    """Returns a board (200,) as a number: bit 10 * row + column is set where a cell is filled."""
    return int.from_bytes(np.packbits(np.frombuffer(cells, dtype=np.uint8) != 0, bitorder="little").tobytes(), "little")


def piece_bits(piece: Piece) -> int:
    """Returns the visible cells of a piece in the same way."""
    return sum(1 << COLUMNS * row + column for column, row in cells_of(piece) if row >= 0)


def settled(bits: int) -> int:
    """Returns a board without its full rows: those above come down, and empty rows come in at the top."""
    rows = [bits >> COLUMNS * row & FULL for row in range(ROWS)]
    kept = [row for row in rows if row != FULL]
    return sum(row << COLUMNS * number for number, row in enumerate(kept, start=ROWS - len(kept)))


def _places() -> dict[int, list[Piece]]:
    """Returns every place of a piece by its visible cells; more than one where a piece reaches above the board."""
    found: dict[int, list[Piece]] = {}
    for orientation in range(ORIENTATIONS):
        for row in range(-HIDDEN_ROWS, ROWS):
            for column in range(COLUMNS):
                piece = Piece(orientation, column, row)
                inside = all(0 <= x < COLUMNS and -HIDDEN_ROWS <= y < ROWS for x, y in cells_of(piece))
                if inside and (bits := piece_bits(piece)):
                    found.setdefault(bits, []).append(piece)
    return found


PLACES: Final = _places()
PLACES_OF: Final = tuple(
    tuple((bits, one) for bits, pieces in PLACES.items() for one in pieces if PIECE_OF[one.orientation] == number)
    for number in range(len(PIECE_COLOURS))
)
