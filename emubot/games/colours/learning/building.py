"""Builds long chains, so that their points can be measured; knows no memory and presses nothing.

It tries all placements of the current and the next pair. The value of a field is the longest chain that two puyos of
one colour on one column would trigger.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import is_dead, resolve
from emubot.games.colours.board.words import Board, Cells, board_of, checked_cells, drop_pair, height_at, heights_of
from emubot.games.colours.reach.entry import open_limits
from emubot.games.colours.rules import COLUMNS, EMPTY, UP, Rules
from emubot.games.colours.scoring import STORED_AT, Table, table_of
from emubot.games.colours.search.search import placements
from emubot.games.colours.search.two_plies import MOST_PLACEMENTS, Candidates, Pair, fill_placements, lock
from emubot.jit import Scalar, kernel

_DEAD: Final = -1_000_000
_STEP: Final = 1000  # the value of one more step of the chain; a row of height costs 1
_TALL: Final = 10  # height in rows from which the longest possible chain is triggered


def build(
    cells: NDArray[np.uint8], pair: Pair, following: Pair, colors: int, rules: Rules, wanted: int
) -> tuple[int, int]:
    """Returns the (canonical orientation, column) that builds the chain, or triggers it if it has `wanted` steps.

    A tall field triggers a shorter chain too. `cells` is uint8 (stored rows, 6), `colors` the number of colours in
    play. Raises ValueError if nothing can be placed.
    """
    table, settled = table_of(rules), checked_cells(cells)
    candidates = placements(settled, pair, rules)
    if not len(candidates):
        raise ValueError("there is no room for the pair")
    chains, values = np.zeros(len(candidates), dtype=np.int64), np.zeros(len(candidates), dtype=np.int64)
    chain_values(settled, candidates, *pair, *following, colors, table, chains, values)
    tallest = int((settled != EMPTY).sum(axis=0).max())
    longest = int(chains.max())
    fires = longest >= wanted or (tallest >= _TALL and longest > 0)
    best = int(chains.argmax()) if fires else int(values.argmax())
    return int(candidates[best, 0]), int(candidates[best, 1])


@kernel
def chain_values(
    cells: Cells,
    candidates: Candidates,
    pivot: Scalar,
    satellite: Scalar,
    next_pivot: Scalar,
    next_satellite: Scalar,
    colors: Scalar,
    table: Table,
    chains: NDArray[np.int64],
    values: NDArray[np.int64],
) -> None:
    """Write, for each candidate, its chain and the value of the best field after the next pair: both int64 (n,)."""
    board = board_of(cells)
    heights = heights_of(board)
    following = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    for number in range(len(candidates)):
        after, _, chain, _ = lock(board, heights, candidates[number, 0], candidates[number, 1], pivot, satellite, table)
        chains[number] = chain
        best = _DEAD
        if not is_dead(after, table):
            heights_after = heights_of(after)
            count = fill_placements(heights_after, next_pivot, next_satellite, open_limits(table), table, following)
            for index in range(count):
                last, _, burnt, _ = lock(
                    after, heights_after, following[index, 0], following[index, 1], next_pivot, next_satellite, table
                )
                if not is_dead(last, table):
                    best = max(best, field_worth(last, colors, table) - _STEP * (burnt > 0))
        values[number] = best - _STEP * (chain > 0)


@kernel
def field_worth(board: Board, colors: Scalar, table: Table) -> Scalar:
    """Returns 1000 per step of the longest chain of two equal puyos on one column, minus the greatest height."""
    heights = heights_of(board)
    longest, tallest = 0, 0
    for column in range(COLUMNS):
        tallest = max(tallest, height_at(heights, column))
        for kind in range(1, colors + 1):
            _, _, chain, _ = resolve(drop_pair(board, UP, column, kind, kind, table[STORED_AT]), table)
            longest = max(longest, chain)
    return _STEP * longest - tallest
