"""A unit of work that any process can play, and its seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from emubot.weights import Weights

_Result_co = TypeVar("_Result_co", covariant=True)
_Result = TypeVar("_Result")


class Work(Protocol[_Result_co]):
    """The work of a unit: a picklable description of games that any process can play."""

    def seeds(self, seed: int, numbers: Sequence[int]) -> list[int]:
        """Returns the seeds of games, by their numbers in the run of a seed (`seed_of`, unless games are given)."""

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> _Result_co:
        """Play one game, or one stretch of self-play, for each seed."""


_Work_co = TypeVar("_Work_co", bound=Work[object], covariant=True)


@dataclass(frozen=True, slots=True)
class WorkUnit(Generic[_Work_co]):
    """Games `first` to `end` - 1 of a run. A game's seed depends only on `seed` and its number, not on the process."""

    work: _Work_co
    players: tuple[Weights, ...]
    seed: int
    first: int
    end: int


def play_unit(unit: WorkUnit[Work[_Result]]) -> _Result:
    """Play a unit; works in any process that can load the family."""
    return unit.work.play(unit.players, unit.work.seeds(unit.seed, range(unit.first, unit.end)))


def seeds_of(seed: int, numbers: Sequence[int]) -> list[int]:
    """Returns the seeds of these games of a run."""
    return [seed_of(seed, number) for number in numbers]


def seed_of(seed: int, index: int) -> int:
    """Returns the seed of game `index` of a run, 0 to 2**64 - 1; all games, also of other runs, are independent."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])
