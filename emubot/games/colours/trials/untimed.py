"""One turn, and whole games of one player, without frames; knows no frames, no items, no RAM and no file.

Only limits (entry.py) describe what can be reached in time: within them every placement counts as reachable.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import Board, empty_board, filled, heights_of
from emubot.games.colours.search.two_plies import (
    MOST_PLACEMENTS,
    Candidates,
    Play,
    fill_placements,
    lock,
    search_two_plies,
)
from emubot.jit import Scalar, kernel

# `kept` is the score of a game that was not lost, and 0 for a lost game.
# `best_score` are the most points of one chain.
FIGURES: Final = (
    "score",
    "pieces",
    "best_chain",
    "best_score",
    "max_puyos",
    "all_clears",
    "died",
    "kept",
    "nodes",
)
_SCORE, _PIECES, _BEST_CHAIN, _BEST_SCORE, _MAX_PUYOS, _ALL_CLEARS, _DIED, _KEPT, _NODES = range(len(FIGURES))

Pairs = NDArray[np.uint8]


class Tries(NamedTuple):
    """Scratch memory of a turn: the placements of a pair, int8 (24, 2), and their values (24,)."""

    candidates: Candidates
    values: NDArray[np.float64]


def fresh_tries() -> Tries:
    """Returns scratch memory for turns."""
    return Tries(np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8), np.zeros(MOST_PLACEMENTS))


@kernel
def take_turn(
    board: Board, pairs: Pairs, turn: Scalar, pending: Scalar, play: Play, tries: Tries
) -> tuple[Board, Scalar, Scalar, Scalar]:
    """Lock pair number `turn` where the search puts it; the next pair is known to the search.

    Returns the board, the length of the chain, its points, and the number of evaluated fields. The search takes
    `pending` nuisance into account, but it does not fall here. The limits of `play` are for both pairs.
    """
    pivot, satellite = np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1])
    heights = heights_of(board)
    count = fill_placements(heights, pivot, satellite, play.limits, play.table, tries.candidates)
    best, nodes = best_of(board, count, pairs, turn, pending, play, tries)
    place = tries.candidates[best]
    after, _, chain, points = lock(board, heights, int(place[0]), int(place[1]), pivot, satellite, play.table)
    return after, chain, points, nodes


@kernel
def best_of(
    board: Board, count: Scalar, pairs: Pairs, turn: Scalar, pending: Scalar, play: Play, tries: Tries
) -> tuple[Scalar, Scalar]:
    """Returns the index of the best of the first `count` candidates of pair `turn`, and the number of evaluated fields.

    The rest is as in `take_turn`.
    """
    values = tries.values
    pair = (np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1]))
    following = (np.int64(pairs[turn + 1, 0]), np.int64(pairs[turn + 1, 1]))
    nodes = search_two_plies(board, tries.candidates[:count], pair, following, pending, play, values)
    best = 0
    for index in range(1, count):
        if values[index] > values[best]:
            best = index
    return best, nodes


@kernel
def play_game(pairs: Pairs, play: Play, tries: Tries, figures: NDArray[np.int64]) -> None:
    """Play one game from an empty field, until it is lost or only the last pair, which is only seen, is left.

    `pairs` is uint8 (n + 1, 2). `figures` (FIGURES,), zeros, are filled. The rest is as in `take_turn`.
    """
    board, pending = empty_board(), np.int64(0)
    for turn in range(len(pairs) - 1):
        board, chain, points, nodes = take_turn(board, pairs, turn, pending, play, tries)
        left, right = filled(board)
        puyos = popcount(left) + popcount(right)
        figures[_SCORE] += points
        figures[_PIECES] += 1
        figures[_NODES] += nodes
        figures[_BEST_CHAIN] = max(figures[_BEST_CHAIN], chain)
        figures[_BEST_SCORE] = max(figures[_BEST_SCORE], points)
        figures[_MAX_PUYOS] = max(figures[_MAX_PUYOS], puyos)
        figures[_ALL_CLEARS] += puyos == 0
        if is_dead(board, play.table):
            figures[_DIED] = 1
            return
    figures[_KEPT] = figures[_SCORE]
