"""Battles of pairs flat out, turn by turn, two players in one kernel; knows no frames, no items, no RAM and no file.

Time is simplified: in each turn both players lock one pair at once, having seen neither the other's move nor its
outcome, and a chain takes no time however long it is. What it sends falls after the opponent's lock of the next turn;
if that one pops something, then as `scoring.nuisance_falling` has it for the rules. Attacks of the same turn pass each
other: under offset rules an attack cancels what was sent in earlier turns. A turn has no clock, so that nuisance never
gets cheaper (`margin_frames`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.board.board import Board, empty_board, filled, with_nuisance
from emubot.games.puyo.board.resolve import is_dead
from emubot.games.puyo.evaluation.evaluation import Scales
from emubot.games.puyo.rules import COLUMNS, NUISANCE, Rules
from emubot.games.puyo.scoring import OFFSET_AT, STORED_AT, Table, nuisance_falling
from emubot.games.puyo.search.two_plies import Candidates
from emubot.games.puyo.trials.untimed import Pairs, take_turn
from emubot.jit import Scalar, inlined, kernel

FIGURES: Final = ("wins", "draws", "pieces", "score", "best_chain", "sent", "nodes")
_WINS, _DRAWS, _PIECES, _SCORE, _BEST_CHAIN, _SENT, _NODES = range(len(FIGURES))

# The layout of an exchange, int64 (4,): what the kernel needs of the rules beside their table.
_PRICE, _MOST_SENT, _MOST_PENDING, _ALL_CLEAR = range(4)
_NO_LIMIT: Final = 0xFFFF  # as the frame simulator, where rules keep the excess

Exchange = NDArray[np.int64]
Order = NDArray[np.int64]


def exchange_of(rules: Rules) -> Exchange:
    """Points for one nuisance puyo, most of one attack, most on its way to a player, points of an all-clear."""
    most = _NO_LIMIT if rules.keeps_excess else rules.nuisance_cap
    return np.array([rules.nuisance_points, most, most, rules.all_clear_points], dtype=np.int64)


@kernel
def play_battle(
    pairs: Pairs,
    order: Order,
    limits: Scalar,
    table: Table,
    exchange: Exchange,
    first: Scales,
    second: Scales,
    candidates: Candidates,
    values: NDArray[np.float64],
    figures: NDArray[np.int64],
) -> None:
    """One battle of two weights from empty fields until somebody loses or only the last of the pairs is left.

    `pairs`, uint8 (n + 1, 2), come to both players; whose spawn cell is filled after a turn has lost, and where both
    are, or neither at the end, it is a draw. `order`, int64 (n, 6), holds a permutation of the columns for each turn:
    what is left over of falling nuisance comes down in the first of them, for both players alike, so that no side is
    better off. figures (FIGURES,), zeros, are filled as the first player sees them; the rest is as for `take_turn`.
    """
    mine = yours = empty_board()
    my_pending = your_pending = my_bonus = your_bonus = np.int64(0)
    for turn in range(len(pairs) - 1):
        mine, chain, points, nodes = take_turn(mine, pairs, turn, my_pending, limits, table, first, candidates, values)
        yours, your_chain, your_points, _ = take_turn(
            yours, pairs, turn, your_pending, limits, table, second, candidates, values
        )
        sent, my_pending, my_bonus = attack(mine, chain, points, my_pending, my_bonus, table, exchange)
        your_sent, your_pending, your_bonus = attack(
            yours, your_chain, your_points, your_pending, your_bonus, table, exchange
        )
        mine, my_pending = rained_on(mine, my_pending, chain, order, turn, table)
        yours, your_pending = rained_on(yours, your_pending, your_chain, order, turn, table)
        my_pending = min(my_pending + your_sent, exchange[_MOST_PENDING])
        your_pending = min(your_pending + sent, exchange[_MOST_PENDING])
        figures[_PIECES] += 1
        figures[_SCORE] += points
        figures[_BEST_CHAIN] = max(figures[_BEST_CHAIN], chain)
        figures[_SENT] += sent
        figures[_NODES] += nodes
        lost, beaten = is_dead(mine, table), is_dead(yours, table)
        if lost or beaten:
            figures[_WINS] = beaten and not lost
            figures[_DRAWS] = beaten and lost
            return
    figures[_DRAWS] = 1


@kernel
def attack(
    board: Board,
    chain: Scalar,
    points: Scalar,
    pending: Scalar,
    bonus: Scalar,
    table: Table,
    exchange: Exchange,
) -> tuple[Scalar, Scalar, Scalar]:
    """What a turn sends, what is still on its way to the player, and the points that its next attack has beforehand.

    `board`, `chain` and `points` are what the lock came to; `bonus` are the points of an all-clear before it.
    """
    if chain == 0:
        return 0, pending, bonus
    amount = min((points + bonus) // exchange[_PRICE], exchange[_MOST_SENT])
    if table[OFFSET_AT]:
        cancelled = min(amount, pending)
        amount -= cancelled
        pending -= cancelled
    left, right = filled(board)
    return amount, pending, exchange[_ALL_CLEAR] if left | right == 0 else 0


@inlined
def rained_on(
    board: Board, pending: Scalar, chain: Scalar, order: Order, turn: Scalar, table: Table
) -> tuple[Board, Scalar]:
    """The board after what falls of the nuisance on its way, full rows first, and what is left of it."""
    amount = nuisance_falling(table, pending, chain)
    if amount == 0:
        return board, pending
    extra = 0
    for index in range(amount % COLUMNS):
        extra |= 1 << order[turn, index]
    return with_nuisance(board, amount // COLUMNS, extra, NUISANCE, table[STORED_AT]), pending - amount
