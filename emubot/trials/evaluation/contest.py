"""What is played in a measurement: a game, its sides, rules and options; knows no statistics and no file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import Settings, Trial
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

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; returns int64 (games, figures)."""
        return self.trial().play(players, seeds)
