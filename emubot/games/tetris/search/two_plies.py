"""The kernels of lookahead over the current and the next piece, all pairs of placements; knows no RAM and no generator.

The value of a pair comes from its features (evaluation.py): the features of both locks are summed, and the board
features are those of the board after both.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.arrays import copy
from emubot.games.tetris.board.board import (
    FULL_ROW,
    LANE,
    LANES,
    ORIENTATION_OF_LANE,
    Rows,
    Words,
    cells_in_full_rows,
    clear_rows,
    fill_fits,
    write_piece,
)
from emubot.games.tetris.evaluation.evaluation import Player, value_of
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, Stacks, placement_features, stacks_of
from emubot.games.tetris.reach import das
from emubot.games.tetris.reach.start import fill_locks
from emubot.games.tetris.reach.state import Begin, History, InputRules, Scratch
from emubot.games.tetris.rules import COLUMNS, ROWS, SPAWN_COLUMN
from emubot.games.tetris.scoring import level_after
from emubot.jit import Scalar, kernel, lean
from emubot.tempo import MAX_PERIOD

DEAD: Final = -1e12  # added to the value of a placement after which the next piece cannot lock anywhere
MOST_LOCKS: Final = 4 * ROWS * COLUMNS
UNKNOWN: Final = -1  # as the next piece


@kernel
def search_locks(
    rows: Rows,
    locks: NDArray[np.int64],
    next_piece: Scalar,
    player: Player,
    values: NDArray[np.float64],
) -> Scalar:
    """Fill values (n,) of locks (n, 3); returns the number of boards evaluated. `next_piece`: see search_two_plies."""
    after, final = np.empty_like(rows), np.empty_like(rows)
    fits, next_locks = np.empty(ROWS + 1, dtype=np.int64), np.empty(ROWS, dtype=np.int64)
    features, firsts = np.zeros(FEATURES), np.zeros(FIRST_BOARD_FEATURE)
    stacks = np.empty(COLUMNS, dtype=np.int64)
    nodes = 0
    for index in range(len(locks)):
        copy(rows, after)
        _place(after, locks[index, 0], locks[index, 1], locks[index, 2], features)
        copy(features[:FIRST_BOARD_FEATURE], firsts)
        value = -np.inf
        if next_piece >= 0:
            fill_fits(after, next_piece, fits)
            falling = fits[0]
            for row in range(ROWS):
                next_locks[row] = falling & ~fits[row + 1]
                falling &= fits[row + 1]
            value, leaves = _best_lock(after, final, next_piece, next_locks, stacks, features, firsts, player)
            nodes += leaves
        if value == -np.inf:
            copy(firsts, features)
            stacks_of(after, stacks)
            value = value_of(stacks, ROWS, features, player) + (DEAD if next_piece >= 0 else 0.0)
            nodes += 1
        values[index] = value
    return nodes


@kernel
def search_two_plies(
    rows: Rows,
    piece: Scalar,
    begin: Begin,
    next_piece: Scalar,
    level: Scalar,
    lines: Scalar,
    gravity: Words,
    input_rules: InputRules,
    player: Player,
    found: NDArray[np.int64],
    values: NDArray[np.float64],
) -> tuple[Scalar, Scalar]:
    """Fill found (800, 3) with (orientation, column, row) of each lock and values (800,); returns (locks, nodes).

    `piece` and `next_piece` (-1: unknown) are indices of rules.PIECE_NAMES; `gravity` is frames per row by level.
    """
    after, final = np.empty_like(rows), np.empty_like(rows)
    fits, next_fits = np.empty(ROWS + 1, dtype=np.int64), np.empty(ROWS + 1, dtype=np.int64)
    locks, next_locks = np.empty(ROWS, dtype=np.int64), np.empty(ROWS, dtype=np.int64)
    features, firsts = np.zeros(FEATURES), np.zeros(FIRST_BOARD_FEATURE)
    stacks = np.empty(COLUMNS, dtype=np.int64)
    scratch = Scratch(np.empty(MAX_PERIOD, dtype=np.int64), np.empty((2, das.BLOCKS, das.WAITS), dtype=np.int64))
    unrecorded = History(
        np.empty((0, 1), dtype=np.int64),
        np.empty((0, das.BLOCKS, das.WAITS), dtype=np.int64),
        np.empty(0, dtype=np.int64),
    )
    reaction = input_rules.reaction
    next_begin = Begin(0, SPAWN_COLUMN, 0, 0, 0, reaction, reaction, 0, 0, 0)

    count, nodes = 0, 0
    fill_fits(rows, piece, fits)
    pull = gravity[min(level, len(gravity) - 1)]
    fill_locks(fits, LANES[piece], begin, pull, input_rules, scratch, locks, unrecorded)
    for row in range(ROWS):
        for lane in range(LANES[piece]):
            orientation = ORIENTATION_OF_LANE[piece, lane]
            columns = locks[row] >> (LANE * lane) & FULL_ROW
            for column in range(COLUMNS):
                if not columns >> column & 1:
                    continue
                copy(rows, after)
                removed = _place(after, orientation, column, row, features)
                copy(features[:FIRST_BOARD_FEATURE], firsts)
                value = -np.inf
                if next_piece >= 0:
                    next_level = level_after(level, lines, removed)
                    pull = gravity[min(next_level, len(gravity) - 1)]
                    fill_fits(after, next_piece, next_fits)
                    fill_locks(
                        next_fits, LANES[next_piece], next_begin, pull, input_rules, scratch, next_locks, unrecorded
                    )
                    value, leaves = _best_lock(after, final, next_piece, next_locks, stacks, features, firsts, player)
                    nodes += leaves
                if value == -np.inf:
                    copy(firsts, features)
                    stacks_of(after, stacks)
                    value = value_of(stacks, ROWS, features, player) + (DEAD if next_piece >= 0 else 0.0)
                    nodes += 1
                found[count, 0], found[count, 1], found[count, 2] = orientation, column, row
                values[count] = value
                count += 1
    return count, nodes


@lean
def _best_lock(
    rows: Rows,
    after: Rows,
    piece: Scalar,
    locks: Words,
    stacks: Stacks,
    features: NDArray[np.float64],
    firsts: NDArray[np.float64],
    player: Player,
) -> tuple[float, Scalar]:
    """Returns the best value of all locks (-inf if there is none) and their number.

    `firsts` are the features of the lock before, which are added to those of each lock. `after`, `stacks` and
    `features` are working memory.
    """
    best, count = -np.inf, 0
    for row in range(ROWS):
        if locks[row] == 0:
            continue
        for lane in range(LANES[piece]):
            orientation = ORIENTATION_OF_LANE[piece, lane]
            columns = locks[row] >> (LANE * lane) & FULL_ROW
            for column in range(COLUMNS):
                if columns >> column & 1:
                    copy(rows, after)
                    _place(after, orientation, column, row, features)
                    for index in range(FIRST_BOARD_FEATURE):
                        features[index] += firsts[index]
                    stacks_of(after, stacks)
                    best = max(best, value_of(stacks, ROWS, features, player))
                    count += 1
    return best, count


@lean
def _place(rows: Rows, orientation: Scalar, column: Scalar, row: Scalar, features: NDArray[np.float64]) -> Scalar:
    """Lock the piece on the board in place and write the lock's features; returns the number of rows counted."""
    write_piece(rows, orientation, column, row)
    own_cells = cells_in_full_rows(rows, orientation, row)
    removed = clear_rows(rows, row)
    placement_features(orientation, row, removed, own_cells, features)
    return removed
