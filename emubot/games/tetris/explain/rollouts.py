"""Games played on from a board, to estimate the risk of a top-out soon; knows no file and no text.

A cheap player plays: two pieces of lookahead by features. Pieces come by the cartridge's rule from independent random
numbers. Game n of a seed gets the same pieces after every placement, so placements are compared on equal terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.explanation import Risk
from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import Engine, decide
from emubot.games.tetris.search.two_plies import MOST_LOCKS

PIECES: Final = 20  # of each game: the next piece and those after it


@dataclass(frozen=True, slots=True, eq=False)
class Afterstate:
    """A board after the lock of `piece`; `next_piece` is None if it is not known."""

    rows: Rows
    piece: int
    next_piece: int | None
    lines: int
    level: int


class TetrisRollouts:
    """Plays games by an engine of two plies."""

    def __init__(self, engine: Engine, games: int, seed: int, played: Callable[[], object] = lambda: None) -> None:
        """`played` is called after each game."""
        self._engine, self._games, self._seed, self._played = engine, games, seed, played
        self._found, self._values = np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS)

    def risk(self, after: Afterstate) -> Risk | None:
        """Returns how many games end within the next PIECES pieces; None if no game is to be played."""
        if self._games == 0:
            return None
        deaths = 0
        for game in range(self._games):
            deaths += self._dies(after, game)
            self._played()
        return Risk(PIECES, self._games, deaths)

    def _dies(self, after: Afterstate, game: int) -> bool:
        draws = np.random.default_rng([self._seed, game]).integers(0, DRAWS, size=(PIECES + 1, 2)).tolist()
        rows, lines, level = after.rows.copy(), after.lines, after.level
        first = deal(after.piece, *draws[0])
        piece = first if after.next_piece is None else after.next_piece
        begin = self._engine.look.begin
        for first_draw, second_draw in draws[1:]:
            following = deal(piece, first_draw, second_draw)
            _, _, best = decide(rows, piece, begin, following, lines, level, self._engine, self._found, self._values)
            if best < 0:
                return True
            cleared = lock(rows, *self._found[best])
            level, lines = level_after(level, lines, cleared), lines + cleared
            piece = following
        return False
