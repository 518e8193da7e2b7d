"""The bot's own decision in a position, and the best of its candidates explained one by one; knows no board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from emubot.explanation import ExplainedPlacement
from emubot.games.thinking import CanVary
from emubot.pad import Pad
from emubot.snapshot import Placement, Snapshot
from emubot.tempo import InputState, Tempo

Place: TypeAlias = tuple[int, ...]  # as the search has it: orientation, column, and a row where a piece may slide
Explain: TypeAlias = Callable[[Place, Placement, bool], ExplainedPlacement]  # the bool: whether the bot plays it


class Chooser:
    """The bot's own decision for a position: all candidates with their values, and how to reach each of them."""

    def __init__(self, thinker: CanVary, snapshot: Snapshot, tempo: Tempo) -> None:
        held = Pad(snapshot.counters.get("held_buttons", 0))
        self._thinker, self._snapshot = thinker, snapshot
        self._input_state = InputState(held, tempo.reaction, tempo.reaction)
        self.places: list[Place] = []
        self.values: list[float] = []
        self.nodes = thinker.decide_by(snapshot, self._input_state, self._choose_best).nodes

    def _choose_best(self, places: Sequence[Sequence[int]], values: Sequence[float]) -> int:
        self.places, self.values = [tuple(place) for place in places], list(values)
        return int(np.argmax(values))

    def best(self, count: int) -> list[int]:
        """Returns the indices of so many candidates, the one that is played first."""
        return sorted(range(len(self.places)), key=lambda index: -self.values[index])[:count]

    def explained(self, best: Sequence[int], explain: Explain) -> tuple[ExplainedPlacement, ...]:
        """Returns these candidates explained, sorted by the values that they then have; the first one is played."""
        found = [explain(self.places[index], self._placement(index), number == 0) for number, index in enumerate(best)]
        return tuple(sorted(found, key=lambda one: (-one.value, not one.chosen)))

    def _placement(self, index: int) -> Placement:
        """Returns the placement of a candidate with its inputs; the bot's search is made again."""
        chosen = self._thinker.decide_by(self._snapshot, self._input_state, lambda places, values: index).placement
        assert chosen is not None
        return chosen
