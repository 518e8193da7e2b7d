"""What methods that learn from their own games have in common: episodes, checks, and the best snapshot.

A generation is a fixed number of independent batches of episodes, so any process can play them. From time to time what
was learnt so far plays as it would be exported. The best such snapshot is kept, because learning goes up and down. The
final result is measured on fresh seeds.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np

from emubot.errors import UsageError
from emubot.text import counted
from emubot.training.final import FinalGames
from emubot.training.fitness import Fitness, described, measured
from emubot.training.optimiser import whole
from emubot.training.state import stored, stored_count
from emubot.training.trainer import Report, TrainingTask, unit_task
from emubot.trials.statistics import Sums, spread
from emubot.trials.work import seed_of
from emubot.weight_parts import Provenance
from emubot.weights import Weights

LEARNING: Final = 1 << 43  # first game number of learning, far from all games that only measure (fitness.py)


@dataclass(frozen=True, slots=True)
class LearningOutcome:
    """What a generation's episodes came to: each game's value of the trained figure, and other figures."""

    brought: Sequence[float]
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CheckedWeights:
    """What was learnt up to a generation, and the mean of its check."""

    weights: Weights
    mean: float


class LearningTrainer(ABC):
    """A `Trainer`. `fitness` says how snapshots are checked, `final` how the last two are measured.

    At the end these two are the best checked snapshot and the latest one (`FinalGames`). The result is the mean of the
    figure, whatever shape was trained.
    """

    def __init__(self, fitness: Fitness, final: Fitness, method: str, check_every: int) -> None:
        """`method` is named in the weights' provenance. Raises UsageError."""
        whole("number of games of each favourite", final.games, 4)
        whole("number of generations from one check to the next", check_every, 1)
        if fitness.race is not None or final.race is not None:
            raise UsageError(f"{method} has no candidates that could race: leave the race out.")
        for each in (fitness, final):
            first = each.contest.trial().figures[0]
            if each.counted() != first:
                raise UsageError(f"What {method} learns from brings {first}, and so do its checks: leave out --figure.")
        self.fitness = fitness
        self.final_fitness = replace(final, shape="mean")
        self.method = method
        self.generation = 0
        self._check_every = check_every
        self._games = 0
        self._kept: CheckedWeights | None = None

    @abstractmethod
    def episode_batches(self) -> Sequence[TrainingTask]:
        """Returns the batches of the current generation; the same until `learn` is called."""

    @abstractmethod
    def learn(self, results: Sequence[Any]) -> LearningOutcome:
        """Learn from what the batches returned, in order."""

    @abstractmethod
    def current(self) -> Weights:
        """Returns what was learnt so far, as it plays."""

    @abstractmethod
    def warm_up(self) -> None:
        """Compile or load the kernels of a batch."""

    @abstractmethod
    def learned_state(self) -> dict[str, Any]:
        """Returns what was learnt and what learning continues from, as JSON values."""

    @abstractmethod
    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from what `learned_state` returned."""

    def ask(self) -> Sequence[TrainingTask]:
        """Returns the batches of episodes and, if a check is due, its games."""
        return [*self.episode_batches(), *self._checks()]

    def tell(self, results: Sequence[Any]) -> Report:
        """Keep the snapshot if the check finds it better, then learn."""
        batches, checks = len(self.episode_batches()), self._checks()
        sums: Sequence[Sums] = results[batches:]
        if checks:
            mean = sum(sums, Sums()).mean
            if self._kept is None or mean > self._kept.mean:
                self._kept = CheckedWeights(self.current(), mean)
        learnt = self.learn(results[:batches])
        games = len(learnt.brought) + sum(task.games for task in checks)
        self._games += games
        self.generation += 1
        kept = {"kept": self._kept.mean} if self._kept else {}
        return Report(self.generation, games, {**spread(np.asarray(learnt.brought)), **learnt.figures, **kept})

    def state(self) -> Mapping[str, Any]:
        """Returns what was learnt and the best snapshot. All randomness comes from the seed and the generation."""
        kept = self._kept and {"weights": _plain(self._kept.weights), "mean": self._kept.mean}
        return {"generation": self.generation, "games": self._games, "kept": kept, "knowledge": self.learned_state()}

    def resumed(self, state: Mapping[str, Any]) -> Self:
        """Returns this trainer, now in the given state."""
        self.generation, self._games = stored_count(state["generation"]), stored_count(state["games"])
        kept = state["kept"]
        self._kept = kept and CheckedWeights(
            Weights.model_validate_json(json.dumps(kept["weights"])), float(stored(kept["mean"]))
        )
        self.load_state(state["knowledge"])
        return self

    def individuals(self) -> Sequence[Weights]:
        """Returns what was learnt so far."""
        return [self.current()]

    def final(self) -> Sequence[TrainingTask]:
        """Returns the games of each of the last two: those that choose, then those that measure."""
        return self._final().tasks()

    def champion(self, results: Sequence[Any]) -> Weights:
        """Returns the chosen one, with the result of the games that did not choose it."""
        final = self._final()
        best, sums = final.best(results)
        provenance = Provenance(
            method=f"{self.method}, {counted(self.generation, 'generation')}; {described(self.fitness)}",
            seed=self.fitness.seed,
            games=self._games,
            results=(measured(self.final_fitness, sums),),
        )
        return self.signed(final.favourites[best], provenance)

    def signed(self, weights: Weights, provenance: Provenance) -> Weights:
        """Returns the weights with the provenance of what was learnt."""
        return weights.model_copy(update={"provenance": provenance})

    def provenance_of(self, weights: Weights) -> Provenance:
        """Returns the provenance of what was learnt, from weights that `champion` returned."""
        return weights.provenance

    def seeds(self, count: int) -> list[int]:
        """Returns a seed for each of `count` batches of the current generation."""
        first = LEARNING + self.generation * count
        return [seed_of(self.fitness.seed, number) for number in range(first, first + count)]

    def _checks(self) -> list[TrainingTask]:
        if self.generation == 0 or self.generation % self._check_every:
            return []
        [(first, end)] = self.fitness.rounds(self.generation)
        return [unit_task(unit) for unit in self.fitness.units((self.current(),), first, end)]

    def _final(self) -> FinalGames:
        current = self.current()
        best = [] if self._kept is None or self._kept.weights == current else [self._kept.weights]
        return FinalGames(self.final_fitness, [*best, current])


def _plain(weights: Weights) -> dict[str, Any]:
    plain: dict[str, Any] = weights.model_dump(mode="json", exclude_defaults=True)
    return plain
