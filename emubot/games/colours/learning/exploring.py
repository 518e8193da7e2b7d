"""Chooses inputs for a pair that is not known well enough, so that its lock shows more; predicts no placement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from emubot.games.colours.learning.hypotheses import Hypothesis, Kinds
from emubot.games.colours.rules import EMPTY, SATELLITE

_HIGH: Final = 9  # columns higher than this are avoided for experiments, on a low field those higher than
_SPARE: Final = 4  # rows below its top


def turns_to_try(hypotheses: Sequence[Hypothesis], turned: Mapping[int, int], raw: int) -> int:
    """Returns how many clockwise turns lead to an orientation that was not locked with two colours yet.

    `turned` gives the raw orientation after a turn, for those that were seen; `raw` is the piece's own.
    """
    stances = hypotheses[0].stances
    for turns in range(len(SATELLITE)):
        if raw not in stances or any(hypothesis.stances.get(raw) != stances[raw] for hypothesis in hypotheses):
            return turns
        if raw not in turned:
            return turns + 1
        raw = turned[raw]
    return 0


def column_for_pair(cells: Kinds, own: set[int], here: int) -> int:
    """Returns a column with room on both sides, where little can pop, low if possible; `own` are the pair's kinds."""
    heights, high = (cells != EMPTY).sum(axis=0), min(_HIGH, len(cells) - _SPARE)

    def cost(column: int) -> tuple[bool, int, int]:
        around = heights[column - 1 : column + 2]
        way = heights[min(column, here) : max(column, here) + 1]
        return bool(max(way.max(), around.max()) > high), _touching(cells, own, column), int(around.max())

    return min(range(1, len(heights) - 1), key=cost)


def column_for_item(cells: Kinds, here: int) -> int:
    """Returns a column where an item shows its effect: where there are puyos to clear or to recolour."""
    heights, high = (cells != EMPTY).sum(axis=0), min(_HIGH, len(cells) - _SPARE)

    def cost(column: int) -> tuple[bool, bool, bool, int]:
        way, own = heights[min(column, here) : max(column, here) + 1], heights[column : column + 2]
        return bool(own.max() == 0), bool(own.min() == 0), bool(way.max() > high), abs(column - here)

    return min(range(len(heights) - 1), key=cost)


def _touching(cells: Kinds, own: set[int], column: int) -> int:
    """Returns the number of cells of these kinds that a pair could touch in this column or beside it."""
    mine = np.isin(cells, list(own))
    found = 0
    for x in range(column - 1, column + 2):
        top = len(cells) - int((cells[:, x] != EMPTY).sum())
        found += int(mine[max(top - 2, 0) : top + 1, max(x - 1, 0) : x + 2].sum())
    return found
