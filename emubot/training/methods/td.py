"""Temporal-difference learning of afterstate value tables, to which the family gives their meaning.

A generation is a fixed number of learners. Each starts from the same tables and plays its own games. Then their tables
are merged: an entry's new value is the mean of theirs, weighted by how much each learnt about the entry, and what they
learnt is added up. Nothing of this was published for the systems that this project learns from. All defaults are our
choice, by their results (docs/measurements/training.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.training.fitness import Fitness
from emubot.training.learning import LearningOutcome, LearningTrainer
from emubot.training.optimiser import between, whole
from emubot.training.state import packed_array, unpacked_array
from emubot.training.trainer import TrainingTask
from emubot.trials.evaluation.contest import Contest
from emubot.weights import Weights

# The rows of the tables: values, sums of the learnt differences, sums of the sizes of these differences.
_VALUES, _DIFFERENCES, _SIZES = range(3)
_VALUE_DECIMALS: Final = 6  # of the tables between two generations, so that they are short in files
_SUM_DECIMALS: Final = 3

Known = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TdSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    learners: int = 2  # per generation
    pieces: int = 500_000  # that each learner drops in a generation
    rate: float = 1.0  # share of a difference that is learnt, divided among all entries of a board
    gamma: float = 0.98  # discount: the weight of the next drop's value
    line_reward: float = 0.0  # on top of what each drop earns
    check_every: int = 2  # generations between two checks of what was learnt

    def __post_init__(self) -> None:
        whole("number of learners", self.learners, 1, 1000)
        whole("number of pieces of a batch", self.pieces, 1, 1_000_000_000)
        between("rate", self.rate, 0, 2)
        between("gamma", self.gamma, 0, 1)
        between("line reward", self.line_reward, -1e6, 1e6)


@runtime_checkable
class Tabular(Protocol):
    """A trial with game tables that can be learnt."""

    def fresh_tables(self) -> Known:
        """Returns untrained tables: float64 (3, entries), values, sums of differences, sums of their sizes."""

    def learn_tables(
        self, known: Known, seed: int, pieces: int, rate: float, gamma: float, line_reward: float
    ) -> tuple[Known, NDArray[np.int64], float]:
        """Returns the tables after `pieces` pieces, each game's figure, and the mean size of the differences."""

    def weights_of_tables(self, values: NDArray[np.float64], line_reward: float) -> Weights:
        """Returns the weights that play by these values, float64 (entries,)."""


@dataclass(frozen=True, slots=True)
class TdBatch:
    """The games of one learner."""

    contest: Contest
    known: Known
    seed: int
    settings: TdSettings


class TdTrainer(LearningTrainer):
    """The running method. `fitness` gives the contest, the seed and the games of a check, not the features."""

    def __init__(self, settings: TdSettings, fitness: Fitness, final: Fitness) -> None:
        """Raises UsageError if the games have no tables."""
        super().__init__(fitness, final, "td", settings.check_every)
        self.settings = settings
        self._trial = _tabular(fitness.contest)
        self._known = self._trial.fresh_tables()

    def episode_batches(self) -> Sequence[TrainingTask]:
        """Returns one batch for each learner."""
        contest, settings = self.fitness.contest, self.settings
        seeds = self.seeds(settings.learners)
        return [TrainingTask(play_episodes, TdBatch(contest, self._known, seed, settings), 1) for seed in seeds]

    def learn(self, results: Sequence[tuple[Known, NDArray[np.int64], float]]) -> LearningOutcome:
        """Merge the learners' tables."""
        brought = [float(value) for _, values, _ in results for value in values]
        difference = float(np.mean([size for _, _, size in results]))
        self._known = merged(self._known, [known for known, _, _ in results])
        pieces = self.settings.pieces * self.settings.learners
        return LearningOutcome(brought, {"moves": pieces / len(brought), "loss": difference})

    def current(self) -> Weights:
        """Returns the weights of the current tables."""
        return self._trial.weights_of_tables(self._known[_VALUES], self.settings.line_reward)

    def warm_up(self) -> None:
        """Compile or load the kernels of a batch."""
        settings = self.settings
        tabular = _tabular(self.fitness.contest)
        tabular.learn_tables(tabular.fresh_tables(), 0, 1, settings.rate, settings.gamma, settings.line_reward)

    def learned_state(self) -> dict[str, Any]:
        """Returns the settings, and the tables with what is known of each entry."""
        return {"settings": asdict(self.settings), "tables": packed_array(self._known)}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from these tables."""
        self.settings = TdSettings(**state["settings"])
        self._known = unpacked_array(state["tables"], *self._known.shape)


def play_episodes(batch: TdBatch) -> tuple[Known, NDArray[np.int64], float]:
    """Play one learner's games; works in any process that can load the family."""
    settings = batch.settings
    return _tabular(batch.contest).learn_tables(
        batch.known, batch.seed, settings.pieces, settings.rate, settings.gamma, settings.line_reward
    )


def merged(before: Known, learners: Sequence[Known]) -> Known:
    """Returns the merged, rounded tables of all learners that began with `before`, float64 (3, entries)."""
    learnt = np.array([known[_SIZES] - before[_SIZES] for known in learners])
    total = learnt.sum(axis=0)
    moved = sum(share * (known[_VALUES] - before[_VALUES]) for share, known in zip(learnt, learners, strict=True))
    values = before[_VALUES] + np.divide(moved, total, out=np.zeros_like(total), where=total > 0)
    sums = before[_DIFFERENCES:] + sum(known[_DIFFERENCES:] - before[_DIFFERENCES:] for known in learners)
    return np.concatenate([np.round(values, _VALUE_DECIMALS)[np.newaxis], np.round(sums, _SUM_DECIMALS)])


def _tabular(contest: Contest) -> Tabular:
    trial = contest.trial()
    if not isinstance(trial, Tabular):
        raise UsageError("td learns value tables, which only the rules textbook have: choose --rules textbook.")
    return trial
