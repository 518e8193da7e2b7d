"""A board of any size and what a piece of any shape does to it, in kernels; knows no motion and no search.

A board is a word for each column, as features.Stacks: bit r is the cell r rows above the floor. Hidden rows are the
bits above the visible ones. Only visible rows are cleared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.anyboard.pieces import MOST_CELLS, Offset
from emubot.games.tetris.evaluation.features import Stacks, lock_features
from emubot.games.tetris.textbook.board import remove_rows
from emubot.jit import Scalar, lean

MOST_ROWS: Final = 60  # hidden ones included, in a word; rows above them are not searched


class Outlines(NamedTuple):
    """Shapes by their index, int64: `columns` (n, 5), each the cells of a column, bit 0 = the shape's lowest row.

    `underside` (n, 5) is the lowest bit of each column. `width` and `tall` are (n,).
    """

    columns: NDArray[np.int64]
    underside: NDArray[np.int64]
    width: NDArray[np.int64]
    tall: NDArray[np.int64]


def outlines_of(shapes: Iterable[frozenset[Offset]]) -> Outlines:
    """Returns the shapes for kernels; each is a set of (columns from its left edge, rows above its lowest row)."""
    given = list(shapes)
    columns = np.zeros((len(given), MOST_CELLS), dtype=np.int64)
    for index, cells in enumerate(given):
        for x, y in cells:
            columns[index, x] |= 1 << y
    underside = np.array([[max((word & -word).bit_length() - 1, 0) for word in one] for one in columns.tolist()])
    width = np.array([1 + max(x for x, _ in cells) for cells in given], dtype=np.int64)
    tall = np.array([1 + max(y for _, y in cells) for cells in given], dtype=np.int64)
    return Outlines(columns, underside.astype(np.int64).reshape(-1, MOST_CELLS), width, tall)


def stacks_from(playfield: NDArray[Any], hidden: NDArray[Any]) -> Stacks:
    """Returns the board of a decoded frame: `playfield` (rows, columns), `hidden` with the lowest row first."""
    cells = np.concatenate([np.asarray(playfield)[::-1], np.asarray(hidden)])[:MOST_ROWS] != 0
    bits = np.int64(1) << np.arange(len(cells), dtype=np.int64)
    stacks: Stacks = np.ascontiguousarray(bits @ cells, dtype=np.int64)
    return stacks


@lean
def resting_row(stacks: Stacks, shape: Scalar, left: Scalar, outlines: Outlines) -> Scalar:
    """Returns the row of the shape's lowest cell after a straight fall; `left` is its leftmost column."""
    row = 0
    for part in range(outlines.width[shape]):
        row = max(row, length(stacks[left + part]) - outlines.underside[shape, part])
    return row


@lean
def lock(
    stacks: Stacks,
    after: Stacks,
    shape: Scalar,
    left: Scalar,
    lowest: Scalar,
    rows: Scalar,
    outlines: Outlines,
    features: NDArray[np.float64],
) -> Scalar:
    """Write the board after a lock, full visible rows removed, to `after`, and the features of the lock.

    The shape's leftmost column is `left`, its lowest row `lowest`; nothing is checked. Returns the rows removed.
    """
    full = np.int64((1 << rows) - 1)
    for column in range(len(stacks)):
        word = stacks[column]
        part = column - left
        if 0 <= part < outlines.width[shape]:
            word |= outlines.columns[shape, part] << lowest
        after[column] = word
        full &= word
    removed = popcount(full)
    own = 0
    if removed:
        for part in range(outlines.width[shape]):
            own += popcount(outlines.columns[shape, part] << lowest & full)
        remove_rows(after, full)
    lock_features(lowest, lowest + outlines.tall[shape] - 1, rows, removed, own, features)
    return removed
