"""One turn, and one player's games of pairs flat out; knows no frames, no items, no RAM and no file.

What can be reached in time is told by limits (entry.py) alone: within them every placement counts as reachable.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.puyo.board.board import Board, empty_board, filled, heights_of
from emubot.games.puyo.board.resolve import is_dead
from emubot.games.puyo.evaluation.evaluation import Scales
from emubot.games.puyo.scoring import Table
from emubot.games.puyo.search.two_plies import Candidates, fill_placements, lock, search_two_plies
from emubot.jit import Scalar, kernel

# `kept` are the points of a game that was not lost, 0 of one that was.
FIGURES: Final = ("score", "pieces", "best_chain", "max_puyos", "all_clears", "died", "kept", "nodes")
_SCORE, _PIECES, _BEST_CHAIN, _MAX_PUYOS, _ALL_CLEARS, _DIED, _KEPT, _NODES = range(len(FIGURES))

Pairs = NDArray[np.uint8]


@kernel
def take_turn(
    board: Board,
    pairs: Pairs,
    turn: Scalar,
    pending: Scalar,
    limits: Scalar,
    table: Table,
    scales: Scales,
    candidates: Candidates,
    values: NDArray[np.float64],
) -> tuple[Board, Scalar, Scalar, Scalar]:
    """Lock pair number `turn` where the search wants it, the next one seen.

    Told are the board, the chain, its points, and the fields that were valued.

    `pending` nuisance is told to the search, and does not fall here. `limits` hold for both pairs. `scales` are the
    player's weights (evaluation.py); `candidates` (24, 2) and `values` (24,) are scratch.
    """
    pivot, satellite = np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1])
    heights = heights_of(board)
    count = fill_placements(heights, pivot, satellite, limits, table, candidates)
    best, nodes = best_of(board, count, pairs, turn, pending, limits, table, scales, candidates, values)
    after, _, chain, points = lock(
        board, heights, int(candidates[best, 0]), int(candidates[best, 1]), pivot, satellite, table
    )
    return after, chain, points, nodes


@kernel
def best_of(
    board: Board,
    count: Scalar,
    pairs: Pairs,
    turn: Scalar,
    pending: Scalar,
    limits: Scalar,
    table: Table,
    scales: Scales,
    candidates: Candidates,
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar]:
    """The index of the best of the first `count` candidates of pair number `turn`, and the fields that were valued.

    The rest is as in `take_turn`.
    """
    nodes = search_two_plies(
        board,
        candidates,
        count,
        np.int64(pairs[turn, 0]),
        np.int64(pairs[turn, 1]),
        np.int64(pairs[turn + 1, 0]),
        np.int64(pairs[turn + 1, 1]),
        pending,
        limits,
        table,
        scales,
        values,
    )
    best = 0
    for index in range(1, count):
        if values[index] > values[best]:
            best = index
    return best, nodes


@kernel
def play_game(
    pairs: Pairs,
    limits: Scalar,
    table: Table,
    scales: Scales,
    candidates: Candidates,
    values: NDArray[np.float64],
    figures: NDArray[np.int64],
) -> None:
    """One game from an empty field until it is lost or only the last of the pairs, which is seen, is left.

    `pairs` is uint8 (n + 1, 2); figures (FIGURES,), zeros, are filled; the rest is scratch as in `take_turn`.
    """
    board, pending = empty_board(), np.int64(0)
    for turn in range(len(pairs) - 1):
        board, chain, points, nodes = take_turn(board, pairs, turn, pending, limits, table, scales, candidates, values)
        left, right = filled(board)
        puyos = popcount(left) + popcount(right)
        figures[_SCORE] += points
        figures[_PIECES] += 1
        figures[_NODES] += nodes
        figures[_BEST_CHAIN] = max(figures[_BEST_CHAIN], chain)
        figures[_MAX_PUYOS] = max(figures[_MAX_PUYOS], puyos)
        figures[_ALL_CLEARS] += puyos == 0
        if is_dead(board, table):
            figures[_DIED] = 1
            return
    figures[_KEPT] = figures[_SCORE]
