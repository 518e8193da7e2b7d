"""The order in which pieces come in textbook games; knows no board."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.generator import DRAWS, deal
from emubot.games.tetris.textbook.board import PIECES
from emubot.games.tetris.textbook.rules import BAG, NES
from emubot.jit import Scalar, kernel

# The state of a generator, int64 (DEALER_SIZE,): the piece before (-1: none), the number of pieces in the bag, and the
# bag.
_BEFORE_AT, _LEFT_AT, _BAG_AT = 0, 1, 2
DEALER_SIZE: Final = 2 + PIECES

Dealer = NDArray[np.int64]


@kernel
def fresh_dealer(dealer: Dealer) -> None:
    """Reset a dealer for the start of a game: nothing dealt, the bag empty."""
    dealer[_BEFORE_AT], dealer[_LEFT_AT] = -1, 0


@kernel
def next_piece(generator: Scalar, dealer: Dealer, rng: np.random.Generator) -> Scalar:
    """Returns the next piece, an index of rules.PIECE_NAMES."""
    if generator == BAG:
        if dealer[_LEFT_AT] == 0:
            for index in range(PIECES):
                dealer[_BAG_AT + index] = index
            dealer[_LEFT_AT] = PIECES
        taken = _BAG_AT + rng.integers(0, dealer[_LEFT_AT])
        dealer[_LEFT_AT] -= 1
        last = _BAG_AT + dealer[_LEFT_AT]
        piece: Scalar = dealer[taken]
        dealer[taken] = dealer[last]
    elif generator == NES:
        piece = deal(dealer[_BEFORE_AT], rng.integers(0, DRAWS), rng.integers(0, DRAWS))
    else:
        piece = rng.integers(0, PIECES)
    dealer[_BEFORE_AT] = piece
    return piece
