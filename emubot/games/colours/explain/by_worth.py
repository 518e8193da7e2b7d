"""Values of the beam: chains fired and to come, and the field's own value by feature; knows no text and no picture."""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.explanation import DepthValue, Part
from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import Cells, board_of, heights_of
from emubot.games.colours.evaluation.building import (
    BUILDING,
    CHAIN,
    CHAIN_SUM,
    HEIGHT,
    SECOND,
    SECOND_CHAIN,
    THIRD,
    TORN,
    TRIGGERS,
    Weighing,
    access_value,
    shape_value,
)
from emubot.games.colours.evaluation.puyo_names import BUILDING_NAMES
from emubot.games.colours.explain.built import Trigger, best_trigger
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.explain.pair_board import After
from emubot.games.colours.explain.valued import LOST, Valued
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import LEFT, RIGHT, Rules
from emubot.games.colours.scoring import LINKING_AT, Table, table_of
from emubot.games.colours.search.beam_search import DEPTH
from emubot.games.colours.search.search import Position, Search
from emubot.games.colours.search.two_plies import DEAD
from emubot.jit import Scalar, kernel

FIRED: Final = "the chain fired now"
LATER: Final = "more, by later chains"


@kernel
def shape_of(cells: Cells, limits: Scalar, table: Table, weights: Weighing) -> float:
    """Returns what `shape_value` and `access_value` add up to, for a cells array."""
    board = board_of(cells)
    heights = heights_of(board)
    shape = shape_value(board, links_of(board, table[LINKING_AT]), heights, table, weights)
    return float(shape + access_value(heights, limits, table, weights))


class WorthEvaluator:
    """Values placements as the beam does, and fields by the features of what chains are built on."""

    search = "beam"
    unit = "points"
    meaning = (
        f"the points of the best chains that the beam reaches within {DEPTH} pairs, less what waiting for them costs, "
        "as a mean over sampled pairs; rather high, because each sample is searched as if it were known"
    )
    field_unit = "hundredths of a chain step"

    def __init__(self, search: Search, weights: Weighing, position: Position, rules: Rules) -> None:
        """`weights` are those of building.py, by which the `search` decides."""
        self._beam, self._weights, self._table, self._position = search, weights, table_of(rules), position
        self._limits = limits_of(rules) if position.limits is None else position.limits

    def valued(self, place: Place, after: After) -> Valued:
        """See Evaluator.

        Each placement is searched alone. So all are searched to the same depth, while the bot's own decision drops most
        of them on the way.
        """
        values, _ = self._beam.rank(self._position, np.array([place]))
        value = float(values[0])
        if value <= DEAD:
            return Valued((Part(LOST, value),), (DepthValue(1, value),))
        fired = float(after.points)
        return Valued((Part(FIRED, fired), Part(LATER, value - fired)), (DepthValue(DEPTH, value),))

    def field_parts(self, after: After, place: Place, triggers: list[Trigger]) -> tuple[Part, ...]:
        """See Evaluator: weight times feature, of the features that count."""
        amounts = self._amounts(after, place, triggers)
        return tuple(
            Part(BUILDING_NAMES[index], float(self._weights[index] * amounts[index]), float(amounts[index]))
            for index in np.flatnonzero(self._weights)
        )

    def chain_value(self, trigger: Trigger) -> float:
        """Returns what the trigger alone adds to the value of its field."""
        weights = self._weights
        value = weights[CHAIN] * trigger.steps + weights[HEIGHT] * trigger.height
        return float(value + (0.0, weights[SECOND], weights[THIRD])[trigger.puyos - 1])

    def _amounts(self, after: After, place: Place, triggers: list[Trigger]) -> Weighing:
        """Returns the value of each feature of building.py."""
        amounts = np.zeros(BUILDING)
        for index in range(BUILDING):  # the shape's value is linear in its weights
            alone = np.zeros(BUILDING)
            alone[index] = 1.0
            amounts[index] = shape_of(after.cells, self._limits, self._table, alone)
        best = best_trigger(triggers, self.chain_value)
        if best is not None:
            others = [trigger.steps for trigger in triggers if trigger is not best]
            amounts[CHAIN], amounts[HEIGHT] = best.steps, best.height
            amounts[SECOND], amounts[THIRD] = best.puyos == 2, best.puyos == 3
            amounts[SECOND_CHAIN] = max(others, default=0)
            amounts[CHAIN_SUM], amounts[TRIGGERS] = best.steps + sum(others), len(triggers)
        amounts[TORN] = self._is_torn(place)
        return amounts

    def _is_torn(self, place: Place) -> bool:
        orientation, column = place
        if orientation not in (RIGHT, LEFT):
            return False
        heights = np.count_nonzero(self._position.cells, axis=0)
        return bool(heights[column] != heights[column + (1 if orientation == RIGHT else -1)])
