"""Values by features: what each feature of a lock and of the board adds; knows no text and no picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.explanation import DepthValue, Part
from emubot.games.tetris.board.board import Rows, cells_in_full_rows, clear_rows, write_piece
from emubot.games.tetris.evaluation.evaluation import Player, value_of
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, placement_features, stacks_of
from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.games.tetris.explain.valued import Lock, ValuedLock, best_of
from emubot.games.tetris.reach import Start, gravity_at, locks_of, reach
from emubot.games.tetris.rules import COLUMNS, ROWS, SPAWN_ORIENTATION, Profile
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.two_plies import DEAD
from emubot.tempo import Tempo

NO_LOCK = "the next piece can lock nowhere"
BEYOND = "network or tables"  # what weights that are not linear add


class LockFeatureEvaluator:
    """Values the locks of one position by two pieces of features."""

    unit = ""
    meaning = "the sum of weight times feature, of this lock, that of the next piece, and the board after both"

    def __init__(
        self, player: Player, rows: Rows, next_piece: int | None, lines: int, level: int, tempo: Tempo, profile: Profile
    ) -> None:
        """`next_piece` is an index of PIECE_NAMES, None if it is not known."""
        self._player, self._rows, self._next = player, rows, next_piece
        self._lines, self._level, self._tempo, self._profile = lines, level, tempo, profile

    def best(self, places: list[Lock], top: int, chosen: Lock) -> list[ValuedLock]:
        """See LockEvaluator."""
        return best_of([self._valued(place) for place in places], top, chosen)

    def _valued(self, place: Lock) -> ValuedLock:
        rows, firsts, cleared = self._placed(self._rows, place, np.zeros(FEATURES))
        alone, parts = self._value(rows, firsts)
        if self._next is None:
            return ValuedLock(place, None, (DepthValue(1, alone),), parts)
        level = level_after(self._level, self._lines, cleared)
        lines = []
        for second in self._locks(rows, int(level)):
            last, features, _ = self._placed(rows, second, firsts)
            lines.append((*self._value(last, features), second))
        if not lines:
            value = alone + DEAD
            return ValuedLock(place, None, (DepthValue(1, alone), DepthValue(2, value)), (*parts, Part(NO_LOCK, DEAD)))
        value, parts, second = max(lines, key=lambda line: line[0])
        return ValuedLock(place, second, (DepthValue(1, alone), DepthValue(2, value)), parts)

    def _locks(self, rows: Rows, level: int) -> list[Lock]:
        assert self._next is not None
        start = Start(
            int(SPAWN_ORIENTATION[self._next]), limiter=self._tempo.reaction, turn_limiter=self._tempo.reaction
        )
        gravity = gravity_at(level, self._profile)
        return locks_of(reach(rows, start, gravity, self._tempo, self._profile), self._next)

    @staticmethod
    def _placed(rows: Rows, place: Lock, before: NDArray[np.float64]) -> tuple[Rows, NDArray[np.float64], int]:
        """Returns the board after a lock, the lock's features added to those before, and the rows removed."""
        rows, features = rows.copy(), np.zeros(FEATURES)
        write_piece(rows, *place)
        own_cells = cells_in_full_rows(rows, place[0], place[2])
        removed = clear_rows(rows, place[2])
        placement_features(place[0], place[2], removed, own_cells, features)
        features[:FIRST_BOARD_FEATURE] += before[:FIRST_BOARD_FEATURE]
        return rows, features, int(removed)

    def _value(self, rows: Rows, locks: NDArray[np.float64]) -> tuple[float, tuple[Part, ...]]:
        """Returns the value of a board with the features of the locks that led to it, and its parts."""
        stacks, features = np.zeros(COLUMNS, dtype=np.int64), locks.copy()
        weights = self._player[0]
        stacks_of(rows, stacks)
        value = float(value_of(stacks, ROWS, features, self._player))
        weighed = np.flatnonzero(weights[:FEATURES])
        parts = [
            Part(FEATURE_NAMES[index], float(weights[index] * features[index]), float(features[index]))
            for index in weighed
        ]
        if len(weights) > FEATURES:
            parts.append(Part(BEYOND, value - sum(part.value for part in parts)))
        return value, tuple(parts)
