"""Lookahead over all drops of the known pieces; knows no generator and no game.

The value of a sequence of drops comes from the board after it and the sum of the features of its locks. A drop that
tops out ends the sequence: DEAD for that piece and each after it. Ties go to the piece in play before the one put
aside, then to the lower pivot, the smaller orientation id, the smaller column.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, lock_features
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.textbook.board import (
    FIRST_ORIENTATION,
    PIVOT_ROW,
    TALL,
    WIDTH,
    Words,
    drop,
    drops_of,
    topped_out,
)
from emubot.games.tetris.textbook.changes import best_drop
from emubot.games.tetris.textbook.lanes import Memory, memory_for
from emubot.games.tetris.textbook.rules import COLUMNS_AT, HOLD_AT, PLIES_AT, ROWS_AT
from emubot.jit import Scalar, lean

NO_PIECE: Final = -1
# A choice: the option (0 = the piece in play, 1 = the other one, by hold), orientation, leftmost column, pivot row.
OPTION_AT, ORIENTATION_AT, LEFT_AT, PIVOT_AT = range(4)

# The working memory of a search: boards int64 (plies + 1, columns), the first is the one in play; sums of lock features
# float64 (plies + 1, FIRST_BOARD_FEATURE), the first all 0; features float64 (FEATURES,); choices int64 (plies, 4);
# nodes int64 (1,): the boards evaluated so far, lost ones included; that of the last drop, from lanes.
Scratch = tuple[
    NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], Memory
]


def scratch_for(rules: Words) -> Scratch:
    """Returns the working memory for these rules, with an empty board."""
    plies = int(rules[PLIES_AT])
    return (
        np.zeros((plies + 1, rules[COLUMNS_AT]), dtype=np.int64),
        np.zeros((plies + 1, FIRST_BOARD_FEATURE)),
        np.zeros(FEATURES),
        np.zeros((plies, 4), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        memory_for(),
    )


@lean
def best_move(hold: Scalar, queue: Words, rules: Words, player: Player, scratch: Scratch) -> float:
    """Returns the value of the best sequence of drops on the first board of `scratch`.

    The first choice of `scratch` is then its first drop. `queue` holds the known pieces, the one in play first; `hold`
    is the one put aside (NO_PIECE: none yet).
    """
    # Without these variables the compiler would make a separate version for each constant.
    start, aside = np.int64(0), np.int64(hold)
    return _best_from(start, start, aside, queue, rules, player, scratch)


@lean
def _best_from(
    depth: Scalar, at: Scalar, hold: Scalar, queue: Words, rules: Words, player: Player, scratch: Scratch
) -> float:
    """Like best_move, on board `depth` of `scratch`, where queue[at] is the piece in play."""
    best = -np.inf
    choices = scratch[3]
    for option in range(1 + rules[HOLD_AT]):
        piece: Scalar = NO_PIECE
        kept, following = hold, at + 1
        if option == 0:
            if at < len(queue):
                piece = queue[at]
        elif hold >= 0:
            # If the piece to put aside is not known yet, nothing can be searched for it.
            piece, kept = hold, queue[at] if at < len(queue) else NO_PIECE
        elif at + 1 < len(queue):
            piece, kept, following = queue[at + 1], queue[at], at + 2
        if piece < 0:
            continue
        if depth + 1 == rules[PLIES_AT]:
            value = _last_drop(depth, piece, option, best, rules, player, scratch)
        else:
            value = best
            boards, sums, _, _, nodes, _ = scratch
            for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
                for left in range(rules[COLUMNS_AT] - WIDTH[orientation] + 1):
                    lowest, removed, own = drop(boards[depth], boards[depth + 1], orientation, left)
                    if topped_out(boards[depth + 1], rules[ROWS_AT]):
                        found = DEAD * (rules[PLIES_AT] - depth)
                        nodes[0] += 1
                    else:
                        lock_features(
                            lowest, lowest + TALL[orientation] - 1, rules[ROWS_AT], removed, own, sums[depth + 1]
                        )
                        for index in range(FIRST_BOARD_FEATURE):
                            sums[depth + 1, index] += sums[depth, index]
                        found = _best_from(depth + 1, following, kept, queue, rules, player, scratch)
                    pivot = lowest + PIVOT_ROW[orientation]
                    if found > value or (
                        found == value and choices[depth, OPTION_AT] == option and pivot < choices[depth, PIVOT_AT]
                    ):
                        value = found
                        _note(choices, depth, option, orientation, left, pivot)
        best = max(best, value)
    return best


@lean
def _last_drop(
    depth: Scalar, piece: Scalar, option: Scalar, best: float, rules: Words, player: Player, scratch: Scratch
) -> float:
    """Returns the value of the last piece's best drop if it is better than `best`, and notes the drop; else `best`."""
    boards, sums, features, choices, nodes, memory = scratch
    nodes[0] += drops_of(piece, rules[COLUMNS_AT])
    value, orientation, left, pivot = best_drop(
        boards[depth], boards[depth + 1], piece, rules[ROWS_AT], sums[depth], player, features, memory
    )
    if value > best:
        _note(choices, depth, option, orientation, left, pivot)
        return value
    return best


@lean
def _note(
    choices: NDArray[np.int64], depth: Scalar, option: Scalar, orientation: Scalar, left: Scalar, pivot: Scalar
) -> None:
    choices[depth, OPTION_AT], choices[depth, ORIENTATION_AT] = option, orientation
    choices[depth, LEFT_AT], choices[depth, PIVOT_AT] = left, pivot
