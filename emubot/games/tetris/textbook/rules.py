"""What can be chosen of the textbook game, and how kernels are told; knows no board and no search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError

GENERATORS: Final = ("uniform", "bag", "nes")
UNIFORM, BAG, NES = range(len(GENERATORS))
COLUMNS: Final = (4, 16)  # least, most
ROWS: Final = (4, 40)
MOST_PREVIEWS: Final = 3
_BOARD: Final = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)")

# What the kernels are given: rules int64 (RULES_SIZE,).
COLUMNS_AT, ROWS_AT, GENERATOR_AT, PLIES_AT, HOLD_AT, PREVIEWS_AT, CAP_LINES_AT, CAP_PIECES_AT = range(8)
RULES_SIZE: Final = 8


@dataclass(frozen=True, slots=True)
class TextbookRules:
    """Pieces drop straight down, in any orientation and any column in which they fit between the walls.

    Top-out: a cell above the top row once full rows are removed ends the game (facts: Tetris bots 2.1); lines and piece
    of that last drop count. There is no gravity, and nothing spawns: a piece is always there to be dropped.
    `generator`: `uniform` draws each piece anew; `bag` deals all seven in random order, then again; `nes` draws one of
    eight, and the eighth, or the piece before, is drawn again (facts: NES Tetris 5.2).
    `plies` pieces are searched, the one to drop included, of which `previews` are shown. With `hold` a piece may be put
    aside once before each drop: the one put aside before, or else the next, takes its place.
    A game of `cap_lines` lines or `cap_pieces` pieces is stopped; 0 never is.
    """

    columns: int = 10
    rows: int = 20
    generator: str = "uniform"
    plies: int = 1
    hold: bool = False
    previews: int = 1
    cap_lines: int = 0
    cap_pieces: int = 0

    @property
    def board(self) -> str:
        """Columns x rows, as the option is written."""
        return f"{self.columns}x{self.rows}"

    def cells(self) -> NDArray[np.int64]:
        """The rules as kernels take them, int64 (RULES_SIZE,)."""
        generator = GENERATORS.index(self.generator)
        told = (self.columns, self.rows, generator, self.plies, self.hold, self.previews)
        return np.array([*told, self.cap_lines, self.cap_pieces], dtype=np.int64)


def parse_board(text: str) -> tuple[int, int]:
    """Columns and rows of a board such as "10x20". Raises UsageError."""
    match = _BOARD.fullmatch(text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (COLUMNS[0] <= columns <= COLUMNS[1] and ROWS[0] <= rows <= ROWS[1]):
        raise UsageError(
            f"--board is COLUMNSxROWS, such as 10x20, of {COLUMNS[0]} to {COLUMNS[1]} columns and {ROWS[0]} to "
            f"{ROWS[1]} rows, not {text!r}."
        )
    return columns, rows
