"""What players of falling blocks count beside the game's own figures: Tetris rate, drought, burn; knows no view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import PIECE_NAMES, PIECE_OF
from emubot.snapshot import Phase, Snapshot

_LONG_BAR: Final = PIECE_NAMES.index("I")
_TETRIS: Final = 4  # rows at once


class TetrisStatistics:
    """Counts one player's game from its snapshots, in order; a game that is joined later, from then on.

    `tetris_rate` is the share of lines that Tetrises cleared, None before the first line; `drought` the pieces since
    the last long bar; `burn` the lines since the last Tetris that cleared no Tetris.
    """

    def __init__(self) -> None:
        self._is_played = False
        self._begin()

    def _begin(self) -> None:
        self._between = True
        self._board: NDArray[Any] | None = None
        self._known_lines: int | None = None
        self._lines = self._by_tetris = self.drought = self.burn = 0

    @property
    def tetris_rate(self) -> float | None:
        """Of the lines that were seen to vanish; 0 to 1."""
        return self._by_tetris / self._lines if self._lines else None

    @property
    def figures(self) -> Mapping[str, str]:
        """The figures by name, as they are shown."""
        rate = self.tetris_rate
        shown = "–" if rate is None else f"{rate:.0%}"
        return {"Tetris rate": shown, "drought": str(self.drought), "burn": str(self.burn)}

    def see(self, snapshot: Snapshot) -> None:
        """Take the next frame."""
        if snapshot.phase in (Phase.PAUSED, Phase.UNKNOWN):
            return
        if snapshot.phase in (Phase.MENU, Phase.OVER):
            self._is_played = False
            return
        if not self._is_played:
            self._begin()
            self._is_played = True
        self._count_lines(snapshot.counters.get("lines"))
        board, piece = snapshot.playfield, snapshot.current
        if snapshot.phase is not Phase.PLAYING or piece is None:
            self._between = True
            return
        same = self._board is not None and (board is self._board or np.array_equal(board, self._board))
        if self._between or not same:
            self.drought = 0 if PIECE_OF[piece.orientation] == _LONG_BAR else self.drought + 1
        self._between, self._board = False, board

    def _count_lines(self, lines: int | None) -> None:
        if lines is None:
            return
        gained = 0 if self._known_lines is None else abs(lines - self._known_lines)  # B-type counts down
        self._known_lines = lines
        if not 0 < gained <= _TETRIS:
            return
        self._lines += gained
        if gained == _TETRIS:
            self._by_tetris, self.burn = self._by_tetris + gained, 0
        else:
            self.burn += gained
