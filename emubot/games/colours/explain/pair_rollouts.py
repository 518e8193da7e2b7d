"""Plays pairs on for the rollouts: two pairs of lookahead by features, quick and careful; knows no seed."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.colours.board.anyboard_bounds import Limits
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.explain.pair_board import After, PairBoard
from emubot.games.colours.explain.rollouts import PIECES
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.games.colours.search.two_plies import Pair
from emubot.weights import load_weights

_QUICK: Final = "reference"
HOW: Final = (
    f"games end within {PIECES} pairs, if the weights {_QUICK} play on; pairs come from independent random numbers"
)


class PairPlayer:
    """A quick player of pairs. `limits` are those of pairs, `packed` the same for bitboards (search.Position)."""

    def __init__(self, board: PairBoard, limits: Limits, packed: int | None, has_words: bool) -> None:
        weights = load_weights(_QUICK)
        self._board, self._limits, self._packed = board, limits, packed
        vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        self._search = TwoPlies(board.rules, vector) if has_words else AnySearch(board.rules, weights)

    def deal(self, rng: np.random.Generator, count: int) -> list[Pair]:
        """Returns so many pairs."""
        drawn = rng.integers(1, self._board.rules.colors + 1, size=(count, 2), dtype=np.uint8)
        return [(pivot, satellite) for pivot, satellite in drawn.tolist()]

    def play(self, field: After, piece: Pair, following: Pair) -> After | None:
        """Returns the field after a pair; None if it can lock nowhere."""
        board, search = self._board, self._search
        places = board.placements(field.cells, piece, self._limits)
        if not places:
            return None
        if isinstance(search, TwoPlies):
            position = Position(field.cells, piece, (following,), limits=self._packed)
            values, _ = search.rank(position, np.array(places))
        else:
            values, _ = search.rank(field.cells, piece, (following,), np.array(places), limits=self._limits)
        return board.lock(field.cells, places[int(np.argmax(values))], piece)
