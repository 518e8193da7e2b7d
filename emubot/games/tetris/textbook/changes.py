"""Values a piece's drops on one board and finds the best; knows no generator and no game.

The features of the literature are computed for all drops of an orientation at once (lanes). Drops that remove rows, and
all drops if a player needs another feature, a network or tables, are valued one by one on the whole board.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.evaluation import Player, value_of
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, Stacks, lock_features
from emubot.games.tetris.evaluation.names import FEATURE_NAMES
from emubot.games.tetris.search.two_plies import DEAD
from emubot.games.tetris.textbook.board import (
    FIRST_ORIENTATION,
    PIVOT_ROW,
    TALL,
    WIDTH,
    drop,
    drop_by_number,
    drops_of,
    topped_out,
)
from emubot.games.tetris.textbook.lanes import (
    LANES,
    LANES_END,
    LOWEST,
    MARGIN,
    MOST_ROWS,
    SPECIAL,
    VALUE,
    Memory,
    add_covers,
    add_locks,
    add_shape,
    add_steps,
    add_wells,
    write_drops,
)
from emubot.jit import Scalar, lean

# What lanes compute for a player, one bit each. They compute landing_height, row_transitions, column_transitions and
# holes for every player, and of the locks only what a drop without cleared rows has.
_LOCKS, _WELLS, _COVERS, _STEPS, _OTHER = (1 << bit for bit in range(5))
_PART_OF: Final = dict.fromkeys(FEATURE_NAMES[:FIRST_BOARD_FEATURE], 0) | {
    "landing_top_row": _LOCKS,
    "mf_lock_height": _LOCKS,
    "row_transitions": 0,
    "column_transitions": 0,
    "holes": 0,
    "cumulative_wells": _WELLS,
    "hole_depth": _COVERS,
    "rows_with_holes": _COVERS,
    "pattern_diversity": _STEPS,
}
_PARTS: Final = np.array([_PART_OF.get(name, _OTHER) for name in FEATURE_NAMES], dtype=np.int64)

# Behind the lanes, all drops of a piece by number: the value of each, a float64, and its pivot row.
_MOST_DROPS: Final = 64
_VALUES, _PIVOTS = LANES_END, LANES_END + _MOST_DROPS
MEMORY: Final = LANES_END + 2 * _MOST_DROPS  # the size of the working memory, int64

Drop = tuple[float, Scalar, Scalar, Scalar]  # value, orientation, leftmost column, pivot row


@lean
def value_drops(
    stacks: Stacks,
    after: Stacks,
    piece: Scalar,
    rows: Scalar,
    sums: NDArray[np.float64],
    player: Player,
    features: NDArray[np.float64],
    memory: Memory,
) -> Scalar:
    """Write the value of each drop of a piece on `stacks`, a board without a cell above the top row, to `memory`.

    Returns the number of drops. `memory` has this board by write_before. `sums` (FIRST_BOARD_FEATURE,) are the features
    of the locks before it. A drop that tops out has the value DEAD. `after` and `features` are working memory.
    """
    parts = _parts_of(player, sums)
    if parts & _OTHER or rows > MOST_ROWS:
        return value_whole_boards(stacks, after, piece, rows, sums, player, features, memory)
    weights, cells, values = player[0], memory, memory.view(np.float64)
    number = 0
    for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
        end = MARGIN + len(stacks) - WIDTH[orientation] + 1
        for first in range(MARGIN, end, LANES):
            write_drops(orientation, first, rows, sums[0], weights, memory)
            if parts & _LOCKS:
                add_locks(orientation, first, rows, sums, weights, memory)
            add_shape(orientation, first, weights, memory)
            if parts & _WELLS:
                add_wells(first, weights, memory)
            if parts & _COVERS:
                add_covers(orientation, first, weights, memory)
            if parts & _STEPS:
                add_steps(orientation, first, weights, memory)
        for at in range(MARGIN, end):
            values[_VALUES + number] = values[VALUE + at]
            cells[_PIVOTS + number] = cells[LOWEST + at] + PIVOT_ROW[orientation]
            if cells[SPECIAL + at]:
                values[_VALUES + number], _ = _whole_board(
                    stacks, after, orientation, at - MARGIN, rows, sums, player, features
                )
            number += 1
    return number


@lean
def _parts_of(player: Player, sums: NDArray[np.float64]) -> Scalar:
    weights, plan, _ = player
    parts = _OTHER if len(weights) > FEATURES else 0
    for index in range(1, len(plan)):
        parts |= _PARTS[plan[index]]
    for index in range(FIRST_BOARD_FEATURE):
        if sums[index] != 0.0:
            parts |= _LOCKS
    return parts


@lean
def value_whole_boards(
    stacks: Stacks,
    after: Stacks,
    piece: Scalar,
    rows: Scalar,
    sums: NDArray[np.float64],
    player: Player,
    features: NDArray[np.float64],
    memory: Memory,
) -> Scalar:
    """Do what value_drops does with every drop on the whole board, for every player and every board."""
    cells, values = memory, memory.view(np.float64)
    number = 0
    for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
        for left in range(len(stacks) - WIDTH[orientation] + 1):
            values[_VALUES + number], cells[_PIVOTS + number] = _whole_board(
                stacks, after, orientation, left, rows, sums, player, features
            )
            number += 1
    return number


@lean
def _whole_board(
    stacks: Stacks,
    after: Stacks,
    orientation: Scalar,
    left: Scalar,
    rows: Scalar,
    sums: NDArray[np.float64],
    player: Player,
    features: NDArray[np.float64],
) -> tuple[float, Scalar]:
    """Returns (value of one drop, pivot row)."""
    lowest, removed, own = drop(stacks, after, orientation, left)
    pivot = lowest + PIVOT_ROW[orientation]
    if topped_out(after, rows):
        return DEAD, pivot
    lock_features(lowest, lowest + TALL[orientation] - 1, rows, removed, own, features)
    for index in range(FIRST_BOARD_FEATURE):
        features[index] += sums[index]
    return value_of(after, rows, features, player), pivot


@lean
def take_best(piece: Scalar, columns: Scalar, memory: Memory) -> Drop:
    """Returns the best drop of those in `memory`, and leaves the others for the next call.

    Ties go to the lower pivot, the smaller orientation id, the smaller column.
    """
    cells, values = memory, memory.view(np.float64)
    best, pivot, found = -np.inf, 0, 0
    for number in range(drops_of(piece, columns)):
        value = values[_VALUES + number]
        if value > best or (value == best and cells[_PIVOTS + number] < pivot):
            best, pivot, found = value, cells[_PIVOTS + number], number
    values[_VALUES + found] = -np.inf
    orientation, left = drop_by_number(piece, columns, found)
    return best, orientation, left, pivot
