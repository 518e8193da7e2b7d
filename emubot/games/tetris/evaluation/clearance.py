"""How high a column may be for a vertical I to pass over it to the side in time; knows no search."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import BOARD_ROWS, Rows
from emubot.games.tetris.reach.start import Start, locks_of, reach
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, PIECE_OF, ROWS, Profile
from emubot.tempo import Tempo

_I_VERTICAL: Final = 17
_I: Final = int(PIECE_OF[_I_VERTICAL])
_I_SPAWNED: Final = 18
_KEPT: Final = 64  # tempos: others may ask for any


@lru_cache(_KEPT)
def limits_of(tempo: Tempo, profile: Profile) -> NDArray[np.int64]:
    """Returns the greatest height of each column over which a vertical I still reaches the side, by level.

    int64 (levels, COLUMNS), -1 if the side is out of reach even on an empty board. For the left half the side is column
    0, for the right half it is the last column; that one is 0. Each column is alone on the board.
    """
    limits = np.zeros((len(profile.gravity), COLUMNS), dtype=np.int64)
    known: dict[int, NDArray[np.int64]] = {}
    for level, gravity in enumerate(profile.gravity):
        if gravity not in known:
            known[gravity] = np.array([_limit(column, gravity, tempo, profile) for column in range(COLUMNS)])
        limits[level] = known[gravity]
    limits.setflags(write=False)
    return limits


def _limit(column: int, gravity: int, tempo: Tempo, profile: Profile) -> int:
    if column == COLUMNS - 1:
        return 0
    side = 0 if column < COLUMNS // 2 else COLUMNS - 1
    start = Start(_I_SPAWNED, limiter=tempo.reaction)
    low, high = -1, ROWS + 1  # reached at `low` (-1: not known), out of reach at `high`
    while high - low > 1:
        height = (low + high) // 2
        locks = locks_of(reach(_tower(column, height), start, gravity, tempo, profile), _I)
        if any((orientation, at) == (_I_VERTICAL, side) for orientation, at, _ in locks):
            low = height
        else:
            high = height
    return low


def _tower(column: int, height: int) -> Rows:
    """Returns a board with one column of this height and nothing else."""
    rows: Rows = np.zeros(BOARD_ROWS, dtype=np.uint16)
    rows[HIDDEN_ROWS + ROWS - height :] = 1 << column
    return rows
