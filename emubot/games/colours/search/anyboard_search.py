"""The search of the room: two plies of the visible pairs by the family's features; knows no RAM and no bridge."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.colours.board.cells_bounds import Limits, bounds_of, limits_of, scratch_of
from emubot.games.colours.board.cells_field import field_of
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.rules import Rules
from emubot.games.colours.search.anyboard_plies import rank_placements
from emubot.games.colours.search.engine import builds, check_features
from emubot.games.colours.search.search import Ranked
from emubot.games.colours.search.two_plies import UNKNOWN, Pair
from emubot.weights import Weights


class AnySearch:
    """Values placements under fixed rules by a file's own values, those of its features of the field."""

    def __init__(self, rules: Rules, weights: Weights) -> None:
        """Raises WeightsError for weights of other features, or of chains that are built."""
        check_features(weights)
        if builds(weights):
            raise WeightsError(
                "These weights value chains that are built on 6 columns: choose weights of the field's features, such "
                "as famicom_puyo."
            )
        self._rules, self._bounds, self._scratch = rules, bounds_of(rules), scratch_of(rules)
        self._scales = scales_of(weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION))
        self._open = limits_of(rules)

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
        for `limits` (bounds.py). Raises ValueError if the field does not fit the rules.
        """
        field, heights = field_of(cells, self._rules)
        values = np.zeros(len(candidates))
        nodes = rank_placements(
            field,
            heights,
            np.ascontiguousarray(candidates, dtype=np.int64).reshape(-1, 2),
            pair,
            following[0] if following else (UNKNOWN, UNKNOWN),
            pending,
            self._open if limits is None else limits,
            self._bounds,
            self._scales,
            self._scratch,
            values,
        )
        return values, int(nodes)
