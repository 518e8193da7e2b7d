"""Counts the windows in which a line may come (matching_names.py); knows no search and no RAM."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import lowest
from emubot.games.colours.board.groups import Cells, color_at
from emubot.games.colours.board.matching_law import Law
from emubot.games.colours.evaluation.matching_names import (
    BEGUN,
    READY,
    T_ALONE,
    T_BEGUN,
    T_READY,
    T_UNRIPE,
    UNRIPE,
)
from emubot.games.colours.matching_rules import COLORS, DIAGONALS, GROUPS, TARGET
from emubot.jit import Scalar, inlined, lean

Values = NDArray[np.float64]
# int64 (MASKS, rows + 1), a bit a column: cells of each colour and sort; the last row of each is empty.
Masks = NDArray[np.int64]
IS_FILLED, IS_GAP, IS_RIPE, IS_TARGET = range(4)
IS_COLOR: Final = IS_TARGET  # colour n is IS_COLOR + n
MASKS: Final = IS_COLOR + COLORS + 1


def masks_for(rows: int) -> Masks:
    """Returns the scratch memory of `measure` for fields of so many rows."""
    return np.zeros((MASKS, rows + 1), dtype=np.int64)


@lean
def measure_windows(
    cells: Cells, tops: NDArray[np.int64], first: Scalar, law: Law, masks: Masks, values: Values
) -> None:
    """Add the counts of all windows to `values`; the masks are those of the rows from `first` on."""
    rows = len(cells)
    if law.match != GROUPS:
        _measure_upright(cells, tops, law.size, values)
        _measure_across(rows, first, law, masks, values)
    if law.match == DIAGONALS:
        _measure_slope(rows, first, law, 1, masks, values)
        _measure_slope(rows, first, law, -1, masks, values)


@lean
def _measure_upright(cells: Cells, tops: NDArray[np.int64], size: Scalar, values: Values) -> None:
    """Count the windows in columns: some of the run on top of a column, and gaps above it."""
    rows, columns = cells.shape
    for column in range(columns):
        top = tops[column]
        if top == rows:
            continue
        color = color_at(cells, top, column)
        if color == 0:
            continue
        length, target = np.int64(0), False
        while length < size - 1 and top + length < rows and color_at(cells, top + length, column) == color:
            target = target or cells[top + length, column] > TARGET
            length += 1
            if size - length <= top:
                _count(size - length, True, target, values)


@lean
def _measure_across(rows: Scalar, first: Scalar, law: Law, masks: Masks, values: Values) -> None:
    """Count the windows in rows."""
    size = law.size
    for row in range(first, rows):
        gaps = masks[IS_GAP, row]
        for color in range(1, law.colors + 1):
            own = masks[IS_COLOR + color, row]
            if own == 0:
                continue
            fitting = own | gaps
            whole = fitting
            for step in range(1, size):
                whole &= fitting >> step
            if whole:
                _measure_found(whole, row, color, size, 0, masks, values)


@lean
def _measure_slope(rows: Scalar, first: Scalar, law: Law, slope: Scalar, masks: Masks, values: Values) -> None:
    """Count the windows of one diagonal: `slope` is the rows that one goes down with each column, 1 or -1."""
    size = law.size
    begin = first if slope > 0 else first + size - 1
    end = rows if slope < 0 else rows - size + 1
    for row in range(begin, end):
        for color in range(1, law.colors + 1):
            whole = np.int64(-1)
            for step in range(size):
                y = row + slope * step
                whole &= (masks[IS_COLOR + color, y] | masks[IS_GAP, y]) >> step
            if whole:
                _measure_found(whole, row, color, size, slope, masks, values)


@lean
def _measure_found(
    whole: Scalar, row: Scalar, color: Scalar, size: Scalar, slope: Scalar, masks: Masks, values: Values
) -> None:
    """Count the windows that begin at the columns of `whole`, and have cells of the colour."""
    while whole:
        column = lowest(whole)
        whole &= whole - 1
        missing, ripe, target = np.int64(0), True, False
        for step in range(size):
            y, x = row + slope * step, column + step
            if masks[IS_COLOR + color, y] >> x & 1:
                target = target or masks[IS_TARGET, y] >> x & 1 != 0
            else:
                missing += 1
                ripe = ripe and masks[IS_RIPE, y] >> x & 1 != 0
        if missing < size:
            _count(missing, ripe, target, values)


@inlined
def _count(missing: Scalar, ripe: bool, target: bool, values: Values) -> None:
    """Count a window that lacks so many cells."""
    if missing == 1:
        if target:
            values[T_READY if ripe else T_UNRIPE] += 1.0
        else:
            values[READY if ripe else UNRIPE] += 1.0
    elif missing == 2:
        values[T_BEGUN if target else BEGUN] += 1.0
    elif missing == 3 and target:
        values[T_ALONE] += 1.0
