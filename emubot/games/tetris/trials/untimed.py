"""Plays one piece without frames: decide, lock, count; knows no simulator, no RAM, no generator and no file.

The search chooses the place of each piece. The level is the cartridge's byte, so 0 follows 255. Points are the
cartridge's, without those of soft drop and without its cap of 999,999.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows, lock
from emubot.games.tetris.rules import LINE_POINTS
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.engine import Engine, decide
from emubot.games.tetris.search.two_plies import MOST_LOCKS
from emubot.jit import Scalar, kernel

_POINTS: Final = np.array(LINE_POINTS, dtype=np.int64)


class PlaceScratch(NamedTuple):
    """The working memory of `place`: the locks found (MOST_LOCKS, 3), and their values."""

    found: NDArray[np.int64]
    values: NDArray[np.float64]


def scratch() -> PlaceScratch:
    """Returns the working memory of `place`."""
    return PlaceScratch(np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS))


@kernel
def place(
    rows: Rows,
    piece: Scalar,
    following: Scalar,
    level: Scalar,
    lines: Scalar,
    engine: Engine,
    scratch: PlaceScratch,
    rises: Scalar,
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Lock `piece` in place where the search chooses; returns (lines cleared, new level, points, boards evaluated).

    If the piece can lock nowhere, the lines are -1 and nothing has changed. `lines` counts those of the game so far.
    The level stays if `rises` is 0, as in B-type.
    The wait before a game's first piece falls is left out: on an empty playfield only slow input needs it.
    """
    found, values = scratch
    _, nodes, best = decide(rows, piece, engine.look.begin, following, lines, level, engine, found, values)
    if best < 0:
        return -1, level, 0, nodes
    cleared = lock(rows, found[best, 0], found[best, 1], found[best, 2])
    # The cartridge counts lines before points, so these are for the level reached.
    level = level_after(level, lines, cleared) if rises else level
    return cleared, level, _POINTS[cleared] * (level + 1), nodes
