"""Lookahead over all drops of the known pieces; knows no generator and no game.

The value of a sequence of drops comes from the board after it and the sum of the features of its locks. A drop that
tops out ends the sequence: DEAD for that piece and each after it. Ties go to the piece in play before the one put
aside, then to the lower pivot, the smaller orientation id, the smaller column.

By the rule `expect` the last piece's best drops are compared by what can follow: the mean over all seven pieces, each
in its best drop. Of equal ones the one that is better by itself is taken.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.bounds import MOST_EXPECTED
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, lock_features
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.textbook.board import (
    FIRST_ORIENTATION,
    PIECES,
    PIVOT_ROW,
    TALL,
    WIDTH,
    Words,
    drop,
    topped_out,
)
from emubot.games.tetris.textbook.changes import MEMORY, take_best, value_drops
from emubot.games.tetris.textbook.lanes import Memory, write_before
from emubot.games.tetris.textbook.rules import COLUMNS_AT, EXPECT_AT, HOLD_AT, PLIES_AT, ROWS_AT
from emubot.jit import Scalar, inlined, lean

NO_PIECE: Final = -1
# A choice: the option (0 = the piece in play, 1 = the other one, by hold), orientation, leftmost column, pivot row.
OPTION_AT, ORIENTATION_AT, LEFT_AT, PIVOT_AT = range(4)

# The working memory of a search: boards int64 (plies + 2, columns), the first is the one in play; sums of lock features
# float64 (plies + 1, FIRST_BOARD_FEATURE), the first all 0; features float64 (FEATURES,); choices int64 (plies, 4);
# nodes int64 (1,): the boards evaluated so far, lost ones included; the memory of value_drops; the best drops of the
# last piece int64 (MOST_EXPECTED, 4), as choices.
Scratch = tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    Memory,
    NDArray[np.int64],
]


def scratch_for(rules: Words) -> Scratch:
    """Returns the working memory for these rules, with an empty board."""
    plies = int(rules[PLIES_AT])
    return (
        np.zeros((plies + 2, rules[COLUMNS_AT]), dtype=np.int64),
        np.zeros((plies + 1, FIRST_BOARD_FEATURE)),
        np.zeros(FEATURES),
        np.zeros((plies, 4), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(MEMORY, dtype=np.int64),
        np.zeros((MOST_EXPECTED, 4), dtype=np.int64),
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
    choices, nodes = scratch[3], scratch[4]
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
            for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
                for left in range(rules[COLUMNS_AT] - WIDTH[orientation] + 1):
                    lost, pivot = _drop(depth, orientation, left, rules, scratch)
                    if lost:
                        found = _lost(depth, rules)
                        nodes[0] += 1
                    else:
                        found = _best_from(depth + 1, following, kept, queue, rules, player, scratch)
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
    boards, sums, features, choices, nodes, memory, kept = scratch
    columns, rows = rules[COLUMNS_AT], rules[ROWS_AT]
    write_before(boards[depth], rows, memory)
    count = value_drops(boards[depth], boards[depth + 1], piece, rows, sums[depth], player, features, memory)
    nodes[0] += count
    if rules[EXPECT_AT] == 0:
        value, orientation, left, pivot = take_best(piece, columns, memory)
        if value > best:
            _note(choices, depth, option, orientation, left, pivot)
            best = value
        return best
    # The memory is needed for the boards after these drops.
    count = min(count, rules[EXPECT_AT])
    for rank in range(count):
        _, orientation, left, pivot = take_best(piece, columns, memory)
        _note(kept, rank, option, orientation, left, pivot)
    for rank in range(count):
        value = _expected(depth, kept[rank], rules, player, scratch)
        if value > best:
            _note(choices, depth, option, kept[rank, ORIENTATION_AT], kept[rank, LEFT_AT], kept[rank, PIVOT_AT])
            best = value
    return best


@lean
def _expected(depth: Scalar, choice: Words, rules: Words, player: Player, scratch: Scratch) -> float:
    """Returns the mean value of the best drop after this one, over all pieces."""
    boards, sums, features, _, nodes, memory, _ = scratch
    columns, rows = rules[COLUMNS_AT], rules[ROWS_AT]
    lost, _ = _drop(depth, choice[ORIENTATION_AT], choice[LEFT_AT], rules, scratch)
    if lost:
        return _lost(depth, rules)
    stacks, own = boards[depth + 1], sums[depth + 1]
    write_before(stacks, rows, memory)
    total = 0.0
    for piece in range(PIECES):
        nodes[0] += value_drops(stacks, boards[depth + 2], piece, rows, own, player, features, memory)
        total += take_best(piece, columns, memory)[0]
    return total / PIECES


@lean
def _drop(depth: Scalar, orientation: Scalar, left: Scalar, rules: Words, scratch: Scratch) -> tuple[bool, Scalar]:
    """Write board `depth` after a drop to the next one, and the locks' features until then.

    Returns (whether it topped out, pivot row).
    """
    boards, sums, _, _, _, _, _ = scratch
    lowest, removed, own = drop(boards[depth], boards[depth + 1], orientation, left)
    lock_features(lowest, lowest + TALL[orientation] - 1, rules[ROWS_AT], removed, own, sums[depth + 1])
    for index in range(FIRST_BOARD_FEATURE):
        sums[depth + 1, index] += sums[depth, index]
    return topped_out(boards[depth + 1], rules[ROWS_AT]), lowest + PIVOT_ROW[orientation]


@inlined
def _lost(depth: Scalar, rules: Words) -> float:
    """Returns the value of a top-out by the drop on board `depth`: DEAD for that piece and each after it."""
    return float(DEAD * (rules[PLIES_AT] - depth + (1 if rules[EXPECT_AT] > 0 else 0)))


@lean
def _note(
    choices: NDArray[np.int64], depth: Scalar, option: Scalar, orientation: Scalar, left: Scalar, pivot: Scalar
) -> None:
    choices[depth, OPTION_AT], choices[depth, ORIENTATION_AT] = option, orientation
    choices[depth, LEFT_AT], choices[depth, PIVOT_AT] = left, pivot
