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

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.board.columns import Stacks
from emubot.games.tetris.evaluation.leaf import leaf_value, prepare
from emubot.games.tetris.evaluation.points import is_over
from emubot.games.tetris.reach.state import Begin
from emubot.games.tetris.rules import COLUMNS
from emubot.games.tetris.search.chance import DEEP_LOCKS, expect, expect_twice, largest
from emubot.games.tetris.search.plies import (
    MOST_PAIRS,
    WIDEST,
    Lookahead,
    begin_at,
    breadth_of,
    descend,
    placements,
)
from emubot.jit import Scalar, lean

NO_LOCK: Final = -1


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
    begin_at(rows, look)
    look.memory.keys[:] = 0
    count = placements(0, piece, begin, level, look)
    for index in range(count):
        for part in range(3):
            found[index, part] = look.memory.places[0, index, part]
    if next_piece < 0:
        nodes, best = _search_first_locks(count, piece, lines, level, budget, look, found, values)
        return count, nodes, best
    pairs, nodes = value_pairs(count, next_piece, lines, level, look, values)
    if pairs == 0 or nodes >= budget:
        return count, nodes, first_best(found, values, count)
    broad = breadth_of(budget)
    widened, more = search_third(pairs, next_piece, lines, level, budget - nodes, broad, look)
    nodes += more
    deepest, more = _search_fourth(widened, next_piece, lines, level, budget - nodes, broad, look)
    best = _settle(widened, deepest, look, values)
    return count, nodes + more, best


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
def value_pairs(
    count: Scalar, next_piece: Scalar, lines: Scalar, level: Scalar, look: Lookahead, values: NDArray[np.float64]
) -> tuple[Scalar, Scalar]:
    """Value every lock of the next piece after every lock of the current one; returns (pairs, nodes).

    If a game ends with the first lock, or the next piece can lock nowhere, the second lock of the pair is NO_LOCK.
    """
    memory = look.memory
    board, seconds = memory.boards[1], memory.places[1]
    pairs, nodes = 0, 0
    for index in range(count):
        gained, lines1, level1 = descend(0, memory.places[0, index], lines, level, look)
        following = 0
        if not is_over(lines1, level1, look.player):
            prepare(board, lines1, level1, look.player)
            following = placements(1, next_piece, look.begin, level1, look)
        values[index] = gained if following == 0 else -np.inf
        for second in range(max(following, 1)):
            value = gained
            if following:
                value += leaf_value(board, seconds[second], lines1, level1, look.player)
                values[index] = max(values[index], value)
            if pairs < MOST_PAIRS:
                memory.pairs[pairs, 0] = index
                for part in range(3):
                    memory.pairs[pairs, part + 1] = seconds[second, part] if following else NO_LOCK
                memory.pair_values[pairs] = value
                pairs += 1
        nodes += following
    return pairs, nodes


@lean
def search_third(
    pairs: Scalar, next_piece: Scalar, lines: Scalar, level: Scalar, budget: Scalar, broad: Scalar, look: Lookahead
) -> tuple[Scalar, Scalar]:
    """Search the third piece after the best pairs, `broad` times WIDEST; returns (boards searched, nodes).

    A board that two pairs lead to is searched once.
    """
    memory = look.memory
    count, nodes = 0, 0
    while count < broad * WIDEST and (count == 0 or nodes < budget // 2):
        pair = largest(memory.pair_values[:], pairs)
        if memory.pair_values[pair] == -np.inf:
            break
        memory.pair_values[pair] = -np.inf
        gained, lines2, level2, goes_on = descend_pair(pair, lines, level, look)
        if goes_on:
            if _is_known(memory.boards[2].stacks[:], memory.widened_boards[:], count):
                continue
            value, more = expect(2, next_piece, lines2, level2, look)
            gained += value
            nodes += more
        for column in range(COLUMNS):
            memory.widened_boards[count, column] = memory.boards[2].stacks[column] if goes_on else NO_LOCK
        memory.widened[count], memory.widened_values[count] = pair, gained
        count += 1
    _sort_widened(count, look)
    return count, nodes


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


@lean
def descend_pair(pair: Scalar, lines: Scalar, level: Scalar, look: Lookahead) -> tuple[float, Scalar, Scalar, bool]:
    """Like `descend` from depth 0 to depth 2, by both locks of a pair; returns also whether the game goes on."""
    memory = look.memory
    gained, lines, level = descend(0, memory.places[0, memory.pairs[pair, 0]], lines, level, look)
    if memory.pairs[pair, 1] == NO_LOCK:
        return gained, lines, level, False
    more, lines, level = descend(1, memory.pairs[pair, 1:], lines, level, look)
    return gained + more, lines, level, not is_over(lines, level, look.player)


@lean
def _is_known(stacks: Stacks, boards: NDArray[np.int64], count: Scalar) -> bool:
    for number in range(count):
        same = True
        for column in range(COLUMNS):
            same &= boards[number, column] == stacks[column]
        if same:
            return True
    return False


@lean
def _sort_widened(count: Scalar, look: Lookahead) -> None:
    """Put the boards that are searched deeper in order, best first; equal ones stay in theirs."""
    pairs, values = look.memory.widened, look.memory.widened_values
    for end in range(1, count):
        pair, value = pairs[end], values[end]
        at = end
        while at > 0 and values[at - 1] < value:
            pairs[at], values[at] = pairs[at - 1], values[at - 1]
            at -= 1
        pairs[at], values[at] = pair, value
