"""Which cells of a field touch in one colour: the only flood fill on cells, for fields of any size and order of rows.

Marks are stamps, so that none is ever wiped off: each look for groups takes a fresh one.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.matching_rules import COLORS, TARGET
from emubot.jit import Scalar, inlined, lean

Cells = NDArray[Any]  # uint8 (rows, columns)

SHIFT: Final = 4  # bits of a column in a cell's number
COLUMN: Final = (1 << SHIFT) - 1
_STAMPS: Final = 2  # of each look: of cells that were seen, and of those that vanish


class Marks(NamedTuple):
    """Memory of a look for groups or lines: one for each thread.

    `seen` has the shape of the field; a cell that vanishes has the stamp and one. `stack` has room for all cells.
    """

    seen: NDArray[np.int64]
    stamp: NDArray[np.int64]
    stack: NDArray[np.int64]


def marks_for(rows: int, columns: int) -> Marks:
    """Returns fresh memory for fields of this size."""
    return Marks(
        np.zeros((rows, columns), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(rows * columns, dtype=np.int64)
    )


@inlined
def color_at(cells: Cells, row: Scalar, column: Scalar) -> Scalar:
    """Returns the colour of a cell, the same for a target; 0 for all that never matches."""
    kind = np.int64(cells[row, column])
    if kind > TARGET:
        kind -= TARGET
    return kind if kind <= COLORS else np.int64(0)


@lean
def fresh_stamp(stamp: NDArray[np.int64]) -> Scalar:
    """Returns the stamp of cells that are seen from now on; no cell has it or the one after it."""
    stamp[0] += _STAMPS
    return stamp[0]


@inlined
def group_from(
    cells: Cells,
    row: Scalar,
    column: Scalar,
    end: Scalar,
    stamp: Scalar,
    seen: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> Scalar:
    """Returns the size of a coloured cell's group in the rows 0 to `end` - 1.

    Its cells are marked with the stamp, and are the first in the stack: the row's number shifted by SHIFT, the column.
    """
    columns, kind = cells.shape[1], np.int64(cells[row, column])
    alike = kind - TARGET if kind > TARGET else kind + TARGET  # the target of a colour, or the colour of a target
    stack[0] = row << SHIFT | column
    seen[row, column] = stamp
    count, done = 1, 0
    while done < count:
        y, x = stack[done] >> SHIFT, stack[done] & COLUMN
        done += 1
        for side in range(4):
            j = y + (1 if side == 0 else -1 if side == 1 else 0)
            i = x + (1 if side == 2 else -1 if side == 3 else 0)
            if not (0 <= j < end and 0 <= i < columns) or seen[j, i] == stamp:
                continue
            if cells[j, i] == kind or cells[j, i] == alike:
                seen[j, i] = stamp
                stack[count] = j << SHIFT | i
                count += 1
    return count
