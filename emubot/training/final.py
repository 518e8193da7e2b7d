"""The last games of a run: half of them choose one of the favourites, and the other half measure it.

So the choice does not bias the interval. A single favourite needs no choice, and all its games measure it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from emubot.training.fitness import CHOOSING, MEASURING, Fitness, Measurement
from emubot.training.trainer import TrainingTask, unit_task
from emubot.trials.statistics import Sums
from emubot.trials.work import WorkUnit
from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class FinalGames:
    """The games of each of `favourites`, those that choose before those that measure; `fitness` says which."""

    fitness: Fitness
    favourites: Sequence[Weights]

    def tasks(self) -> list[TrainingTask]:
        """Returns the games as tasks."""
        return [unit_task(unit) for _, _, unit in self._units()]

    def best(self, results: Sequence[Any]) -> tuple[int, Sums]:
        """Returns the index of the chosen favourite, and the sums of the games that did not choose it."""
        sums = {(index, measures): Sums() for index in range(len(self.favourites)) for measures in (False, True)}
        for (index, measures, _), added in zip(self._units(), results, strict=True):
            sums[index, measures] += added
        several = len(self.favourites) > 1
        best = max(range(len(self.favourites)), key=lambda index: sums[index, False].mean) if several else 0
        return best, sums[best, True]

    def _units(self) -> list[tuple[int, bool, WorkUnit[Measurement]]]:
        """Returns tuples of the favourite, whether the games measure it, and the unit."""
        games = self.fitness.games
        choosing = games // 2 if len(self.favourites) > 1 else 0
        spans = ((False, CHOOSING, CHOOSING + choosing), (True, MEASURING, MEASURING + games - choosing))
        return [
            (index, measures, unit)
            for index, weights in enumerate(self.favourites)
            for measures, first, end in spans
            for unit in self.fitness.units(self.fitness.players(weights), first, end)
        ]
