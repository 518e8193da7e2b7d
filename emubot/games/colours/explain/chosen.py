"""The bot's own decision in a position, and the best of its candidates explained one by one; knows no board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from emubot.explanation import ExplainedPlacement
from emubot.games.thinker import Engine, Ranking
from emubot.pad import Pad
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo

Place: TypeAlias = tuple[int, ...]  # as the search has it: orientation, column, and a row where a piece may slide
Explain: TypeAlias = Callable[[Place, Placement, bool], ExplainedPlacement]  # the bool: whether the bot plays it


class Chooser:
    """The bot's own decision for a position: all candidates with their values, and how to reach each of them."""

    def __init__(self, engine: Engine[Any, Any], snapshot: Snapshot, tempo: Tempo) -> None:
        held = Pad(snapshot.counters.get("held_buttons", 0))
        self._engine = engine
        self._task = engine.task(snapshot, InputState(held, tempo.reaction, tempo.reaction), True)
        self._ranking: Ranking = engine.rank(self._task)
        self.nodes = self._ranking.nodes

    def best(self, count: int) -> list[int]:
        """Returns the indices of so many candidates, the one that is played first."""
        return sorted(range(len(self._ranking.values)), key=lambda index: -self._ranking.values[index])[:count]

    def explained(self, best: Sequence[int], explain: Explain) -> tuple[ExplainedPlacement, ...]:
        """Returns these candidates explained, sorted by the values that they then have; the first one is played."""
        places, ways = self._ranking.places.tolist(), self._engine.placement
        found = [
            explain(tuple(places[index]), ways(self._task, self._ranking, index), number == 0)
            for number, index in enumerate(best)
        ]
        return tuple(sorted(found, key=lambda one: (-one.value, not one.chosen)))
