"""The kernels of lookahead: the current piece, the next one, and the mean over pieces that may follow; knows no RAM.

The value of a way is that of its last field: the weighted sum of the features (features.py). A way on which the entry
of the next piece is blocked is worth DEAD more, one that ends the stage WON more. The pieces after the known ones are
`futures`: a list with a weight for each, whose sum is 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.groups import Cells, Marks, marks_for
from emubot.games.colours.board.law import Law, blocked, lock
from emubot.games.colours.evaluation.chance import chance
from emubot.games.colours.evaluation.matching_features import measure
from emubot.games.colours.evaluation.names import CHAIN, CHANCE, CLEARED, FEATURES, LINES_AT
from emubot.games.colours.evaluation.windows import Masks, masks_for
from emubot.games.colours.matching_rules import TARGET, Rules
from emubot.games.colours.reach.cells_entry import MOST_PLACES, Drops, distinct, fill_drops, fill_tops
from emubot.games.colours.search.ways import Futures
from emubot.jit import Scalar, inlined, lean

DEAD: Final = -1e9
WON: Final = 1e9
SOONER: Final = 1e6  # that a stage is worth more if it is won a piece sooner
MOST_CANDIDATES: Final = 256
_LAYERS: Final = 4  # fields of a search: the one decided on, and one after each piece


class Scratch(NamedTuple):
    """The memory of one search; each thread needs its own.

    `cells` and `links` are uint8 (layers, rows, columns), `tops` int64 (layers, columns), `moved` int64
    (layers, 3): cells cleared, chain steps after the first and lines on the way to each layer. `places` are straight
    drops by layer, `leaves` the candidate and the next place of each way two pieces deep, and `worth` its value.
    """

    cells: Cells
    links: Cells
    marks: Marks
    tops: NDArray[np.int64]
    moved: NDArray[np.int64]
    places: NDArray[np.int64]
    leaves: NDArray[np.int64]
    worth: NDArray[np.float64]
    order: NDArray[np.int64]
    masks: Masks
    rooms: NDArray[np.int64]
    values: NDArray[np.float64]


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

    `drops` are the rows that the next piece falls while it is moved (entry.py), `later` those of pieces much later: a
    column counts as closed if these cannot enter it.
    """

    law: Law
    drops: Drops
    later: Drops
    weights: NDArray[np.float64]


def scratch_of(rules: Rules) -> Scratch:
    """Returns the memory of a search under these rules."""
    shape = (_LAYERS, rules.stored_rows, rules.columns)
    leaves = MOST_CANDIDATES * MOST_PLACES
    return Scratch(
        np.zeros(shape, dtype=np.uint8),
        np.zeros(shape, dtype=np.uint8),
        marks_for(*shape[1:]),
        np.zeros((_LAYERS, rules.columns), dtype=np.int64),
        np.zeros((_LAYERS, 3), dtype=np.int64),
        np.zeros((_LAYERS, MOST_PLACES, 3), dtype=np.int64),
        np.zeros((leaves, 4), dtype=np.int64),
        np.zeros(leaves),
        np.zeros(leaves, dtype=np.int64),
        masks_for(rules.stored_rows),
        np.zeros(rules.columns, dtype=np.int64),
        np.zeros(FEATURES),
    )


@lean
def rank(task: Task, play: Play, scratch: Scratch, found: NDArray[np.float64]) -> Scalar:
    """Write the value of each candidate into `found`; returns the number of fields valued.

    Layer 0 of `scratch` holds the field.
    """
    candidates, following = task.candidates, task.following
    nodes, leaves = np.int64(0), np.int64(0)
    for index in range(len(candidates)):
        state = advance(0, candidates[index], task.kinds, play.law, scratch)
        if state != 0.0 or following[0] == 0:
            found[index] = state + leaf_value(1, play, scratch)
            nodes += 1
            continue
        count = fill_drops(scratch.tops[1], play.law, distinct(following, play.law), play.drops, scratch.places[1])
        best = -np.inf
        for place in range(count):
            value = advance(1, scratch.places[1, place], following, play.law, scratch)
            value += leaf_value(2, play, scratch)
            best = max(best, value)
            for number in range(3):
                scratch.leaves[leaves, 1 + number] = scratch.places[1, place, number]
            scratch.leaves[leaves, 0], scratch.worth[leaves] = index, value
            leaves += 1
        nodes += count
        found[index] = best if count else DEAD + leaf_value(1, play, scratch)
    if task.width > 0 and leaves > 0:
        nodes += _continue(task, leaves, play, scratch, found)
    return nodes


