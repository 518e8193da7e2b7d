"""Games cut into units of work that any process can play; knows no statistics and no file."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import Settings, Trial
from emubot.trials.units import seed_of
from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: a game, how many meet in it, under which rules and options (those that were asked for)."""

    game: str
    sides: int = 1
    rules: str | None = None
    asked: Settings = field(default_factory=dict)

    def trial(self) -> Trial:
        """The family's way of playing this. Raises UsageError for rules or options that there are not."""
        from emubot.games import game

        return game(self.game).trial(self.sides, self.rules, self.asked)


@dataclass(frozen=True, slots=True)
class Unit:
    """Games `first` to `end` - 1 of the run of `seed`: their seeds depend on nothing else, whoever plays."""

    contest: Contest
    players: tuple[Weights, ...]
    seed: int
    first: int
    end: int


def play_unit(unit: Unit) -> NDArray[np.int64]:
    """Play a unit in any process that can load the family: int64 (games, figures)."""
    seeds = [seed_of(unit.seed, index) for index in range(unit.first, unit.end)]
    return unit.contest.trial().play(unit.players, seeds)
