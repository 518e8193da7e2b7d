"""Plays pairs by the rules alone, without frames and items; knows no RAM, no bridge and no file.

Every placement that is not blocked counts as reachable. After a lost game the next pair starts on an empty field.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.counts import Counts
from emubot.games.puyo.board.board import Cells, board_of, fill_cells, filled
from emubot.games.puyo.board.resolve import is_dead
from emubot.games.puyo.evaluation.evaluation import Scales, scales_of
from emubot.games.puyo.evaluation.features import FEATURES
from emubot.games.puyo.reach.entry import open_limits
from emubot.games.puyo.rules import COLUMNS, FAMICOM_1991, Rules
from emubot.games.puyo.scoring import Table, table_of
from emubot.games.puyo.search.two_plies import MOST_PLACEMENTS, Candidates
from emubot.games.puyo.trials.untimed import Pairs, take_turn
from emubot.jit import kernel

BLOCK: Final = 8192  # pairs drawn at once; the pairs of a seed depend on it
_LONGEST: Final = 24
_TOTALS: Final = 3
_DEATHS, _ALL_CLEARS, _SCORE = range(_TOTALS)


def play(seed: int, pairs: int, rules: Rules, weights: NDArray[np.float64]) -> Counts:
    """Play this number of pairs with the next pair known, and return the counts; colours are uniform and independent.

    `weights` are as in evaluation.py. Counts of different seeds may be summed.
    """
    rng = np.random.default_rng(seed)
    table = table_of(rules)
    cells = np.zeros((rules.stored_rows, COLUMNS), dtype=np.uint8)
    heights = np.zeros(rules.stored_rows * COLUMNS + 1, dtype=np.int64)
    chains = np.zeros(_LONGEST + 1, dtype=np.int64)
    totals = np.zeros(_TOTALS, dtype=np.int64)
    scales = scales_of(weights)
    candidates = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    values = np.zeros(MOST_PLACEMENTS)
    waiting: Pairs = _draw(rng, rules.colors)
    played = 0
    while played < pairs:
        following: Pairs = _draw(rng, rules.colors)
        count = min(BLOCK, pairs - played)
        dealt = np.concatenate((waiting[:count], waiting[count : count + 1], following[:1]))[: count + 1]
        play_block(cells, dealt, table, scales, heights, chains, totals, candidates, values)
        waiting = following
        played += count
    return Counts(
        pieces=pairs,
        deaths=int(totals[_DEATHS]),
        all_clears=int(totals[_ALL_CLEARS]),
        score=int(totals[_SCORE]),
        heights=heights,
        chains=chains,
    )


def compile_once() -> None:
    """Compile or load the kernels."""
    play(0, 1, FAMICOM_1991, np.zeros(FEATURES))


def _draw(rng: np.random.Generator, colors: int) -> Pairs:
    return rng.integers(1, colors + 1, size=(BLOCK, 2), dtype=np.uint8)


@kernel
def play_block(
    cells: Cells,
    pairs: Pairs,
    table: Table,
    scales: Scales,
    heights: NDArray[np.int64],
    chains: NDArray[np.int64],
    totals: NDArray[np.int64],
    candidates: Candidates,
    values: NDArray[np.float64],
) -> None:
    """Play all pairs but the last, which is only seen; writes the last field to `cells` and adds to the counts.

    `heights` (cells + 1,) counts the puyos after each lock, `chains` (25,) the lengths of chains; `totals` (3,) are
    deaths, all-clears and score. The rest is as for `take_turn`.
    """
    board, pending = board_of(cells), np.int64(0)
    for turn in range(len(pairs) - 1):
        board, chain, points, _ = take_turn(
            board, pairs, turn, pending, open_limits(table), table, scales, candidates, values
        )
        left, right = filled(board)
        puyos = popcount(left) + popcount(right)
        heights[puyos] += 1
        chains[min(chain, len(chains) - 1)] += 1
        totals[_SCORE] += points
        if puyos == 0:
            totals[_ALL_CLEARS] += 1
        if is_dead(board, table):
            totals[_DEATHS] += 1
            board = (0, 0, 0, 0, 0, 0, 0, 0)
    fill_cells(board, cells)
