"""Searches within a time: each decision values as many boards as its pace (games/pace.py) allows; knows no kernel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from emubot.games.pace import Pace
from emubot.games.tetris.rules import Profile
from emubot.games.tetris.search.engine import Engine, limited
from emubot.games.tetris.search.search import Position, Search
from emubot.games.thinker import Ranking
from emubot.tempo import Tempo

if TYPE_CHECKING:
    from emubot.games.tetris.search.helpers import Helpers


class TimedSearch(Search):
    """A search whose decisions take about the time of its pace."""

    def __init__(
        self,
        engine: Engine,
        tempo: Tempo,
        profile: Profile,
        pace: Pace,
        helpers: Helpers | None = None,
        cautious: bool = False,
    ) -> None:
        super().__init__(engine, tempo, profile, helpers, cautious)
        self._pace = pace

    def ranking(self, position: Position) -> Ranking:
        """Returns what `Search.ranking` returns, after as many boards as the time is enough for."""
        return self._pace.spend(partial(self._ranking_within, position))[0]

    def _ranking_within(self, position: Position, boards: int) -> tuple[Ranking, int]:
        self._engine = limited(self._engine, boards)
        ranking = super().ranking(position)
        return ranking, ranking.nodes
