"""Plays one piece without frames: decide, lock, count; knows no simulator, no RAM, no generator and no file.

The search chooses the place of each piece. The level is the cartridge's byte, so 0 follows 255. Points are the
cartridge's, without those of soft drop and without its cap of 999,999.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows, Words, lock
from emubot.games.tetris.evaluation.evaluation import Player
from emubot.games.tetris.reach.state import Begin, InputRules
from emubot.games.tetris.rules import LINE_POINTS, SPAWN_COLUMN
from emubot.games.tetris.scoring import level_after
from emubot.games.tetris.search.two_plies import MOST_LOCKS, search_two_plies
from emubot.jit import Scalar, kernel

_POINTS: Final = np.array(LINE_POINTS, dtype=np.int64)


class Scratch(NamedTuple):
    """The working memory of `place`: the locks found (MOST_LOCKS, 3), their values, and where each piece begins."""

    found: NDArray[np.int64]
    values: NDArray[np.float64]
    begin: Begin


def scratch_for(input_rules: InputRules) -> Scratch:
    """Returns the working memory of `place`, for pieces that move by these rules.

    The wait before a game's first piece falls is left out: on an empty playfield only slow input needs it.
    """
    reaction = input_rules.reaction
    begin = Begin(0, SPAWN_COLUMN, 0, 0, 0, reaction, reaction, 0, 0, 0)
    return Scratch(np.zeros((MOST_LOCKS, 3), dtype=np.int64), np.zeros(MOST_LOCKS), begin)


@kernel
def place(
    rows: Rows,
    piece: Scalar,
    following: Scalar,
    level: Scalar,
    lines: Scalar,
    gravity: Words,
    input_rules: InputRules,
    player: Player,
    scratch: Scratch,
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Lock `piece` in place where the search chooses; returns (lines cleared, new level, points, boards evaluated).

    If the piece can lock nowhere, the lines are -1 and nothing has changed. `lines` counts those of the game so far;
    the other parameters are as in search_two_plies.
    """
    found, values, begin = scratch
    count, nodes = search_two_plies(
        rows, piece, begin, following, level, lines, gravity, input_rules, player, found, values
    )
    if count == 0:
        return -1, level, 0, nodes
    best = first_choice(found, values, count)
    cleared = lock(rows, found[best, 0], found[best, 1], found[best, 2])
    # The cartridge counts lines before points, so these are for the level reached.
    level = level_after(level, lines, cleared)
    return cleared, level, _POINTS[cleared] * (level + 1), nodes


@kernel
def first_choice(found: NDArray[np.int64], values: NDArray[np.float64], count: Scalar) -> Scalar:
    """Returns the index of the best of `count` locks, with ties as in search.py: lower, smaller id, smaller column."""
    best = 0
    for index in range(1, count):
        if values[index] > values[best] or (
            values[index] == values[best]
            and (-found[index, 2], found[index, 0], found[index, 1]) < (-found[best, 2], found[best, 0], found[best, 1])
        ):
            best = index
    return best
