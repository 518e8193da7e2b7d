"""Untimed games to be measured: settings in, a row of figures per game out; knows no executor and no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emubot.weights import Weights

SUMMED: Final = "nodes"  # this figure is reported only as a sum over all games
# Figures that are 0 or 1 for each game, under any rules: their mean is a probability.
SHARES: Final = frozenset(
    {"wins", "draws", "win_rate", "capped", "died", "reached_29", "completed", "reborn", "crashed"}
)

# The state of a game after a lock: it goes on, it is lost, or it was stopped at its number of pieces.
RUNNING, TERMINATED, TRUNCATED = range(3)

Settings = Mapping[str, Any]  # JSON values under the names of their options: {"board": "10x20", "cap_lines": 1000}


class Trial(Protocol):
    """One way of playing. A game depends only on these settings, its seed and its players."""

    @property
    def settings(self) -> Settings:
        """All settings of a game, defaults included: `rules` first, then the options of those rules."""

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a game, the columns of `play`. The first is the default fitness of training.

        SUMMED among them is not a result but a cost: the number of boards evaluated.
        """

    @property
    def sides(self) -> int:
        """The number of players in a game, 1 or 2. With 2, figures include the first player's `wins` and `draws`."""

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed (0 to 2**64 - 1); returns int64 (len(seeds), len(figures)).

        There are as many players as sides. Raises WeightsError if weights are for another game or other features.
        """

    def warm_up(self) -> None:
        """Compile or load the kernels of these games."""


@runtime_checkable
class Listed(Protocol):
    """A trial that may have its games in a list; then the seeds of `play` are their numbers, from 0."""

    @property
    def listed(self) -> int | None:
        """The number of games in the list; None if games are dealt by seeds."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Games that players of this family are compared by; `weights` None means the family's own.

    `against` names the weights of the opponent in battles, of which only the file's own values play, not its sets; None
    means games of one player. `figure` is what the row is about; None means the win rate of battles, else the trial's
    first figure.
    """

    name: str
    rules: str
    options: Settings = field(default_factory=dict)
    weights: str | None = None
    against: str | None = None
    figure: str | None = None

    @property
    def sides(self) -> int:
        """The number of players in a game, 1 or 2."""
        return 1 if self.against is None else 2


@runtime_checkable
class Compared(Protocol):
    """A family that says what it is compared by: `bench`."""

    def speeds(self) -> Mapping[str, float]:
        """Returns amounts of work that one core does in a second of CPU time, by name; takes a few seconds."""

    def comparisons(self) -> Sequence[Comparison]:
        """Returns the games of its table of strength, with distinct names."""
