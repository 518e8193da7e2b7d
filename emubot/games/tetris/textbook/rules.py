"""The options of the textbook game, and their form for kernels; knows no board and no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.bounds import GENERATORS

UNIFORM, BAG, NES = range(len(GENERATORS))

# Indices of the rules for kernels, int64 (RULES_SIZE,).
COLUMNS_AT, ROWS_AT, GENERATOR_AT, PLIES_AT, HOLD_AT, PREVIEWS_AT, CAP_LINES_AT, CAP_PIECES_AT, EXPECT_AT = range(9)
RULES_SIZE: Final = 9


@dataclass(frozen=True, slots=True)
class TextbookRules:
    """Pieces drop straight down, in any orientation and any column in which they fit between the walls.

    Top-out: the game ends if a cell is above the top row after full rows are removed (facts: Tetris bots 2.1). The
    lines and the piece of that last drop count. There is no gravity and no spawn: every piece can be dropped.
    `generator`: `uniform` draws each piece independently; `bag` deals all seven in random order, then again; `nes`
    draws one of eight, and draws again after the eighth or the piece before (facts: NES Tetris 5.2).
    `plies` pieces are searched, the one to drop included; `previews` pieces after it are shown. With `hold` a piece may
    be put aside once before each drop. The piece put aside before takes its place, or the next one if there is none.
    `expect` is the number of the best drops of the last piece searched that are compared by the piece after it. That
    piece is not known, so the mean of its best values over all seven pieces counts. 0 compares the drops by themselves.
    A game stops at `cap_lines` lines or `cap_pieces` pieces; 0 is no cap.
    """

    columns: int = 10
    rows: int = 20
    generator: str = "uniform"
    plies: int = 1
    hold: bool = False
    previews: int = 1
    cap_lines: int = 0
    cap_pieces: int = 0
    expect: int = 0

    @property
    def board(self) -> str:
        """Columns x rows, as the option is written."""
        return f"{self.columns}x{self.rows}"

    def cells(self) -> NDArray[np.int64]:
        """Returns the rules for kernels, int64 (RULES_SIZE,)."""
        generator = GENERATORS.index(self.generator)
        told = (self.columns, self.rows, generator, self.plies, self.hold, self.previews)
        return np.array([*told, self.cap_lines, self.cap_pieces, self.expect], dtype=np.int64)
