"""Numbers as environments: a step drops the number in a column; games beside each other, in plain Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.batch import Batch, Counter
from emubot.games.lots import draw
from emubot.looks import numbered
from tests.games.toy_family.options import DealtValues
from tests.games.toy_family.rules import ALIKE, COLUMNS, NUMBERS, ROWS


class NumbersBatch(Batch):
    rate = 2.0
    looks = numbered(NUMBERS)
    numbers = (Counter("number", 1, NUMBERS), Counter("triples", 0, 2**62))
    actions = tuple(f"column {column}" for column in range(COLUMNS))

    def __init__(self, dealt: DealtValues, games: int) -> None:
        super().__init__(games, ROWS, COLUMNS, masked=True)
        self._digits = dealt.digits

    def _begin(self, game: int) -> None:
        self.boards[game], self.counters[game] = 0, 0
        self.rewards[game], self.ended[game] = 0.0, False
        self._show(game)

    def _show(self, game: int) -> None:
        self.counters[game, 0] = 1 + draw(self._lots[game], self._digits)
        self.mask[game] = self.boards[game, 0] == 0

    def _step(self, actions: NDArray[np.int64]) -> bool:
        if not ((actions >= 0) & (actions < COLUMNS)).all():
            return False
        for game, action in enumerate(actions.tolist()):
            if self.ended[game]:
                self._begin(game)
                continue
            board = self.boards[game]
            column = next(c % COLUMNS for c in range(action, action + COLUMNS) if board[0, c % COLUMNS] == 0)
            top = int((board[:, column] == 0).sum()) - 1
            board[top, column] = self.counters[game, 0]
            alike = board[top : top + ALIKE, column]
            gained = len(alike) == ALIKE and len(set(alike.tolist())) == 1
            if gained:
                alike[:] = 0
            self.rewards[game], self.counters[game, 1] = gained, self.counters[game, 1] + gained
            self._show(game)
            self.ended[game] = not self.mask[game].any()
        return True

    def _coming(self, column: int) -> NDArray[np.int64]:
        number = self.counters[:, 0]
        return np.stack([np.zeros_like(number), np.full_like(number, column), number], axis=1)[:, None]
