"""Games played on from a field by quick players, to estimate the risk of losing soon; knows no file.

Game n of a seed gets the same pieces after every placement, so placements are compared on equal terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from emubot.explanation import ExplainOptions, Risk, RolloutCount
from emubot.games.colours.board.anyboard_bounds import Limits
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.explain.matching_board import After, lock
from emubot.games.colours.explain.pair_board import After as AfterPair
from emubot.games.colours.explain.pair_board import PairBoard
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.search import matching_search
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.games.colours.search.search import Position, TwoPlies
from emubot.games.colours.search.two_plies import Pair
from emubot.weights import load_weights

PIECES: Final = 20  # of each game: the next piece and those after it
_QUICK_PAIRS, _QUICK_PIECES = "reference", "capsules"  # weights
HOW_PAIRS: Final = (
    f"games end within {PIECES} pairs, if the weights {_QUICK_PAIRS} play on; pairs come from independent random "
    "numbers"
)
HOW_PIECES: Final = (
    f"games end within {PIECES} pieces, if the weights {_QUICK_PIECES} play on, one piece at a time; pieces come from "
    "independent random numbers"
)


class Field(Protocol):
    """A field after a placement."""

    @property
    def lost(self) -> bool:
        """Whether the next piece cannot appear."""

    @property
    def won(self) -> bool:
        """Whether the goal is reached, so that the next piece finds another field."""


Board = TypeVar("Board", bound=Field)
Cells: TypeAlias = tuple[int, ...]  # the kinds of a piece's cells
Kinds = TypeVar("Kinds", bound=Cells)


class Player(Protocol[Board, Kinds]):
    """A cheap player, without a time limit beyond that of the position."""

    def deal(self, rng: np.random.Generator, count: int) -> list[Kinds]:
        """Returns so many pieces."""

    def play(self, field: Board, piece: Kinds, following: Kinds) -> Board | None:
        """Returns the field after a piece, put with the next one in view; None if it can lock nowhere."""


class Rollouts(Generic[Board, Kinds]):
    """Plays games on, with the pieces that are `known` and others after them."""

    def __init__(
        self, player: Player[Board, Kinds], known: Sequence[Kinds], options: ExplainOptions, placements: int
    ) -> None:
        """`placements` is the number of those whose risk will be asked for."""
        self._player, self._known = player, known
        self._games, self._seed = options.games, options.seed
        self._played = RolloutCount(options, placements).played

    def risk(self, after: Board) -> Risk | None:
        """Returns how many games end within the next PIECES pieces; None if no game is to be played."""
        if self._games == 0:
            return None
        deaths = 0
        for game in range(self._games):
            deaths += self._dies(after, game)
            self._played()
        return Risk(PIECES, self._games, deaths)

    def _dies(self, field: Board, game: int) -> bool:
        dealt = self._player.deal(np.random.default_rng([self._seed, game]), PIECES + 1)
        for piece, following in pairwise([*self._known, *dealt[len(self._known) :]]):
            if field.won:
                return False
            after = None if field.lost else self._player.play(field, piece, following)
            if after is None:
                return True
            field = after
        return field.lost


class PairPlayer:
    """A quick player of pairs. `limits` are those of pairs, `packed` the same for bitboards (search.Position)."""

    def __init__(self, board: PairBoard, limits: Limits, packed: int | None, has_words: bool) -> None:
        weights = load_weights(_QUICK_PAIRS)
        self._board, self._limits, self._packed = board, limits, packed
        vector = weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        self._search = TwoPlies(board.rules, vector) if has_words else AnySearch(board.rules, weights)

    def deal(self, rng: np.random.Generator, count: int) -> list[Pair]:
        """Returns so many pairs."""
        drawn = rng.integers(1, self._board.rules.colors + 1, size=(count, 2), dtype=np.uint8)
        return [(pivot, satellite) for pivot, satellite in drawn.tolist()]

    def play(self, field: AfterPair, piece: Pair, following: Pair) -> AfterPair | None:
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


class MatchingPlayer:
    """A quick player: it drops pieces straight, and looks at no other piece. `position` has its time limits."""

    def __init__(self, rules: Rules, position: matching_search.Position) -> None:
        self._rules, self._position = rules, position
        self._search = matching_search.search_for(load_weights(_QUICK_PIECES), rules, matching_search.Budget(0))

    def deal(self, rng: np.random.Generator, count: int) -> list[Cells]:
        """Returns so many pieces."""
        drawn = rng.integers(1, self._rules.colors + 1, size=(count, self._rules.piece_cells))
        return [tuple(kinds) for kinds in drawn.tolist()]

    def play(self, field: After, piece: Cells, following: Cells) -> After | None:
        """Returns the field after a piece; None if it can lock nowhere."""
        places = matching_search.straight_drops(field.cells, piece, self._rules, self._position.drops)
        if not len(places):
            return None
        position = replace(self._position, cells=field.cells, links=field.links, piece=piece, following=())
        values, _ = self._search.rank(position, places)
        return lock(field.cells, field.links, places[int(np.argmax(values))].tolist(), piece, self._rules)
