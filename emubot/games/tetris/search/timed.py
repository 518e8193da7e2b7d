"""Searches within a time: each decision values as many boards as its pace (games/pace.py) allows; knows no kernel."""

from __future__ import annotations

from functools import partial

from emubot.games.pace import Pace
from emubot.games.tetris.rules import Profile
from emubot.games.tetris.search.engine import Engine, limited
from emubot.games.tetris.search.search import Position, Ranked, Search
from emubot.tempo import Tempo


class TimedSearch(Search):
    """A search whose decisions take about the time of its pace."""

    def __init__(self, engine: Engine, tempo: Tempo, profile: Profile, pace: Pace) -> None:
        super().__init__(engine, tempo, profile)
        self._pace = pace

    def rank(self, position: Position) -> Ranked:
        """Returns what `Search.rank` returns, after as many boards as the time is enough for."""
        return self._pace.spend(partial(self._rank_within, position))

    def _rank_within(self, position: Position, boards: int) -> Ranked:
        self._engine = limited(self._engine, boards)
        return super().rank(position)
