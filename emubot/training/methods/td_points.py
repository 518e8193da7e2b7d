"""Temporal-difference learning of tables of the points to come; the family plays, learns and packs.

The tables are added to whole weights, whose other parts stay. First the features of these weights choose the moves, and
the tables learn what boards are worth. Then the tables choose. At last the tables rest, and a network learns what they
miss. A generation is one block of pieces, learnt from in one process, because each difference depends on all that were
learnt before. The settings are our own, by their results
(docs/measurements/tetris.md).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.training.fitness import Fitness
from emubot.training.learning import LearningOutcome, LearningTrainer
from emubot.training.optimiser import between, whole
from emubot.training.state import packed_array, unpacked_array
from emubot.training.trainer import TrainingTask
from emubot.trials.evaluation.contest import Contest
from emubot.weight_parts import MOST_WEIGHT, PointTables, Provenance
from emubot.weights import Weights

_NAME: Final = "td"

Known = NDArray[np.float64]  # (3, entries): values, and what the family has learnt besides of each


@dataclass(frozen=True, slots=True)
class PointTdSettings:
    """The method's settings. Raises UsageError if a value makes no sense."""

    pieces: int = 100_000  # of a generation
    taught: int = 8  # generations in which the features choose the moves
    coarse: int = 4  # first generations in which the largest tables rest
    until: tuple[int, ...] = (200,)  # generations up to which each rate but the last holds
    rates: tuple[float, ...] = (0.3, 0.1)  # share of a difference, divided among a board's entries
    tables: int = 250  # generations in which the tables learn; 0 takes those that the weights have
    network_until: tuple[int, ...] = (50, 80)  # generations of the network up to which each step but the last holds
    steps: tuple[float, ...] = (0.03, 0.01, 0.003)  # of the network's weights
    check_every: int = 10  # generations between two checks of what was learnt

    def __post_init__(self) -> None:
        whole("number of pieces of a generation", self.pieces, 1, 100_000_000)
        whole("number of generations that are taught", self.taught, 0, 1_000_000)
        whole("number of generations of coarse tables", self.coarse, 0, 1_000_000)
        whole("number of generations of tables", self.tables, 0, 1_000_000)
        for rate in (*self.rates, *self.steps):
            between("rate", rate, 0, 2)
        _check_plan("rates", self.rates, "until", self.until)
        _check_plan("steps", self.steps, "network_until", self.network_until)

    def rate(self, generation: int) -> float:
        """Returns the rate of a generation, counted from 0: that of the tables, or the step of the network."""
        if generation < self.tables:
            return self.rates[bisect_right(self.until, generation)]
        return self.steps[bisect_right(self.network_until, generation - self.tables)]


@runtime_checkable
class Pointed(Protocol):
    """A trial with tables of points that can be learnt."""

    def check_points(self) -> None:
        """Raise UsageError if there can be no tables for these games."""

    def begin_points(self, base: Weights, keep: bool) -> Known:
        """Returns tables to begin with, those that `base` has if `keep`.

        Raises UsageError or WeightsError if `base` cannot have them, or has none.
        """

    def learn_points(
        self, base: Weights, known: Known, seed: int, pieces: int, rate: float, stage: Stage
    ) -> tuple[Known, NDArray[np.float64], Mapping[str, float]]:
        """Returns the tables after `pieces` pieces, the figure of each game that ended, and other figures by name.

        `rate` is the share of a difference that is learnt, or the step of the network.
        """

    def weights_of_points(self, base: Weights, known: Known) -> Weights:
        """Returns `base` with the values of these as its tables for these games; its other parts stay."""

    def points_of(self, weights: Weights) -> PointTables | None:
        """Returns the tables that the weights have for these games."""


class Stage(NamedTuple):
    """Who plays and what learns: if `taught`, the features of the weights choose the moves, else what was learnt.

    If `coarse`, the largest tables rest. If `network`, all tables rest, and a network learns what they miss.
    """

    taught: bool = False
    coarse: bool = False
    network: bool = False


