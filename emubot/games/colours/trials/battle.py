"""Battles of pairs, turn by turn, two players in one kernel; knows no frames, no items, no RAM and no file.

Time is simplified. In each turn both players lock one pair at the same time, without knowing the other's move. A chain
of any length takes no time. Its nuisance falls after the opponent's lock of the next turn; if that lock pops something,
`scoring.nuisance_falling` decides by the rules. Attacks of the same turn do not meet: under offset rules an attack
cancels only nuisance from earlier turns. Turns have no duration, so nuisance never gets cheaper (`margin_frames`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.nuisance import MOST_PENDING, Exchange, Order, attack, rained_on
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import empty_board
from emubot.games.colours.search.two_plies import Play
from emubot.games.colours.trials.untimed import Pairs, Tries, take_turn
from emubot.jit import kernel

FIGURES: Final = ("wins", "draws", "pieces", "score", "best_chain", "sent", "nodes")
_WINS, _DRAWS, _PIECES, _SCORE, _BEST_CHAIN, _SENT, _NODES = range(len(FIGURES))


@kernel
def play_battle(
    pairs: Pairs,
    order: Order,
    exchange: Exchange,
    first: Play,
    second: Play,
    tries: Tries,
    figures: NDArray[np.int64],
) -> None:
    """Play one battle of two weights from empty fields, until a player loses or only the last pair is left.

    Both players get the same `pairs`, uint8 (n + 1, 2). A player whose spawn cell is filled after a turn has lost; if
    both lose in the same turn, or neither by the end, the battle is a draw. `order`, int64 (n, 6), is a permutation of
    the columns for each turn: nuisance that is not a full row falls in its first columns, the same for both players,
    so that no side has an advantage. `figures` (FIGURES,), zeros, are filled from the view of the first player. The
    rest is as for `take_turn`.
    """
    mine, yours, table = empty_board(), empty_board(), first.table
    my_pending = your_pending = my_bonus = your_bonus = np.int64(0)
    for turn in range(len(pairs) - 1):
        mine, chain, points, nodes = take_turn(mine, pairs, turn, my_pending, first, tries)
        yours, your_chain, your_points, _ = take_turn(yours, pairs, turn, your_pending, second, tries)
        sent, my_pending, my_bonus = attack(mine, chain, points, my_pending, my_bonus, table, exchange)
        your_sent, your_pending, your_bonus = attack(
            yours, your_chain, your_points, your_pending, your_bonus, table, exchange
        )
        mine, my_pending = rained_on(mine, my_pending, chain, order, turn, table)
        yours, your_pending = rained_on(yours, your_pending, your_chain, order, turn, table)
        my_pending = min(my_pending + your_sent, exchange[MOST_PENDING])
        your_pending = min(your_pending + sent, exchange[MOST_PENDING])
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
