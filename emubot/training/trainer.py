"""The interface between a training method and the run that drives it: `ask` returns work, `tell` takes the results.

A run is a sequence of generations. Between two of them a trainer is its `state` and nothing else. So a run can end at
any moment and continue as if it had not ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from emubot.trials.work import WorkUnit, play_unit
from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """One independent piece of work: `work(argument)` in any process; both can be pickled. It plays `games` games."""

    work: Callable[[Any], Any]
    argument: Any
    games: int


def unit_task(unit: WorkUnit[Any]) -> TrainingTask:
    """Returns the games of a unit as a task."""
    return TrainingTask(play_unit, unit, unit.end - unit.first)


@dataclass(frozen=True, slots=True)
class Report:
    """One finished generation, for people and for history.jsonl.

    `figures` are floats by name: at least `best` and `mean` of the generation's fitness, and `low95` and `high95` of
    that mean. `fitness` has one number per individual, in order; `weights` is the vector that would be exported now.
    """

    generation: int
    games: int
    figures: Mapping[str, float]
    fitness: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()


class Trainer(Protocol):
    """A running method. Everything random in it comes from generators that `state` holds."""

    @property
    def generation(self) -> int:
        """The number of finished generations."""

    def ask(self) -> Sequence[TrainingTask]:
        """Returns the work of the current generation, or of its next round; the same until `tell`."""

    def tell(self, results: Sequence[Any]) -> Report | None:
        """Take the tasks' results in order; return a report if the generation is then finished, else None."""

    def state(self) -> Mapping[str, Any]:
        """Returns all that the trainer is between two generations, as JSON values; floats come back exactly."""

    def individuals(self) -> Sequence[Weights]:
        """Returns the players of the current generation, to watch them."""

    def final(self) -> Sequence[TrainingTask]:
        """Returns games on fresh seeds that measure the result, once no generation follows."""

    def champion(self, results: Sequence[Any]) -> Weights:
        """Returns the weights to export, with their provenance and what `final` measured, interval included."""
