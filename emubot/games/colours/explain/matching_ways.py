"""Follows the search of matching games along one placement: the features behind its value; knows no RAM and no text."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.evaluation.matching_names import FEATURES
from emubot.games.colours.reach.matching_entry import distinct, fill_drops
from emubot.games.colours.search.matching_plies import DEAD, Measures, Play, Scratch, Task, advance, leaf_value
from emubot.games.colours.search.ways import best_first
from emubot.jit import Scalar, lean

LOST_AT, WON_AT = FEATURES, FEATURES + 1  # in a row of amounts: what the end of a game or a stage adds
DEPTHS: Final = 3
_TRIED: Final = DEPTHS  # a row of scratch memory


class Way(NamedTuple):
    """Where `follow` writes: float64 (DEPTHS,) `values` and (DEPTHS + 1, FEATURES + 2) `amounts`, a row for each depth.

    An amount is a feature of the field that so many pieces leave; of a third piece the mean over those that may come.
    """

    values: NDArray[np.float64]
    amounts: NDArray[np.float64]


def fresh_way() -> Way:
    """Returns memory for `follow`."""
    return Way(np.zeros(DEPTHS), np.zeros((DEPTHS + 1, FEATURES + 2)))


@lean
def follow(task: Task, play: Play, scratch: Scratch, way: Way) -> tuple[Scalar, Scalar]:
    """Value the only candidate of a task as `rank` does, and write how into `way`, which is zero.

    Returns the number of pieces that count, and the index of the next piece's place in `scratch.places[1]`, or -1.
    Layer 0 of `scratch` holds the field.
    """
    layers, measures, ways = scratch.layers, scratch.measures, scratch.ways
    state = advance(0, task.candidates[0], task.kinds, play.law, layers)
    way.values[0] = state + leaf_value(1, play, layers, measures)
    _note(way, 0, 1.0, state, measures)
    if state != 0.0 or task.following[0] == 0:
        return np.int64(1), np.int64(-1)
    following = task.following
    count = fill_drops(layers.tops[1], play.law, distinct(following, play.law), play.drops, scratch.places[1])
    if count == 0:
        way.values[1] = DEAD + leaf_value(1, play, layers, measures)
        _note(way, 1, 1.0, DEAD, measures)
        return np.int64(2), np.int64(-1)
    for place in range(count):
        value = advance(1, scratch.places[1, place], following, play.law, layers)
        ways.worth[place] = value + leaf_value(2, play, layers, measures)
    wide = min(max(task.width, 1), count)
    best_first(ways, count, wide)
    chosen = ways.order[0]
    way.values[1] = ways.worth[chosen]
    state = advance(1, scratch.places[1, chosen], following, play.law, layers)
    leaf_value(2, play, layers, measures)
    _note(way, 1, 1.0, state, measures)
    if task.width == 0:
        return np.int64(2), chosen
    way.values[2] = -np.inf
    for index in range(wide):
        place = ways.order[index]
        for entry in range(FEATURES + 2):
            way.amounts[_TRIED, entry] = 0.0
        value = _by_third(place, task, play, scratch, way)
        if value > way.values[2]:
            way.values[2], chosen = value, place
            for entry in range(FEATURES + 2):
                way.amounts[2, entry] = way.amounts[_TRIED, entry]
    return np.int64(3), chosen


@lean
def _by_third(place: Scalar, task: Task, play: Play, scratch: Scratch, way: Way) -> float:
    """Returns the value of a place of the next piece by the pieces that may follow, and writes the mean amounts."""
    layers, measures = scratch.layers, scratch.measures
    before = advance(1, scratch.places[1, place], task.following, play.law, layers)
    if before != 0.0:
        leaf_value(2, play, layers, measures)
        _note(way, _TRIED, 1.0, before, measures)
        return float(scratch.ways.worth[place])
    total: float = 0.0
    for future in range(len(task.futures.weights)):
        kinds, share = task.futures.kinds[future], task.futures.weights[future]
        count = fill_drops(layers.tops[2], play.law, distinct(kinds, play.law), play.drops, scratch.places[2])
        best, chosen = -np.inf, 0
        for third in range(count):
            value = advance(2, scratch.places[2, third], kinds, play.law, layers)
            value += leaf_value(3, play, layers, measures)
            if value > best:
                best, chosen = value, third
        if count == 0:
            best = DEAD + leaf_value(2, play, layers, measures)
            _note(way, _TRIED, share, DEAD, measures)
        else:
            state = advance(2, scratch.places[2, chosen], kinds, play.law, layers)
            leaf_value(3, play, layers, measures)
            _note(way, _TRIED, share, state, measures)
        total += share * best
    return total


@lean
def _note(way: Way, row: Scalar, share: Scalar, state: Scalar, measures: Measures) -> None:
    """Add a share of the features that were measured last, and of what the end of the game adds."""
    for feature in range(FEATURES):
        way.amounts[row, feature] += share * measures.values[feature]
    way.amounts[row, LOST_AT if state < 0.0 else WON_AT] += share * state
