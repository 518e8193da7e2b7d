"""The field of pairs of any size as explanations need it: placements, locks, chains, values; knows no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.anyboard_bounds import Limits, bounds_of, scratch_of
from emubot.games.colours.board.anyboard_field import (
    Field,
    Heights,
    drop_piece,
    field_of,
    is_dead,
    pop_groups,
    rain,
    resolve,
)
from emubot.games.colours.evaluation.anyboard_features import columns_entered, evaluate
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.explain.chosen import Place
from emubot.games.colours.reach.entry import columns_for
from emubot.games.colours.rules import ORIENTATIONS, Rules
from emubot.games.colours.scoring import nuisance_falling
from emubot.games.colours.search.two_plies import Pair

Cells: TypeAlias = NDArray[np.uint8]  # (stored rows, columns), the hidden rows first


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """The settled field after a placement, its chain and full rows of pending nuisance, and that chain.

    If it is `lost`, the next pair cannot appear.
    """

    cells: Cells
    chain: int
    points: int
    lost: bool
    won: bool = False  # pairs have no goal


class PairBoard:
    """Plays on settled fields under fixed rules. Its memory is for one thread."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._bounds, self._scratch = bounds_of(rules), scratch_of(rules)

    def settled(self, cells: NDArray[Any]) -> Cells:
        """Returns a field without holes. Raises ValueError for a wrong shape or kind."""
        return _cells(field_of(cells, self.rules)[0])

    def lock(self, cells: Cells, place: Place, pair: Pair, pending: int = 0) -> After:
        """Returns the field after a pair at (orientation, column); full rows of `pending` nuisance fall after it."""
        field, heights = _stacks(cells)
        drop_piece(field, heights, place[0], place[1], *pair)
        chain, points = resolve(field, heights, self._bounds, self._scratch)
        rain(field, heights, nuisance_falling(self._bounds.table, pending, chain) // self.rules.columns)
        return After(_cells(field), int(chain), int(points), bool(is_dead(field, self._bounds)))

    def chain(self, field: Field, heights: Heights) -> tuple[int, int]:
        """Returns the length and the points of the chain that begins on a field, which is resolved in place."""
        chain, points = resolve(field, heights, self._bounds, self._scratch)
        return int(chain), int(points)

    def steps(self, cells: Cells) -> NDArray[np.int64]:
        """Returns the step in which each cell of a settled field pops, 0 for never, int64 as `cells`."""
        field, heights = _stacks(cells)
        scratch, step = self._scratch, 0
        levels = np.repeat(np.arange(len(field))[:, None], self.rules.columns, axis=1)  # where each cell was at first
        steps = np.zeros(field.shape, dtype=np.int64)
        scratch.changed[:] = 0
        while True:
            stacks = heights.copy()
            if not pop_groups(field, heights, self._bounds, scratch, step + 1):
                return np.ascontiguousarray(steps[::-1])
            step += 1
            popped = scratch.marks == scratch.stamp[0] + 1
            for column, stack in enumerate(stacks):
                gone = popped[:stack, column]
                steps[levels[:stack, column][gone], column] = step
                levels[: heights[column], column] = levels[:stack, column][~gone]

    def value(self, cells: Cells, points: int, laid: int, limits: Limits, scales: Scales) -> float:
        """Returns what `evaluate` returns; it writes the features into `scales`."""
        field, heights = _stacks(cells)
        return float(evaluate(field, heights, points, laid, limits, self._bounds, scales, self._scratch))

    def placements(self, cells: Cells, pair: Pair, limits: Limits) -> list[Place]:
        """Returns the placements of a pair from the spawn, by orientation and column, as the search has them."""
        heights = np.count_nonzero(cells, axis=0)
        entered = int(columns_entered(heights, limits, self._bounds, 0))
        found: list[Place] = []
        for orientation in range(ORIENTATIONS):
            columns = int(columns_for(entered, orientation, *pair))
            found += [(orientation, column) for column in range(self.rules.columns) if columns >> column & 1]
        return found


def _stacks(cells: Cells) -> tuple[Field, Heights]:
    """Returns a settled field from the floor up, to be changed, and its heights."""
    return cells[::-1].copy(), np.count_nonzero(cells, axis=0)


def _cells(field: Field) -> Cells:
    return np.ascontiguousarray(field[::-1])
