"""Games played on from a field, to estimate the risk of losing soon; knows no board, no file and no text.

Game n of a seed gets the same pieces after every placement, so placements are compared on equal terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Generic, Protocol, TypeVar

import numpy as np

from emubot.explanation import ExplainOptions, Risk, RolloutCount

PIECES: Final = 20  # of each game: the next piece and those after it


class Field(Protocol):
    """A field after a placement."""

    @property
    def lost(self) -> bool:
        """Whether the next piece cannot appear."""

    @property
    def won(self) -> bool:
        """Whether the goal is reached, so that the next piece finds another field."""


Board = TypeVar("Board", bound=Field)
Kinds = TypeVar("Kinds", bound=tuple[int, ...])  # of a piece's cells


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
