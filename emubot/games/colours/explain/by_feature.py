"""Values of two plies: what each feature of the field after both pairs adds; knows no text and no picture."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.explanation import DepthValue, Part
from emubot.games.colours.board.anyboard_bounds import Limits
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.evaluation.features import FEATURES, SCALES, VALUES_AT
from emubot.games.colours.evaluation.puyo_names import FEATURE_NAMES
from emubot.games.colours.explain.built import Trigger
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.explain.notation import placement_name
from emubot.games.colours.explain.pair_board import After, PairBoard
from emubot.games.colours.explain.valued import LOST, Valued
from emubot.games.colours.rules import COLORS
from emubot.games.colours.search.anyboard_search import AnySearch
from emubot.games.colours.search.search import Position
from emubot.games.colours.search.two_plies import DEAD, Pair, colors_in

BEYOND: Final = "network"  # what weights that are not linear add
THIRD: Final = "the third pair"
_MEANING: Final = "the sum of weight times feature, of the field after this pair and the best placement of the next one"
_COMING: Final = "those that may come"


class ThirdPair:
    """What placements are worth if a third pair is looked at, as a mean over the pairs that may come."""

    def __init__(self, search: AnySearch, position: Position, limits: Limits) -> None:
        self._search, self._position, self._limits = search, position, limits

    def best_way(self, place: Place) -> tuple[Place, float]:
        """Returns where the best way puts the next pair, which must be known, and what it is worth."""
        position, ways = self._position, self._search.memory.ways
        values, _ = self._search.rank(
            position.cells, position.pair, position.following, np.array([place]), position.pending, self._limits
        )
        leaf = ways.leaves[int(np.argmax(ways.worth == values[0]))]
        return (int(leaf[1]), int(leaf[2])), float(values[0])


class FeatureEvaluator:
    """Values placements as a search of two plies does; with `third` as one that looks at a third pair."""

    unit = ""
    field_unit = ""

    def __init__(
        self, scales: Scales, position: Position, board: PairBoard, limits: Limits, third: ThirdPair | None = None
    ) -> None:
        """`scales` are those of evaluation.py, with the weights in front."""
        self._scales, self._position, self._board, self._limits, self._third = scales, position, board, limits, third
        self.search = "two plies" if third is None else "three plies"
        self.meaning = _MEANING if third is None else f"{_MEANING}, and what {THIRD} changes, as a mean over {_COMING}"
        colored = (position.cells > 0) & (position.cells <= COLORS)
        self._laid = int(np.count_nonzero(colored)) + _colors(position.pair)

    def valued(self, place: Place, after: After) -> Valued:
        """See Evaluator."""
        alone, parts = self._value(after, after.points, self._laid)
        following = self._position.following[:1]
        if not following or after.lost:
            return Valued(parts, (DepthValue(1, alone),))
        best: tuple[float, tuple[Part, ...]] | None = None
        way: Place = ()
        for second in self._board.placements(after.cells, following[0], self._limits):
            found = self._after_both(after, second, following[0])
            if best is None or found[0] > best[0]:
                best, way = found, second
        if best is None:  # a Big Puyo without room stays where it appears
            return Valued(parts, (DepthValue(1, alone), DepthValue(2, alone)))
        depths: tuple[DepthValue, ...] = (DepthValue(1, alone), DepthValue(2, best[0]))
        parts = best[1]
        if self._third is not None:
            way, value = self._third.best_way(place)
            before, parts = self._after_both(after, way, following[0])
            parts += (Part(THIRD, value - before),)
            depths += (DepthValue(3, value),)
        return Valued(parts, depths, placement_name(after.cells, following[0], way, self._board.rules))

    def _after_both(self, after: After, second: Place, pair: Pair) -> tuple[float, tuple[Part, ...]]:
        """Returns the value of the field after the next pair too, and its parts."""
        last = self._board.lock(after.cells, second, pair)
        return self._value(last, after.points + last.points, self._laid + _colors(pair))

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
