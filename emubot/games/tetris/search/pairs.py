"""The two known pieces: all pairs of their locks, and the third piece after the best; knows no RAM and no reach.

The boards to be searched deeper stand in the memory, best first (plies.MEMORY, `widened`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.columns import Stacks
from emubot.games.tetris.evaluation.leaf import leaf_value, prepare
from emubot.games.tetris.evaluation.points import is_over
from emubot.games.tetris.rules import COLUMNS
from emubot.games.tetris.search.chance import expect, largest
from emubot.games.tetris.search.plies import MOST_PAIRS, WIDEST, Lookahead, descend, placements
from emubot.jit import Scalar, lean

NO_LOCK: Final = -1


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
