"""The kernel of lookahead over the piece in the air and the pieces to come; knows no memory and no motion.

All locks of the first piece are valued, then all straight drops of the second after each. From the third piece on, only
the best boards are kept (a beam). The value of a line of locks is that of its last board, with the features of all
its locks summed.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.anyboard.board import Outlines, lock, resting_row
from emubot.games.tetris.evaluation.evaluation import Player, value_of
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE, Stacks
from emubot.games.tetris.search.two_plies import DEAD
from emubot.jit import Scalar, kernel, lean

HIGH: Final = -1e6  # added to the value of a board with cells above the visible rows
BEAM: Final = 40  # boards kept from the second piece on
MOST_SHAPES: Final = 8  # of one piece


@kernel
def search_queue(
    stacks: Stacks,
    rows: Scalar,
    locks: NDArray[np.int64],
    queue: NDArray[np.int64],
    entries: NDArray[np.int64],
    outlines: Outlines,
    player: Player,
    values: NDArray[np.float64],
) -> Scalar:
    """Fill values (n,) of locks (n, 3) of (shape, leftmost column, lowest row); returns the boards evaluated.

    `queue` (pieces, MOST_SHAPES) has the shapes of each piece to come, ended by -1, and `entries` (pieces, columns) the
    cells where it enters, as a board. A lock after which the next piece cannot enter or lock is valued DEAD less.
    """
    count, columns = len(locks), len(stacks)
    features = np.zeros(FEATURES)
    boards, sums = np.empty((count, columns), dtype=np.int64), np.empty((count, FIRST_BOARD_FEATURE))
    roots = np.arange(count)
    after, visible = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    for index in range(count):
        lock(stacks, boards[index], locks[index, 0], locks[index, 1], locks[index, 2], rows, outlines, features)
        for feature in range(FIRST_BOARD_FEATURE):
            sums[index, feature] = features[feature]
        values[index] = _worth(boards[index], visible, rows, features, player)
    nodes = count
    best = np.empty(count)
    for piece in range(len(queue)):
        kept_boards = np.empty((BEAM, columns), dtype=np.int64)
        kept_sums, kept_values = np.empty((BEAM, FIRST_BOARD_FEATURE)), np.empty(BEAM)
        kept_roots = np.empty(BEAM, dtype=np.int64)
        kept, least = 0, 0
        best[:] = -np.inf
        for state in range(len(roots)):
            board, root = boards[state], roots[state]
            if _blocked(board, entries[piece]):
                continue
            for choice in range(MOST_SHAPES):
                shape = queue[piece, choice]
                if shape < 0:
                    break
                for left in range(columns - outlines.width[shape] + 1):
                    lowest = resting_row(board, shape, left, outlines)
                    if lowest + outlines.tall[shape] > rows:
                        continue
                    lock(board, after, shape, left, lowest, rows, outlines, features)
                    for feature in range(FIRST_BOARD_FEATURE):
                        features[feature] += sums[state, feature]
                    value = _worth(after, visible, rows, features, player)
                    nodes += 1
                    best[root] = max(best[root], value)
                    if kept == BEAM and value <= kept_values[least]:
                        continue
                    place = least
                    if kept < BEAM:
                        place = kept
                        kept += 1
                    kept_values[place], kept_roots[place] = value, root
                    for column in range(columns):
                        kept_boards[place, column] = after[column]
                    for feature in range(FIRST_BOARD_FEATURE):
                        kept_sums[place, feature] = features[feature]
                    least = _least(kept_values, kept)
        _settle(values, best, roots)
        if kept == 0:
            break
        boards, sums, roots = kept_boards[:kept], kept_sums[:kept], kept_roots[:kept]
    return nodes


@lean
def _worth(board: Stacks, visible: Stacks, rows: Scalar, features: NDArray[np.float64], player: Player) -> float:
    """Returns the value of a board that may have cells above its visible rows; `visible` is working memory."""
    high = 0.0
    for column in range(len(board)):
        visible[column] = board[column] & ((1 << rows) - 1)
        if board[column] >> rows:
            high = HIGH
    return value_of(visible, rows, features, player) + high


@lean
def _blocked(board: Stacks, entry: Stacks) -> bool:
    """Returns whether a piece that enters in these cells meets a filled one."""
    for column in range(len(board)):
        if board[column] & entry[column]:
            return True
    return False


@lean
def _least(values: NDArray[np.float64], count: Scalar) -> Scalar:
    """Returns the index of the smallest of the first `count` values."""
    least = 0
    for index in range(1, count):
        if values[index] < values[least]:
            least = index
    return least


@lean
def _settle(values: NDArray[np.float64], best: NDArray[np.float64], roots: NDArray[np.int64]) -> None:
    """Write the values of the locks after one more piece: `best` (-inf: none), for the locks in `roots`.

    A lock of which every board of the beam is lost is lost. Those that left the beam stay below all that are in it.
    """
    lowest = np.inf
    for index in range(len(best)):
        if best[index] > -np.inf:
            lowest = min(lowest, best[index])
    for index in range(len(values)):
        if best[index] > -np.inf:
            values[index] = best[index]
            continue
        searched = False
        for state in range(len(roots)):
            searched = searched or roots[state] == index
        if searched:
            values[index] += DEAD
        elif values[index] > DEAD / 2 and lowest < np.inf:
            values[index] = min(values[index], lowest - 1.0)
