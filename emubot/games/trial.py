"""Games played flat out to be measured: settings in, a row of figures per game out; knows no executor and no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from emubot.weights import Weights

SUMMED: Final = "nodes"  # a figure of which only the sum over all games is told
# Figures that are 0 or 1 of a game, whatever the rules: their mean is a probability.
SHARES: Final = frozenset({"wins", "draws", "win_rate", "capped", "died", "reached_29"})

# How a lock ended its game: not at all, by losing it, because no more were asked for.
RUNNING, TERMINATED, TRUNCATED = range(3)

Settings = Mapping[str, Any]  # JSON values under the names of their options: {"board": "10x20", "cap_lines": 1000}


class Trial(Protocol):
    """One way of playing: every game is decided by these settings, its seed and its players alone."""

    @property
    def settings(self) -> Settings:
        """All that decides a game, defaults filled in: `rules` first, then the options of those rules."""

    @property
    def figures(self) -> tuple[str, ...]:
        """What is counted of a game, the columns of `play`; the first is what is trained for where nobody says.

        SUMMED among them is no result of a game but what it cost: the boards that were valued.
        """

    @property
    def sides(self) -> int:
        """How many players meet in a game: 1 or 2. Of two, `wins` and `draws` are counted, as the first sees it."""

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """One game for each seed (0 to 2**64 - 1), int64 (len(seeds), len(figures)).

        As many players as there are sides. Raises WeightsError for weights of another game or of other features.
        """

    def warm_up(self) -> None:
        """Compile or load the kernels of these games."""
