"""What every training method is to the run that drives it: it asks for work and is told what came of it.

Knows no file, no executor and no method. A run is a row of generations; between two of them a trainer is its `state`
and nothing else, so that a run can end at any moment and go on as if it had not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class Task:
    """One independent piece of work: `work(argument)` in any process; both can be pickled. `games` it will play."""

    work: Callable[[Any], Any]
    argument: Any
    games: int


@dataclass(frozen=True, slots=True)
class Report:
    """One finished generation, for people and for history.jsonl.

    `figures` are floats by name: at least `best` and `mean` of the generation's fitness, `low95` and `high95` of that
    mean. `fitness` holds one number per individual, in order; `weights` the vector that would be exported now.
    """

    generation: int
    games: int
    figures: Mapping[str, float]
    fitness: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()


class Trainer(Protocol):
    """A method at work. Everything random in it comes from generators that `state` holds."""

    @property
    def generation(self) -> int:
        """How many generations are finished."""

    def ask(self) -> Sequence[Task]:
        """The work of the generation under way, or of its next round; the same again until told."""

    def tell(self, results: Sequence[Any]) -> Report | None:
        """What the tasks returned, in their order; a report where that finished the generation, else None."""

    def state(self) -> Mapping[str, Any]:
        """All that the trainer is between two generations, as JSON values; floats come back exactly."""

    def individuals(self) -> Sequence[Weights]:
        """Who plays in the generation under way, to be watched."""

    def final(self) -> Sequence[Task]:
        """Games on fresh seeds that tell what was reached, once no generation is to follow."""

    def champion(self, results: Sequence[Any]) -> Weights:
        """The weights to export, with their provenance and what `final` measured of them, interval included."""
