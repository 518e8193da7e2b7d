"""What is played in a measurement: a game, its sides, rules and options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import Listed, Settings, Trial
from emubot.trials.work import seeds_of
from emubot.weights import Weights


@dataclass(frozen=True, slots=True)
class Contest:
    """A game, the number of its sides, its rules, and the options that differ from the defaults."""

    game: str
    sides: int = 1
    rules: str | None = None
    options: Settings = field(default_factory=dict)

    def trial(self) -> Trial:
        """Returns the family's trial of this contest. Raises UsageError if there are no such rules or options."""
        from emubot.games import game
        from emubot.games.protocol import Measurable, require_part

        family = require_part(game(self.game), Measurable, "games to be measured")
        return family.trial(self.sides, self.rules, self.options)

    def seeds(self, seed: int, numbers: Sequence[int]) -> list[int]:
        """Returns the seeds of games, or their numbers if the trial has them in a list."""
        trial = self.trial()
        if isinstance(trial, Listed) and trial.listed is not None:
            return list(numbers)
        return seeds_of(seed, numbers)

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; returns int64 (games, figures)."""
        return self.trial().play(players, seeds)
