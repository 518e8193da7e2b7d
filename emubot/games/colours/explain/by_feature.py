"""Values of two plies: what each feature of the field after both pairs adds; knows no text and no picture."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.explanation import DepthValue, Part
from emubot.games.colours.board.cells_bounds import Limits
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.evaluation.features import FEATURES, SCALES, VALUES_AT
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES
from emubot.games.colours.explain.built import Trigger
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.explain.notation import placement_name
from emubot.games.colours.explain.pair_board import After, PairBoard
from emubot.games.colours.explain.valued import LOST, Valued
from emubot.games.colours.rules import COLORS
from emubot.games.colours.search.search import Position
from emubot.games.colours.search.two_plies import DEAD, Pair, colors_in

BEYOND: Final = "network"  # what weights that are not linear add


class FeatureEvaluator:
    """Values placements as a search of two plies does."""

    unit = ""
    meaning = "the sum of weight times feature, of the field after this pair and the best placement of the next one"
    field_unit = ""

    def __init__(self, scales: Scales, position: Position, board: PairBoard, limits: Limits) -> None:
        """`scales` are those of evaluation.py, with the weights in front."""
        self._scales, self._position, self._board, self._limits = scales, position, board, limits
        colored = (position.cells > 0) & (position.cells <= COLORS)
        self._laid = int(np.count_nonzero(colored)) + _colors(position.pair)

    def valued(self, place: Place, after: After) -> Valued:
        """See Evaluator."""
        alone, parts = self._value(after, after.points, self._laid)
        following = self._position.following[:1]
        if not following or after.lost:
            return Valued(parts, (DepthValue(1, alone),))
        best, next_name = None, None
        for second in self._board.placements(after.cells, following[0], self._limits):
            last = self._board.lock(after.cells, second, following[0])
            found = self._value(last, after.points + last.points, self._laid + _colors(following[0]))
            if best is None or found[0] > best[0]:
                best = found
                next_name = placement_name(after.cells, following[0], second, self._board.rules)
        if best is None:  # a Big Puyo without room stays where it appears
            best = (alone, parts)
        return Valued(best[1], (DepthValue(1, alone), DepthValue(2, best[0])), next_name)

    def field_parts(self, after: After, place: Place, triggers: list[Trigger]) -> tuple[Part, ...]:
        """See Evaluator: the features are parts of the placement's own value."""
        return ()

    def chain_value(self, trigger: Trigger) -> float:
        """Returns the points; of equal chains that of fewer puyos is better."""
        return trigger.points - trigger.puyos / 10

    def _value(self, after: After, points: int, laid: int) -> tuple[float, tuple[Part, ...]]:
        """Returns the value of a field and its parts; `points` and `laid` as for `evaluate`."""
        scales = self._scales
        value = self._board.value(after.cells, points, laid, self._limits, scales)
        amounts = scales[VALUES_AT:SCALES]
        parts = [
            Part(FEATURE_NAMES[index], float(scales[index] * amounts[index]), float(amounts[index]))
            for index in np.flatnonzero(scales[:FEATURES])
        ]
        beyond = value - sum(part.value for part in parts)
        if len(scales) > SCALES + 1:
            parts.append(Part(BEYOND, beyond))
        if after.lost:
            value += DEAD
            parts.append(Part(LOST, DEAD))
        return value, tuple(parts)


def _colors(pair: Pair) -> int:
    return int(colors_in(pair[0]))
