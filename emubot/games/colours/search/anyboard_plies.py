"""The kernels of lookahead on a field of any size: a pair, the next one, and the mean over pairs that may follow.

The value of a way is that of its last field (evaluation/anyboard_features.py). They know no RAM.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.anyboard_bounds import Bounds, Limits, Scratch, scratch_of
from emubot.games.colours.board.anyboard_field import copy_field, drop_piece, is_dead, rain, resolve
from emubot.games.colours.evaluation.anyboard_features import columns_entered, evaluate
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.reach.entry import columns_for
from emubot.games.colours.rules import BIG, COLORS, ORIENTATIONS, Rules
from emubot.games.colours.scoring import nuisance_falling
from emubot.games.colours.search.two_plies import DEAD, UNKNOWN
from emubot.games.colours.search.ways import Futures, Ways, best_first, hand_down, ways_for
from emubot.jit import Scalar, inlined, lean

MOST_CANDIDATES: Final = 256
_LAYERS: Final = 4  # fields of a search: the one decided on, and one after each piece


class Layers(NamedTuple):
    """The fields on the way of a search: the one decided on, and one after each pair.

    `fields` is uint8 (layers, stored, columns), `heights` int64 (layers, columns). `moved` is int64 (layers, 2): the
    points of the chains on the way to each layer, and the coloured puyos that it would have if nothing had popped.
    """

    fields: NDArray[np.uint8]
    heights: NDArray[np.int64]
    moved: NDArray[np.int64]


class Memory(NamedTuple):
    """The memory of one search; each thread needs its own."""

    layers: Layers
    ways: Ways
    scratch: Scratch


class Task(NamedTuple):
    """What is decided: int64 `candidates` (n, 2), orientation and column, for a `pair`.

    `following` is the next pair, UNKNOWN if it is not known. `pending` nuisance falls between the two. The best `width`
    ways two pairs deep are continued by every pair of `futures`; 0: none.
    """

    candidates: NDArray[np.int64]
    pair: tuple[Scalar, Scalar]
    following: tuple[Scalar, Scalar]
    pending: Scalar
    futures: Futures
    width: Scalar


class Play(NamedTuple):
    """How it is valued: the field's rules, the limits of the pairs to come (anyboard_bounds.py), weights."""

    bounds: Bounds
    limits: Limits
    scales: Scales


def memory_of(rules: Rules) -> Memory:
    """Returns the memory of a search under these rules."""
    shape = (_LAYERS, rules.stored_rows, rules.columns)
    return Memory(
        Layers(
            np.zeros(shape, dtype=np.uint8),
            np.zeros((_LAYERS, rules.columns), dtype=np.int64),
            np.zeros((_LAYERS, 2), dtype=np.int64),
        ),
        ways_for(MOST_CANDIDATES * ORIENTATIONS * rules.columns),
        scratch_of(rules),
    )


@lean
def rank(task: Task, play: Play, memory: Memory, found: NDArray[np.float64]) -> Scalar:
    """Write the value of each candidate into `found`; returns the number of evaluated fields.

    Layer 0 of the memory holds the field. Without `width` this does the same as search_two_plies.
    """
    layers, ways, scratch = memory.layers, memory.ways, memory.scratch
    bounds, following = play.bounds, task.following
    _count_colored(layers)
    nodes, leaves = np.int64(0), np.int64(0)
    for index in range(len(task.candidates)):
        lost = _first(index, task, bounds, layers, scratch)
        best, count = -np.inf, np.int64(0)
        if not lost and following[0] != UNKNOWN:
            entered = columns_entered(layers.heights[1], play.limits, bounds, 0)
            for orientation in range(ORIENTATIONS):
                columns = columns_for(entered, orientation, following[0], following[1])
                for column in range(bounds.columns):
                    if columns >> column & 1:
                        value = _advance(1, orientation, column, following, bounds, layers, scratch)
                        value += _value(2, play, layers, scratch)
                        best = max(best, value)
                        ways.leaves[leaves, 0], ways.worth[leaves] = index, value
                        ways.leaves[leaves, 1], ways.leaves[leaves, 2] = orientation, column
                        leaves += 1
                        count += 1
        if count == 0:
            best, count = _value(1, play, layers, scratch) + (DEAD if lost else 0.0), np.int64(1)
        found[index] = best
        nodes += count
    wide = min(task.width, leaves)
    if wide > 0:
        best_first(ways, leaves, wide)
        highest = ways.worth[ways.order[0]]
        nodes += _continue(wide, task, play, memory)
        hand_down(ways, leaves, wide, highest, found)
    return nodes


