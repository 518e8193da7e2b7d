"""The kernels of lookahead: the current piece, the next one, and the mean over pieces that may follow; knows no RAM.

The value of a way is that of its last field: the weighted sum of the features (matching_features.py). A way on which
the entry of the next piece is blocked is worth DEAD more, one that ends the stage WON more. The pieces after the known
ones are `futures`: a list with a weight for each, whose sum is 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.groups import Cells, Marks, marks_for
from emubot.games.colours.board.matching_cells import resolve
from emubot.games.colours.board.matching_law import Law, blocked, put, rests
from emubot.games.colours.evaluation.matching_features import chance, measure
from emubot.games.colours.evaluation.matching_names import CHAIN, CHANCE, CLEARED, FEATURES, LINES_AT
from emubot.games.colours.evaluation.matching_windows import Masks, masks_for
from emubot.games.colours.matching_rules import TARGET, Rules
from emubot.games.colours.reach.matching_entry import MOST_PLACES, Drops, distinct, fill_drops, fill_tops
from emubot.games.colours.search.ways import Futures, Ways, best_first, hand_down, ways_for
from emubot.jit import Scalar, inlined, lean

DEAD: Final = -1e9
WON: Final = 1e9
SOONER: Final = 1e6  # that a stage is worth more if it is won a piece sooner
MOST_CANDIDATES: Final = 256
_LAYERS: Final = 4  # fields of a search: the one decided on, and one after each piece


class Layers(NamedTuple):
    """The fields on the way of a search: the one decided on, and one after each piece.

    `cells` and `links` are uint8 (layers, rows, columns), `tops` int64 (layers, columns), `moved` int64 (layers, 3):
    cells cleared, chain steps after the first and lines on the way to each layer.
    """

    cells: Cells
    links: Cells
    tops: NDArray[np.int64]
    moved: NDArray[np.int64]
    marks: Marks


class Measures(NamedTuple):
    """The memory of an evaluation: masks and rooms as for `measure`, and the `values` of the features measured last."""

    masks: Masks
    rooms: NDArray[np.int64]
    values: NDArray[np.float64]


class Scratch(NamedTuple):
    """The memory of one search; each thread needs its own. `places` are straight drops by layer.

    Kernels hand on only the parts that they need: each array that a call takes costs time.
    """

    layers: Layers
    measures: Measures
    places: NDArray[np.int64]
    ways: Ways


class Task(NamedTuple):
    """What is decided: int64 `candidates` (n, 3), orientation, column and row, for a piece of these `kinds`.

    `following` is the next piece, kind 0 if it is not known. The best `width` ways two pieces deep are continued by
    every piece of `futures`; 0: none. Rows count from the highest stored row.
    """

    candidates: NDArray[np.int64]
    kinds: NDArray[np.int64]
    following: NDArray[np.int64]
    futures: Futures
    width: Scalar


class Play(NamedTuple):
    """How it is valued: the rules, and a weight for each feature.

    `drops` are the rows that the next piece falls while it is moved (matching_entry.py), `later` those of pieces much
    later: a column counts as closed if these cannot enter it.
    """

    law: Law
    drops: Drops
    later: Drops
    weights: NDArray[np.float64]


def scratch_of(rules: Rules) -> Scratch:
    """Returns the memory of a search under these rules."""
    shape = (_LAYERS, rules.stored_rows, rules.columns)
    return Scratch(
        Layers(
            np.zeros(shape, dtype=np.uint8),
            np.zeros(shape, dtype=np.uint8),
            np.zeros((_LAYERS, rules.columns), dtype=np.int64),
            np.zeros((_LAYERS, 3), dtype=np.int64),
            marks_for(*shape[1:]),
        ),
        Measures(masks_for(rules.stored_rows), np.zeros(rules.columns, dtype=np.int64), np.zeros(FEATURES)),
        np.zeros((_LAYERS, MOST_PLACES, 3), dtype=np.int64),
        ways_for(MOST_CANDIDATES * MOST_PLACES),
    )


@lean
def rank(task: Task, play: Play, scratch: Scratch, found: NDArray[np.float64]) -> Scalar:
    """Write the value of each candidate into `found`; returns the number of fields valued.

    Layer 0 of `scratch` holds the field.
    """
    candidates, following = task.candidates, task.following
    layers, measures, ways, places = scratch.layers, scratch.measures, scratch.ways, scratch.places[1]
    nodes, leaves = np.int64(0), np.int64(0)
    for index in range(len(candidates)):
        state = advance(0, candidates[index], task.kinds, play.law, layers)
        if state != 0.0 or following[0] == 0:
            found[index] = state + leaf_value(1, play, layers, measures)
            nodes += 1
            continue
        count = fill_drops(layers.tops[1], play.law, distinct(following, play.law), play.drops, places)
        best = -np.inf
        for place in range(count):
            value = advance(1, places[place], following, play.law, layers)
            value += leaf_value(2, play, layers, measures)
            best = max(best, value)
            for number in range(3):
                ways.leaves[leaves, 1 + number] = places[place, number]
            ways.leaves[leaves, 0], ways.worth[leaves] = index, value
            leaves += 1
        nodes += count
        found[index] = best if count else DEAD + leaf_value(1, play, layers, measures)
    wide = min(task.width, leaves)
    if wide > 0:
        best_first(ways, leaves, wide)
        highest = ways.worth[ways.order[0]]
        nodes += _continue(wide, task, play, scratch)
        hand_down(ways, leaves, wide, highest, found)
    return nodes


@lean
def _continue(wide: Scalar, task: Task, play: Play, scratch: Scratch) -> Scalar:
    """Value the best ways one piece deeper; returns the number of fields valued. A way that ends keeps its worth."""
    layers, ways, futures = scratch.layers, scratch.ways, task.futures
    nodes = np.int64(0)
    for index in range(wide):
        leaf = ways.order[index]
        before = advance(0, task.candidates[ways.leaves[leaf, 0]], task.kinds, play.law, layers)
        before += advance(1, ways.leaves[leaf, 1:], task.following, play.law, layers)
        if before == 0.0:
            value = 0.0
            for future in range(len(futures.weights)):
                best, count = _best_place(2, futures.kinds[future], play, scratch)
                value += futures.weights[future] * best
                nodes += count
            ways.worth[leaf] = value
    return nodes


@lean
def _best_place(layer: Scalar, kinds: NDArray[np.int64], play: Play, scratch: Scratch) -> tuple[float, Scalar]:
    """Returns the best value of a piece's straight drops on the field of a layer, and their number."""
    layers, measures, places = scratch.layers, scratch.measures, scratch.places[layer]
    count = fill_drops(layers.tops[layer], play.law, distinct(kinds, play.law), play.drops, places)
    best = -np.inf
    for place in range(count):
        value = advance(layer, places[place], kinds, play.law, layers)
        best = max(best, value + leaf_value(layer + 1, play, layers, measures))
    if count == 0:
        return DEAD + leaf_value(layer, play, layers, measures), np.int64(1)
    return best, count


