"""The best ways two pieces deep, which are followed a piece further, and the pieces that may come; knows no board.

A candidate is worth what its best way is. The candidates none of whose ways is followed keep their distance below the
worst of those that are.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.jit import Scalar, lean

_SAMPLES: Final = 8  # of the pieces that may follow, if there are too many to try each
_MOST_EXACT: Final = 16


class Ways(NamedTuple):
    """Ways two pieces deep: `leaves` int64 (n, 4), the candidate and the next placement of each, and its `worth`.

    `order` is scratch: the best of them first.
    """

    leaves: NDArray[np.int64]
    worth: NDArray[np.float64]
    order: NDArray[np.int64]


class Futures(NamedTuple):
    """Pieces that may come: `kinds` int64 (n, cells), and the weight of each; their sum is 1."""

    kinds: NDArray[np.int64]
    weights: NDArray[np.float64]


@cache
def futures_of(colors: int, cells: int, exchanges: bool = True) -> Futures:
    """Returns the pieces of so many cells that may follow: all of them if they are few, else a fixed sample.

    `exchanges` says that the order of two halves does not matter.
    """
    if colors**cells <= _MOST_EXACT and cells == 2:
        kinds = [one for one in product(range(1, colors + 1), repeat=2) if one[0] <= one[1] or not exchanges]
        weights = np.array([2.0 if exchanges and one != other else 1.0 for one, other in kinds])
        return Futures(np.array(kinds, dtype=np.int64), weights / weights.sum())
    rng = np.random.default_rng(0)
    sample = rng.integers(1, colors + 1, size=(_SAMPLES, cells), dtype=np.int64)
    return Futures(sample, np.full(_SAMPLES, 1.0 / _SAMPLES))


def ways_for(most: int) -> Ways:
    """Returns memory for so many ways."""
    return Ways(np.zeros((most, 4), dtype=np.int64), np.zeros(most), np.zeros(most, dtype=np.int64))


@lean
def best_first(ways: Ways, count: Scalar, wide: Scalar) -> None:
    """Bring the `wide` best of the first `count` ways to the front of the order, of equal ones the earlier first."""
    worth, order = ways.worth, ways.order
    for index in range(count):
        order[index] = index
    for place in range(wide):
        best = place
        for index in range(place + 1, count):
            one, other = order[index], order[best]
            if worth[one] > worth[other] or (worth[one] == worth[other] and one < other):
                best = index
        order[place], order[best] = order[best], order[place]


@lean
def hand_down(ways: Ways, leaves: Scalar, wide: Scalar, highest: Scalar, found: NDArray[np.float64]) -> None:
    """Give the candidates the new worths of the first `wide` ways of the order; `highest` was the best worth before.

    Of the first `leaves` ways, those of one candidate stand together. A candidate without a way, as one that ends the
    game, keeps its worth.
    """
    lowest = np.inf
    for index in range(wide):
        lowest = min(lowest, ways.worth[ways.order[index]])
    before = np.int64(-1)
    for leaf in range(leaves):
        candidate = ways.leaves[leaf, 0]
        if candidate != before:
            found[candidate] -= highest
            found[candidate] += lowest
            before = candidate
    for index in range(wide):
        leaf = ways.order[index]
        candidate, is_first = ways.leaves[leaf, 0], True
        for earlier in range(index):
            is_first = is_first and ways.leaves[ways.order[earlier], 0] != candidate
        if is_first or found[candidate] < ways.worth[leaf]:
            found[candidate] = ways.worth[leaf]