@lean
def _continue(wide: Scalar, task: Task, play: Play, memory: Memory) -> Scalar:
    """Value the best ways one pair deeper; returns the number of evaluated fields.

    A way that ends the game keeps its worth.
    """
    layers, ways, scratch = memory.layers, memory.ways, memory.scratch
    futures, nodes = task.futures, np.int64(0)
    for index in range(wide):
        leaf = ways.order[index]
        _first(ways.leaves[leaf, 0], task, play.bounds, layers, scratch)
        place = ways.leaves[leaf]
        lost = _advance(1, place[1], place[2], task.following, play.bounds, layers, scratch)
        if lost == 0.0:
            value = 0.0
            for future in range(len(futures.weights)):
                kinds = (futures.kinds[future, 0], futures.kinds[future, 1])
                best, count = _best_place(2, kinds, play, layers, scratch)
                value += futures.weights[future] * best
                nodes += count
            ways.worth[leaf] = value
    return nodes


@lean
def _count_colored(layers: Layers) -> None:
    """Begin the way to each layer with the coloured puyos of the field."""
    colored, heights = np.int64(0), layers.heights[0]
    for column in range(len(heights)):
        for level in range(heights[column]):
            colored += layers.fields[0, level, column] <= COLORS
    layers.moved[0, 0], layers.moved[0, 1] = 0, colored


@lean
def _first(index: Scalar, task: Task, bounds: Bounds, layers: Layers, scratch: Scratch) -> bool:
    """Play a candidate and the nuisance after it into layer 1; returns whether the game is lost."""
    orientation, column = task.candidates[index, 0], task.candidates[index, 1]
    chain = _drop(0, orientation, column, task.pair, bounds, layers, scratch)
    field, heights = layers.fields[1], layers.heights[1]
    rain(field, heights, nuisance_falling(bounds.table, task.pending, chain) // bounds.columns)
    return is_dead(field, bounds)


@lean
def _best_place(
    layer: Scalar, kinds: tuple[Scalar, Scalar], play: Play, layers: Layers, scratch: Scratch
) -> tuple[float, Scalar]:
    """Returns the best value of a pair's placements on the field of a layer, and their number."""
    entered = columns_entered(layers.heights[layer], play.limits, play.bounds, 0)
    best, count = -np.inf, np.int64(0)
    for orientation in range(ORIENTATIONS):
        columns = columns_for(entered, orientation, kinds[0], kinds[1])
        for column in range(play.bounds.columns):
            if columns >> column & 1:
                value = _advance(layer, orientation, column, kinds, play.bounds, layers, scratch)
                best = max(best, value + _value(layer + 1, play, layers, scratch))
                count += 1
    if count == 0:
        return _value(layer, play, layers, scratch), np.int64(1)
    return best, count


@inlined
def _advance(
    layer: Scalar,
    orientation: Scalar,
    column: Scalar,
    kinds: tuple[Scalar, Scalar],
    bounds: Bounds,
    layers: Layers,
    scratch: Scratch,
) -> float:
    """Play a pair on the field of a layer into the next one; returns DEAD if the game is lost so, else 0."""
    _drop(layer, orientation, column, kinds, bounds, layers, scratch)
    return DEAD if is_dead(layers.fields[layer + 1], bounds) else 0.0


@inlined
def _drop(
    layer: Scalar,
    orientation: Scalar,
    column: Scalar,
    kinds: tuple[Scalar, Scalar],
    bounds: Bounds,
    layers: Layers,
    scratch: Scratch,
) -> Scalar:
    """Drop a pair on the field of a layer, resolved into the next one; returns the length of the chain."""
    field, heights = layers.fields[layer + 1], layers.heights[layer + 1]
    copy_field(layers.fields[layer], layers.heights[layer], field, heights)
    drop_piece(field, heights, orientation, column, kinds[0], kinds[1])
    chain, points = resolve(field, heights, bounds, scratch)
    layers.moved[layer + 1, 0] = layers.moved[layer, 0] + points
    layers.moved[layer + 1, 1] = layers.moved[layer, 1] + (2 if kinds[0] < BIG else 0)
    return chain


@inlined
def _value(layer: Scalar, play: Play, layers: Layers, scratch: Scratch) -> float:
    """Returns the value of a layer's field, and of what was done on the way to it."""
    return evaluate(
        layers.fields[layer],
        layers.heights[layer],
        layers.moved[layer, 0],
        layers.moved[layer, 1],
        play.limits,
        play.bounds,
        play.scales,
        scratch,
    )
