"""Leaves a full field to a careful search: large chains are built as long as there is room; knows no weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.search.search import Position, Search


class CarefulSearch(Search):
    """Decides by `bold`, and from so many `puyos` in the field on by `careful`."""

    def __init__(self, bold: Search, careful: Search, puyos: int) -> None:
        self._bold, self._careful, self._puyos = bold, careful, puyos

    def chosen(self, position: Position) -> Search:
        """Returns the search that decides in this position."""
        return self._careful if np.count_nonzero(position.cells) >= self._puyos else self._bold

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns what the search that decides returns."""
        return self.chosen(position).rank(position, candidates)
