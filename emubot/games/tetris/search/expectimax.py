"""The order of a search in points: two known pieces, then expectations over the hidden ones; knows no RAM and no reach.

All pairs of placements of the current and the next piece are valued. For the best pairs the third piece is searched:
each piece with its exact probability, each with its best lock. For the best of these the fourth is searched as well,
after the best locks of the third. A next piece that is not known is searched like a third one, and for the best locks
of the current piece the piece after it too. A board from which a piece can lock nowhere is worth nothing any more.
The work stops when it has valued as many boards as the budget allows, and the choice is among the pairs (or locks) that
were searched deepest. A large budget is spent on more boards after two pieces, and on more locks of the third
(`breadth_of`), because the usual ones use up no more than about 90,000 boards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.points import is_over
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.search.chance import DEEP_LOCKS, expect, expect_twice, largest
from emubot.games.tetris.search.pairs import descend_pair, search_third, value_pairs
from emubot.games.tetris.search.plies import (
    Lookahead,
    begin_at,
    breadth_of,
    descend,
    placements,
)
from emubot.jit import Scalar, lean


@lean
def search_points(
    rows: Rows,
    piece: Scalar,
    begin: Begin,
    next_piece: Scalar,
    lines: Scalar,
    level: Scalar,
    budget: Scalar,
    look: Lookahead,
    found: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar, Scalar]:
    """Fill found (MOST_PLACEMENTS, 3) with (orientation, column, row) of each lock; returns (locks, nodes, best).

    values (MOST_PLACEMENTS,) get what is to come from each lock on, by the deepest search of it. `best` is the index of
    the choice, -1 if there is no lock. `next_piece` is -1 if it is not known. `budget` is the number of boards after
    which no new pair is searched deeper; the pairs themselves are always valued.
    """
    if next_piece < 0:
        count = _begin(rows, piece, begin, level, look, found)
        nodes, best = _search_first_locks(count, piece, lines, level, budget, look, found, values)
        return count, nodes, best
    count, widened, nodes = search_widely(rows, piece, begin, next_piece, lines, level, budget, look, found, values)
    if widened == 0:
        return count, nodes, first_best(found, values, count)
    more, best = search_deeply(widened, next_piece, lines, level, budget, nodes, look, values)
    return count, nodes + more, best


@lean
def search_widely(
    rows: Rows,
    piece: Scalar,
    begin: Begin,
    next_piece: Scalar,
    lines: Scalar,
    level: Scalar,
    budget: Scalar,
    look: Lookahead,
    found: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar, Scalar]:
    """Search up to the third piece, like `search_points`; returns (locks, boards to be searched deeper, nodes)."""
    count = _begin(rows, piece, begin, level, look, found)
    pairs, nodes = value_pairs(count, next_piece, lines, level, look, values)
    if pairs == 0 or nodes >= budget:
        return count, 0, nodes
    widened, more = search_third(pairs, next_piece, lines, level, budget - nodes, breadth_of(budget), look)
    return count, widened, nodes + more


@lean
def search_deeply(
    widened: Scalar,
    next_piece: Scalar,
    lines: Scalar,
    level: Scalar,
    budget: Scalar,
    nodes: Scalar,
    look: Lookahead,
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar]:
    """Search the fourth piece after `search_widely`, which took `nodes`; returns (nodes, best)."""
    broad = breadth_of(budget)
    deepest, more = _search_fourth(widened, next_piece, lines, level, budget - nodes, broad, look)
    return more, _settle(widened, deepest, look, values)


@lean
def search_ahead(
    widened: Scalar,
    next_piece: Scalar,
    lines: Scalar,
    level: Scalar,
    budget: Scalar,
    first: Scalar,
    every: Scalar,
    look: Lookahead,
) -> Scalar:
    """Value what `search_deeply` will come to, for the boards `first`, `first` + `every` and so on; returns the nodes.

    The memory of `look` is a copy of the one that `search_widely` wrote. Values go where other threads find them.
    """
    broad, nodes = breadth_of(budget), 0
    for number in range(first, widened, every):
        if look.shared.stop:
            break
        _, lines2, level2, goes_on = descend_pair(look.memory.widened[number], lines, level, look)
        if goes_on:
            nodes += expect_twice(2, next_piece, lines2, level2, broad * DEEP_LOCKS, look)[1]
    return nodes


@lean
def _begin(rows: Rows, piece: Scalar, begin: Begin, level: Scalar, look: Lookahead, found: NDArray[np.int64]) -> Scalar:
    """Make this the board of depth 0, with nothing known of it; returns how many locks it has, which go to `found`."""
    begin_at(rows, look)
    look.memory.keys[:] = 0
    count = placements(0, piece, begin, level, look)
    for index in range(count):
        for part in range(3):
            found[index, part] = look.memory.places[0, index, part]
    return count


@lean
def first_best(found: NDArray[np.int64], values: NDArray[np.float64], count: Scalar) -> Scalar:
    """Returns the index of the best of `count` locks, -1 for none.

    Ties go to the lower lock, then to the smaller orientation id, then to the smaller column.
    """
    best = -1
    for index in range(count):
        if best < 0 or values[index] > values[best]:
            best = index
        elif values[index] == values[best] and found[index, 2] >= found[best, 2]:
            lower = found[index, 2] > found[best, 2]
            turned = found[index, 0] - found[best, 0]
            if lower or turned < 0 or (turned == 0 and found[index, 1] < found[best, 1]):
                best = index
    return best


@lean
def _search_first_locks(
    count: Scalar,
    piece: Scalar,
    lines: Scalar,
    level: Scalar,
    budget: Scalar,
    look: Lookahead,
    found: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar]:
    """Write the value of each lock of the current piece if the next one is not known; returns the nodes and the best.

    While the budget lasts, the best locks are searched with one more piece.
    """
    rest, nodes = look.memory.pair_values[:], 0
    for index in range(count):
        values[index], lines1, level1 = descend(0, look.memory.places[0, index], lines, level, look)
        if not is_over(lines1, level1, look.player):
            value, more = expect(1, piece, lines1, level1, look)
            values[index] += value
            nodes += more
        rest[index] = values[index]
    best, deeper = first_best(found, values, count), 0
    while deeper < count and nodes < budget:
        index = first_best(found, rest, count)
        rest[index] = -np.inf
        values[index], lines1, level1 = descend(0, look.memory.places[0, index], lines, level, look)
        if not is_over(lines1, level1, look.player):
            value, more = expect_twice(1, piece, lines1, level1, DEEP_LOCKS * breadth_of(budget), look)
            values[index] += value
            nodes += more
        if values[index] > values[best]:
            best = index
        deeper += 1
    return nodes, best


@lean
def _search_fourth(
    widened: Scalar, next_piece: Scalar, lines: Scalar, level: Scalar, budget: Scalar, broad: Scalar, look: Lookahead
) -> tuple[Scalar, Scalar]:
    """Search the fourth piece too, best board first; returns (boards searched, nodes)."""
    count, nodes = 0, 0
    while count < widened and nodes < budget:
        gained, lines2, level2, goes_on = descend_pair(look.memory.widened[count], lines, level, look)
        if goes_on:
            value, more = expect_twice(2, next_piece, lines2, level2, broad * DEEP_LOCKS, look)
            gained += value
            nodes += more
        look.memory.widened_values[count] = gained
        count += 1
    return count, nodes


@lean
def _settle(widened: Scalar, deepest: Scalar, look: Lookahead, values: NDArray[np.float64]) -> Scalar:
    """Write the values of the first locks of all boards that were searched; returns the best of the deepest ones."""
    memory = look.memory
    for number in range(widened - 1, -1, -1):
        values[memory.pairs[memory.widened[number], 0]] = memory.widened_values[number]
    best = largest(memory.widened_values[:], deepest if deepest else widened)
    first = memory.pairs[memory.widened[best], 0]
    values[first] = memory.widened_values[best]
    return first