@dataclass(frozen=True, slots=True)
class TdBlock:
    """The pieces of a generation."""

    contest: Contest
    base: Weights
    known: Known
    seed: int
    generation: int
    settings: PointTdSettings


class PointTdTrainer(LearningTrainer):
    """The running method. `fitness` gives the contest, the seed and the games of a check; `base` gets the tables."""

    def __init__(self, settings: PointTdSettings, fitness: Fitness, final: Fitness, base: Weights) -> None:
        """Raises UsageError if these games have no tables, or `base` cannot have them."""
        super().__init__(fitness, final, _NAME, settings.check_every)
        self.settings = settings
        self._base, self._trial = base, _pointed(fitness.contest)
        self._known = self._trial.begin_points(base, keep=settings.tables == 0)

    def episode_batches(self) -> Sequence[TrainingTask]:
        """Returns the block, which is one task."""
        [seed] = self.seeds(1)
        block = TdBlock(self.fitness.contest, self._base, self._known, seed, self.generation, self.settings)
        return [TrainingTask(play_block, block, 1)]

    def learn(self, results: Sequence[tuple[Known, NDArray[np.float64], Mapping[str, float]]]) -> LearningOutcome:
        """Take the block's tables."""
        [(known, brought, figures)] = results
        if not len(brought):
            pieces = self.settings.pieces
            raise UsageError(f"No game ended within {pieces:,} pieces: give a generation more, with --set pieces=N.")
        if not (np.abs(known[0]) <= MOST_WEIGHT).all():
            raise UsageError("The values of the tables grow without end: choose smaller ones with --set rates=A,B,...")
        self._known = known
        return LearningOutcome(brought.tolist(), {"moves": self.settings.pieces / len(brought), **figures})

    def current(self) -> Weights:
        """Returns the weights with the current tables."""
        return self._trial.weights_of_points(self._base, self._known)

    def warm_up(self) -> None:
        """Compile or load the kernels of a block."""
        self._trial.learn_points(self._base, self._known, 0, 1, 0.0, Stage(taught=True, coarse=True))

    def learned_state(self) -> dict[str, Any]:
        """Returns the tables with what is known of each entry."""
        return {"tables": packed_array(self._known)}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from these tables."""
        self._known = unpacked_array(state["tables"], *self._known.shape)

    def signed(self, weights: Weights, provenance: Provenance) -> Weights:
        """Returns the weights with the provenance of the learnt tables; that of the other parts stays."""
        own = self._trial.points_of(weights)
        points = [
            each.model_copy(update={"provenance": provenance}) if each is own else each for each in weights.points
        ]
        return weights.model_copy(update={"points": tuple(points)})

    def provenance_of(self, weights: Weights) -> Provenance:
        """Returns the provenance of the learnt tables."""
        own = self._trial.points_of(weights)
        return weights.provenance if own is None else own.provenance


def play_block(block: TdBlock) -> tuple[Known, NDArray[np.float64], Mapping[str, float]]:
    """Play the pieces of a generation; works in any process that can load the family."""
    settings, generation = block.settings, block.generation
    return _pointed(block.contest).learn_points(
        block.base,
        block.known,
        block.seed,
        settings.pieces,
        settings.rate(generation),
        Stage(generation < settings.taught, generation < settings.coarse)
        if generation < settings.tables
        else Stage(network=True),
    )


def _pointed(contest: Contest) -> Pointed:
    trial = contest.trial()
    if not isinstance(trial, Pointed):
        raise UsageError("These games have no tables of points that td could learn: choose --rules nes.")
    return trial


def _check_plan(name: str, rates: Sequence[float], until_name: str, until: Sequence[int]) -> None:
    if len(rates) == len(until) + 1 and all(earlier < other for earlier, other in pairwise((0, *until))):
        return
    raise UsageError(
        f"There is one of {name} more than there are generations in {until_name}, which rise: choose {name}=0.3,0.1 "
        f"with {until_name}=20, not {name}={_listed(rates)} with {until_name}={_listed(until)}."
    )


def _listed(numbers: Sequence[float]) -> str:
    return ",".join(map(str, numbers))
