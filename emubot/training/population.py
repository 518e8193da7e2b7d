"""A trainer around any optimiser: candidates become games, their sums become fitness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from emubot.errors import UsageError
from emubot.text import counted
from emubot.training.checkpoint import plain
from emubot.training.final import FinalGames
from emubot.training.fitness import SECOND_SEATS, Fitness, Measurement, described, going_on, measured
from emubot.training.optimiser import Candidates, Optimiser, whole
from emubot.training.state import stored_count
from emubot.training.trainer import Report, TrainingTask, unit_task
from emubot.trials.statistics import Sums, spread
from emubot.trials.work import WorkUnit
from emubot.weight_parts import Provenance
from emubot.weights import Weights

FAVOURITES: Final = 5


class PopulationTrainer:
    """A `Trainer`: `optimiser` gives the players, `fitness` the games, `final` the measurement of the favourites.

    In a couple each candidate plays `fitness.games` games as the first player and as many as the second, on other
    seeds. On the same seeds many games would be the same game, seen from the other side. A candidate's fitness counts
    the games that it began, so a side with an advantage favours no candidate.
    The favourites (up to `favourites`) are measured anew on their own seeds (`FinalGames`). The result is the mean of
    the figure, whatever shape was trained.
    Raises UsageError if optimiser and contests do not fit each other.
    """

    def __init__(
        self,
        optimiser: Optimiser,
        fitness: Fitness,
        final: Fitness,
        method: str,
        favourites: int = FAVOURITES,
        games: int = 0,
    ) -> None:
        """`method` is named in the weights' provenance; `games` is the number of games in earlier generations."""
        whole("number of favourites", favourites, 1, 1000)
        whole("number of games of each favourite", final.games, 4)
        couples = bool(optimiser.ask().couples)
        if couples and fitness.contest.sides != 2:
            raise UsageError(f"{method} lets couples play: choose a contest of two sides.")
        if couples and fitness.race is not None:
            raise UsageError(f"{method} lets couples play, so there is no race: leave the race out.")
        for contest in [final] if couples else [fitness, final]:
            if contest.contest.sides == 2 and contest.opponent is None:
                raise UsageError(
                    "A candidate that is measured alone in a contest of two needs an opponent: name its weights."
                )
        fitness.counted()
        final.counted()
        self.optimiser = optimiser
        self.fitness = fitness
        self.final_fitness = replace(final, shape="mean", race=None)
        self.method = method
        self._favourites = favourites
        self._games = games
        self._rival = "each other" if couples else _rival(fitness)
        self._racing: list[int] = []
        self._begin()

    @property
    def generation(self) -> int:
        """The number of finished generations."""
        return self.optimiser.generation

    def ask(self) -> Sequence[TrainingTask]:
        """Returns the games of the generation's current round."""
        return [unit_task(unit) for _, unit in self._round()]

    def tell(self, results: Sequence[Any]) -> Report | None:
        """Add up what the tasks returned; after the last round the optimiser gets the fitness."""
        for (candidate, _), sums in zip(self._round(), results, strict=True):
            self._sums[candidate] += sums
        self._rounds_played += 1
        if self._rounds_played < len(self._rounds):
            assert self.fitness.race is not None, "only a race has rounds"
            self._racing = going_on(self._sums, self._racing, self.fitness.race)
            return None
        fitness = np.array([sums.mean for sums in self._sums])
        games = sum(sums.count for sums in self._sums)
        self.optimiser.tell(fitness)
        self._games += games
        self._begin()
        favourite = self.fitness.weights(self.optimiser.favourites(1)[0])
        return Report(self.generation, games, spread(fitness), tuple(fitness.tolist()), favourite.values)

    def state(self) -> Mapping[str, Any]:
        """Returns the optimiser's state and the number of games; an unfinished generation is not stored."""
        return {"optimiser": self.optimiser.state(), "games": self._games}

    def resumed(self, state: Mapping[str, Any]) -> PopulationTrainer:
        """Returns a trainer of the same fitness, in this state."""
        kept, fresh = state["optimiser"], plain(self.optimiser.state())
        if any(kept[name] != fresh[name] for name in ("settings", "dimension") if name in fresh):
            raise ValueError("the settings of the method are not those of the run")
        optimiser = type(self.optimiser).resume(kept)
        if optimiser.ask().candidates.shape != self.optimiser.ask().candidates.shape:
            raise ValueError("the candidates have another number of weights than the run")
        games = stored_count(state["games"])
        return PopulationTrainer(optimiser, self.fitness, self.final_fitness, self.method, self._favourites, games)

    def individuals(self) -> Sequence[Weights]:
        """Returns the candidates of the current generation, as they play."""
        return [self.fitness.weights(candidate) for candidate in self._candidates.candidates]

    def final(self) -> Sequence[TrainingTask]:
        """Returns every favourite's games, those that choose before those that measure."""
        return self._final().tasks()

    def champion(self, results: Sequence[Any]) -> Weights:
        """Returns the chosen favourite, with the result of the games that did not choose it."""
        final = self._final()
        best, sums = final.best(results)
        games = f"{self.fitness.games:,} game{'' if self.fitness.games == 1 else 's'} each"
        trained = f"{games}, {self.fitness.shape} of {self.fitness.counted()}"
        generations = counted(self.generation, "generation")
        provenance = Provenance(
            method=f"{self.method}, {generations}; {trained}; {described(self.fitness, self._rival)}",
            seed=self.fitness.seed,
            games=self._games,
            results=(measured(self.final_fitness, sums, _rival(self.final_fitness)),),
        )
        return final.favourites[best].model_copy(update={"provenance": provenance})

    def provenance_of(self, weights: Weights) -> Provenance:
        """Returns the provenance of what was trained, from weights that `champion` returned."""
        return weights.provenance

    def _begin(self) -> None:
        self._candidates: Candidates = self.optimiser.ask()
        self._rounds = self.fitness.rounds(self.generation)
        self._rounds_played = 0
        self._sums = [Sums()] * len(self._candidates.candidates)
        self._racing = list(range(len(self._sums)))

    def _round(self) -> list[tuple[int, WorkUnit[Measurement]]]:
        """Returns pairs of the candidate whose fitness a unit counts for, and the unit."""
        first, end = self._rounds[self._rounds_played]
        weights = self.individuals()
        meetings: list[tuple[int, tuple[Weights, ...], int]] = []
        if self._candidates.couples:
            for candidate, other in self._candidates.couples:
                meetings.append((candidate, (weights[candidate], weights[other]), 0))
                meetings.append((other, (weights[other], weights[candidate]), SECOND_SEATS))
        else:
            meetings = [(index, self.fitness.players(weights[index]), 0) for index in self._racing]
        return [
            (candidate, unit)
            for candidate, players, after in meetings
            for unit in self.fitness.units(players, after + first, after + end)
        ]

    def _final(self) -> FinalGames:
        """Returns the last games, of each favourite once: breeding leaves equal ones."""
        vectors = dict.fromkeys(map(tuple, self.optimiser.favourites(self._favourites).tolist()))
        return FinalGames(self.final_fitness, [self.fitness.weights(np.array(vector)) for vector in vectors])


def _rival(fitness: Fitness) -> str:
    return "" if fitness.opponent is None else fitness.against or "weights that were given"
