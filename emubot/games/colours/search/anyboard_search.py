"""The search of pairs on fields of any size by the family's features; knows no RAM and no bridge."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.colours.board.anyboard_bounds import Limits, bounds_of, limits_of
from emubot.games.colours.board.anyboard_field import field_of
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.rules import ORIENTATIONS, Rules
from emubot.games.colours.search.anyboard_plies import MOST_CANDIDATES, Play, Task, memory_of, rank
from emubot.games.colours.search.choice import Ranked
from emubot.games.colours.search.engine import builds, check_features
from emubot.games.colours.search.two_plies import UNKNOWN, Pair
from emubot.games.colours.search.ways import futures_of
from emubot.games.pace import Pace
from emubot.weights import Weights

MOST_NODES: Final = 10_000_000


class AnySearch:
    """Values placements under fixed rules by a file's own values, those of its features of the field.

    A decision values about `nodes` fields: all ways two pairs deep, and with what is left the best of them one pair
    deeper. With `milliseconds` it values as many as the time is enough for; such results do not repeat.
    """

    def __init__(self, rules: Rules, weights: Weights, nodes: int = 0, milliseconds: float | None = None) -> None:
        """Raises WeightsError for weights of other features, or of chains that are built."""
        check_features(weights)
        if builds(weights):
            raise WeightsError(
                "These weights value chains that are built on 6 columns: choose weights of the field's features, such "
                "as famicom_puyo."
            )
        self._rules, self._bounds, self.memory = rules, bounds_of(rules), memory_of(rules)
        self._scales = scales_of(weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION))
        self._open, self._futures = limits_of(rules), futures_of(rules.colors, 2)
        self._nodes = nodes
        self._pace = None if milliseconds is None else Pace(milliseconds, MOST_NODES)

    def rank(
        self,
        cells: NDArray[Any],
        pair: Pair,
        following: tuple[Pair, ...],
        candidates: NDArray[np.int64],
        pending: int = 0,
        limits: Limits | None = None,
    ) -> Ranked:
        """Returns the value of each candidate (orientation, column), float64 (n,), and the number of fields valued.

        `cells` is the field, uint8 (stored rows, columns), hidden rows first; the rest is as in search.Position, but
        for `limits` (anyboard_bounds.py). Raises ValueError if the field does not fit the rules.
        """
        layers = self.memory.layers
        layers.fields[0], layers.heights[0] = field_of(cells, self._rules)
        places = np.ascontiguousarray(candidates, dtype=np.int64).reshape(-1, 2)[:MOST_CANDIDATES]
        next_pair = following[0] if following else (UNKNOWN, UNKNOWN)
        play = Play(self._bounds, self._open if limits is None else limits, self._scales)
        task = Task(places, pair, next_pair, pending, self._futures, 0)
        if self._pace is None:
            return self._rank_within(task, play, self._nodes)
        return self._pace.spend(partial(self._rank_within, task, play))

    def _rank_within(self, task: Task, play: Play, most: int) -> Ranked:
        places = ORIENTATIONS * self._rules.columns  # of a pair, at most
        left = max(most - len(task.candidates) * places, 0)
        task = task._replace(width=left // (places * len(self._futures.weights)))
        values = np.zeros(len(task.candidates))
        return values, int(rank(task, play, self.memory, values))