@lean
def _continue(task: Task, leaves: Scalar, play: Play, scratch: Scratch, found: NDArray[np.float64]) -> Scalar:
    """Value the best ways one piece deeper; the candidates without one keep their distance below the worst of them."""
    candidates, futures = task.candidates, task.futures
    wide = min(task.width, leaves)
    best_first(scratch, leaves, wide)
    nodes = np.int64(0)
    highest = scratch.worth[scratch.order[0]]
    for index in range(len(candidates)):
        found[index] -= highest
    lowest, deepest = np.inf, -np.inf
    for index in range(wide):  # first all values, then they go to their candidates
        leaf = scratch.order[index]
        before = advance(0, candidates[scratch.leaves[leaf, 0]], task.kinds, play.law, scratch)
        before += advance(1, scratch.leaves[leaf, 1:], task.following, play.law, scratch)
        if before != 0.0:
            value = scratch.worth[leaf]
        else:
            value = 0.0
            for future in range(len(futures.weights)):
                best, count = _best_place(2, futures.kinds[future], play, scratch)
                value += futures.weights[future] * best
                nodes += count
        scratch.worth[leaf] = value
        lowest, deepest = min(lowest, value), max(deepest, value)
    for index in range(len(candidates)):
        found[index] += lowest
    for index in range(wide):
        leaf = scratch.order[index]
        candidate = scratch.leaves[leaf, 0]
        if found[candidate] < scratch.worth[leaf] or _first_of(scratch, index, candidate):
            found[candidate] = scratch.worth[leaf]
    return nodes


@lean
def _first_of(scratch: Scratch, index: Scalar, candidate: Scalar) -> bool:
    """Returns whether no earlier way in the order is of this candidate."""
    for earlier in range(index):
        if scratch.leaves[scratch.order[earlier], 0] == candidate:
            return False
    return True


@lean
def best_first(scratch: Scratch, leaves: Scalar, wide: Scalar) -> None:
    """Bring the `wide` best ways to the front of `order`, best first; of equal ones the earlier."""
    for index in range(leaves):
        scratch.order[index] = index
    for place in range(wide):
        best = place
        for index in range(place + 1, leaves):
            one, other = scratch.order[index], scratch.order[best]
            if scratch.worth[one] > scratch.worth[other] or (
                scratch.worth[one] == scratch.worth[other] and one < other
            ):
                best = index
        scratch.order[place], scratch.order[best] = scratch.order[best], scratch.order[place]


@lean
def _best_place(layer: Scalar, kinds: NDArray[np.int64], play: Play, scratch: Scratch) -> tuple[float, Scalar]:
    """Returns the best value of a piece's straight drops on the field of a layer, and their number."""
    count = fill_drops(scratch.tops[layer], play.law, distinct(kinds, play.law), play.drops, scratch.places[layer])
    best = -np.inf
    for place in range(count):
        value = advance(layer, scratch.places[layer, place], kinds, play.law, scratch)
        best = max(best, value + leaf_value(layer + 1, play, scratch))
    if count == 0:
        return DEAD + leaf_value(layer, play, scratch), np.int64(1)
    return best, count


@lean
def advance(layer: Scalar, place: NDArray[np.int64], kinds: NDArray[np.int64], law: Law, scratch: Scratch) -> float:
    """Lock a piece on the field of a layer, and write the field after it into the next layer.

    Returns DEAD or WON (more if it is sooner) if the game ends so, else 0.
    """
    rows, columns = scratch.marks.seen.shape
    after = layer + 1
    for row in range(rows):
        for column in range(columns):
            scratch.cells[after, row, column] = scratch.cells[layer, row, column]
            scratch.links[after, row, column] = scratch.links[layer, row, column]
    cells = scratch.cells[after]
    chain, lines, removed, _, _ = lock(
        cells, scratch.links[after], law, place[0], place[1], place[2], kinds, scratch.marks
    )
    scratch.moved[after, 0] = scratch.moved[layer, 0] + removed
    scratch.moved[after, 1] = scratch.moved[layer, 1] + max(chain - 1, 0)
    scratch.moved[after, 2] = scratch.moved[layer, 2] + lines
    fill_tops(cells, scratch.tops[after])
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
def leaf_value(layer: Scalar, play: Play, scratch: Scratch) -> float:
    """Returns the weighted sum of the features of a layer's field and of the moves that led to it."""
    values = scratch.values
    cells, tops = scratch.cells[layer], scratch.tops[layer]
    measure(cells, tops, play.law, play.drops, play.later, scratch.masks, scratch.rooms, values)
    values[CHANCE] = chance(cells) if play.weights[CHANCE] else 0.0
    values[CLEARED], values[CHAIN], values[LINES_AT] = (
        scratch.moved[layer, 0],
        scratch.moved[layer, 1],
        scratch.moved[layer, 2],
    )
    total: float = 0.0
    for feature in range(FEATURES):
        total += play.weights[feature] * values[feature]
    return float(total)
