"""The values of placements on a map's own board, between the map's ids and the kernels; knows no motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.anyboard.board import lock, outlines_of
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.anyboard.search import MOST_SHAPES, search_queue
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, Stacks
from emubot.snapshot import Placement


class Valuer:
    """Values placements of a map's pieces for one player."""

    def __init__(self, pieces: Pieces, player: Player) -> None:
        self._pieces, self._player = pieces, player
        shapes = list(dict.fromkeys(one.outline for one in pieces.orientations.values()))
        self._index = {number: shapes.index(one.outline) for number, one in pieces.orientations.items()}
        self._outlines = outlines_of(shapes)

    @property
    def is_linear(self) -> bool:
        """Whether a value is a sum over locks and boards, so that the part of one lock can be told."""
        return len(self._player[0]) == FEATURES

    def values(
        self, stacks: Stacks, placements: Sequence[Placement], shown: Sequence[int]
    ) -> tuple[NDArray[np.float64], int]:
        """Returns the value of each placement, if the pieces `shown` follow it, and the boards evaluated."""
        values = np.zeros(len(placements))
        locks = np.array([self._lock(place) for place in placements], dtype=np.int64).reshape(-1, 3)
        queue, entries = self._queue(shown)
        nodes = search_queue(stacks, self._pieces.rows, locks, queue, entries, self._outlines, self._player, values)
        return values, int(nodes)

    def after(self, stacks: Stacks, place: Placement) -> tuple[Stacks, float]:
        """Returns the board after a placement, and what the lock itself adds to the value of all that follows."""
        board, features = np.empty_like(stacks), np.zeros(FEATURES)
        lock(stacks, board, *self._lock(place), self._pieces.rows, self._outlines, features)
        return board, float((self._player[0][:FIRST_BOARD_FEATURE] * features[:FIRST_BOARD_FEATURE]).sum())

    def _lock(self, place: Placement) -> tuple[int, int, int]:
        """Returns the shape of a placement, its leftmost column, and its lowest row from the floor up."""
        one = self._pieces.orientations[place.orientation]
        return self._index[place.orientation], place.column + one.left, self._pieces.rows - 1 - place.row - one.bottom

    def _queue(self, shown: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the shapes of the pieces to come, and the cells where each enters, as search_queue takes them."""
        pieces = self._pieces
        queue = np.full((len(shown), MOST_SHAPES), -1, dtype=np.int64)
        entries = np.zeros((len(shown), pieces.columns), dtype=np.int64)
        for place, number in enumerate(shown):
            shapes = list(dict.fromkeys(self._index[turned] for turned in pieces.numbers(number)))[:MOST_SHAPES]
            queue[place, : len(shapes)] = shapes
            for column, row in pieces.cells(pieces.spawn(number)):
                if 0 <= column < pieces.columns:
                    entries[place, column] |= 1 << (pieces.rows - 1 - row)
        return queue, entries
