"""Plays matching games on for the rollouts: the best field after each piece, quickly; knows no seed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from emubot.games.colours.explain.matching_board import After, lock
from emubot.games.colours.explain.rollouts import PIECES
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.search.matching_engine import Budget, search_for
from emubot.games.colours.search.matching_search import Position, straight_drops
from emubot.weights import load_weights

_QUICK: Final = "capsules"
HOW: Final = (
    f"games end within {PIECES} pieces, if the weights {_QUICK} play on, one piece at a time; pieces come from "
    "independent random numbers"
)
Kinds = tuple[int, ...]


class MatchingPlayer:
    """A quick player: it drops pieces straight, and looks at no other piece. `position` has its time limits."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self._rules, self._position = rules, position
        self._search = search_for(load_weights(_QUICK), rules, Budget(0))

    def deal(self, rng: np.random.Generator, count: int) -> list[Kinds]:
        """Returns so many pieces."""
        drawn = rng.integers(1, self._rules.colors + 1, size=(count, self._rules.piece_cells))
        return [tuple(kinds) for kinds in drawn.tolist()]

    def play(self, field: After, piece: Kinds, following: Kinds) -> After | None:
        """Returns the field after a piece; None if it can lock nowhere."""
        places = straight_drops(field.cells, piece, self._rules, self._position.drops)
        if not len(places):
            return None
        position = replace(self._position, cells=field.cells, links=field.links, piece=piece, following=())
        values, _ = self._search.rank(position, places)
        return lock(field.cells, field.links, places[int(np.argmax(values))].tolist(), piece, self._rules)