@lean
def advance(layer: Scalar, place: NDArray[np.int64], kinds: NDArray[np.int64], law: Law, layers: Layers) -> float:
    """Lock a piece on the field of a layer, and write the field after it into the next layer.

    Returns DEAD or WON (more if it is sooner) if the game ends so, else 0.
    """
    rows, columns = layers.cells.shape[1:]
    after = layer + 1
    for row in range(rows):
        for column in range(columns):
            layers.cells[after, row, column] = layers.cells[layer, row, column]
            layers.links[after, row, column] = layers.links[layer, row, column]
    cells = layers.cells[after]
    put(cells, layers.links[after], law, place[0], place[1], place[2], kinds)
    chain, lines, removed = np.int64(0), np.int64(0), np.int64(0)
    if not rests(cells, law, place[0], place[1], place[2]):
        chain, lines, removed, _, _ = resolve(cells, layers.links[after], law.match, law.size, layers.marks)
    layers.moved[after, 0] = layers.moved[layer, 0] + removed
    layers.moved[after, 1] = layers.moved[layer, 1] + max(chain - 1, 0)
    layers.moved[after, 2] = layers.moved[layer, 2] + lines
    fill_tops(cells, layers.tops[after])
    if law.staged and removed and _cleared(cells):
        return float(WON - SOONER * after)
    return DEAD if blocked(cells, law) else 0.0


@lean
def _cleared(cells: Cells) -> bool:
    """Returns whether no target is left."""
    rows, columns = cells.shape
    for row in range(rows):
        for column in range(columns):
            if cells[row, column] > TARGET:
                return False
    return True


@inlined
def leaf_value(layer: Scalar, play: Play, layers: Layers, measures: Measures) -> float:
    """Returns the weighted sum of the features of a layer's field and of the moves that led to it."""
    values = measures.values
    cells, tops = layers.cells[layer], layers.tops[layer]
    measure(cells, tops, play.law, play.drops, play.later, measures.masks, measures.rooms, values)
    values[CHANCE] = chance(cells) if play.weights[CHANCE] else 0.0
    values[CLEARED], values[CHAIN], values[LINES_AT] = (
        layers.moved[layer, 0],
        layers.moved[layer, 1],
        layers.moved[layer, 2],
    )
    total: float = 0.0
    for feature in range(FEATURES):
        total += play.weights[feature] * values[feature]
    return float(total)
