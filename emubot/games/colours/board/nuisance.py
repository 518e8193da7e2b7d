"""The nuisance that two players of pairs send each other, turn by turn, for kernels; knows no player and no frames."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.words import Board, filled, with_nuisance
from emubot.games.colours.rules import COLUMNS, NUISANCE, Rules
from emubot.games.colours.scoring import OFFSET_AT, STORED_AT, Table, nuisance_falling
from emubot.jit import Scalar, inlined, kernel

# The layout of an exchange, int64 (4,): the rules that the kernel needs and the table does not have.
_PRICE, _MOST_SENT, MOST_PENDING, _ALL_CLEAR = range(4)
_NO_LIMIT: Final = 0xFFFF  # if the rules keep the excess; as in the frame simulator

Exchange = NDArray[np.int64]
Order = NDArray[np.int64]


def exchange_of(rules: Rules) -> Exchange:
    """Returns points per nuisance puyo, maximum per attack, maximum pending for a player, points of an all-clear."""
    most = _NO_LIMIT if rules.keeps_excess else rules.nuisance_cap
    return np.array([rules.nuisance_points, most, most, rules.all_clear_points], dtype=np.int64)


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
    """Returns the nuisance that a turn sends, the player's pending nuisance, and the bonus for the next attack.

    `board`, `chain` and `points` are the results of the lock; `bonus` are the points of an earlier all-clear.
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
    """Returns the board after pending nuisance has fallen, full rows first, and the nuisance still pending."""
    amount = nuisance_falling(table, pending, chain)
    if amount == 0:
        return board, pending
    extra = 0
    for index in range(amount % COLUMNS):
        extra |= 1 << order[turn, index]
    return with_nuisance(board, amount // COLUMNS, extra, NUISANCE, table[STORED_AT]), pending - amount
