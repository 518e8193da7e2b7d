"""Named features of a field, and what they measure; knows no search and no RAM.

Definitions change only together with FEATURE_VERSION. A new feature is added at the end; its weight is 0 in older
files. Words of the definitions: a *window* is a straight piece of the field of as many cells as a line needs, in a
direction in which lines are looked for. A *gap* is an empty cell of a window above the stack of its column, so that a
piece can fall there; it is *ripe* if it is the next cell to be filled in its column. A window counts if all that is
filled in it has one colour and all that is empty in it are gaps. The *room* of a column is by how many rows a piece
enters it above all stacks on its way and there (entry.py); less than ROOM rows lack. The rows above a column's line
upright, with the run of one colour on its top, are those that a piece has not fallen yet when it gets there.

| feature | what it is |
|---|---|
| targets | targets on the field |
| filled | filled cells that are no targets |
| ready, target_ready | windows that lack one cell, and the gap is ripe; without and with a target in them |
| unripe, target_unripe | windows that lack one cell, and the gap is not ripe |
| begun, target_begun | windows that lack two cells |
| target_alone | windows of a target and three gaps |
| buried | for each target, the cells above it in its column that have another colour |
| covered | targets with such a cell above them |
| high_targets | the sum of the squares of the heights of all targets, in units of 16 |
| stifled | for each covered target, the square of its column's height, in units of 16 |
| shut | targets in columns that a piece cannot enter in time |
| changes_down, changes_across | neighbours of different colours, one above the other, and side by side |
| holes | empty cells below a filled one of their column |
| highest | rows from the floor to the highest filled cell |
| high | the sum of the squares of all columns' heights, in units of 16 |
| entry | the square of the height of the highest column of the entry, in units of 16 |
| roughness | the sum of the differences in height of neighbouring columns |
| closed | columns that a piece cannot enter in time |
| tight, narrow | for each column with a target, and each other one: the square of the rows that its room lacks |
| cleared | cells that vanished in the moves that led here |
| chain | steps after the first of the chains that led here |
| lines | lines that vanished in the moves that led here |
| sealed | targets in columns with too few rows above for a line upright |
| brink | for each column with a target: the square of the rows that lack until SPARE rows are spare for such a line |
| chance | a pseudo-random number from 0 to 1 from the cells alone: a player with only this feature is random |
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import lowest, popcount
from emubot.games.matching.board.board import Cells, color_at
from emubot.games.matching.board.law import Law
from emubot.games.matching.reach.entry import Drops, fill_rooms
from emubot.games.matching.rules import COLORS, DIAGONALS, EMPTY, GROUPS, TARGET
from emubot.jit import Scalar, inlined, lean

FEATURE_VERSION: Final = 1
FEATURE_NAMES: Final = (
    *("targets", "filled", "ready", "unripe", "begun", "target_ready", "target_unripe", "target_begun", "target_alone"),
    *("buried", "covered", "high_targets", "stifled", "shut", "changes_down", "changes_across", "holes", "highest"),
    *("high", "entry", "roughness", "closed", "cleared", "chain", "lines", "chance"),
    *("tight", "narrow", "sealed", "brink"),
)
FEATURES: Final = len(FEATURE_NAMES)
(
    TARGETS_AT,
    FILLED,
    READY,
    UNRIPE,
    BEGUN,
    T_READY,
    T_UNRIPE,
    T_BEGUN,
    T_ALONE,
    BURIED,
    COVERED,
    HIGH_TARGETS,
    STIFLED,
    SHUT,
) = range(14)
CHANGES_DOWN, CHANGES_ACROSS, HOLES, HIGHEST, HIGH, ENTRY, ROUGHNESS, CLOSED = range(14, 22)
CLEARED, CHAIN, LINES_AT, CHANCE, TIGHT, NARROW, SEALED, BRINK = range(22, FEATURES)
ROOM: Final = 6  # rows above a column of which none lacks
SPARE: Final = 4  # rows above a line upright of which none lacks

_UNIT: Final = 1.0 / 16.0
_BYTE: Final = 8  # bits for the number of cells of a colour in a column

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
def measure(
    cells: Cells,
    tops: NDArray[np.int64],
    law: Law,
    drops: Drops,
    later: Drops,
    masks: Masks,
    rooms: NDArray[np.int64],
    values: Values,
) -> None:
    """Write all features of a field but those of the moves and `chance` into `values` (FEATURES,).

    `tops` are those of the field (entry.fill_tops); `drops` are those of the next piece, `later` those
    of pieces much later. `masks` and `rooms`, int64
    (columns,), are scratch memory.
    """
    for index in range(FEATURES):
        values[index] = 0.0
    rows, columns = cells.shape
    highest: Scalar = np.int64(rows)
    for column in range(columns):
        highest = min(highest, tops[column])
    first: Scalar = max(highest - law.size, 0)
    _fill_masks(cells, tops, first, masks, values)
    _measure_neighbours(rows, highest, masks, values)
    _measure_heights(rows, tops, law, values)
    fill_rooms(tops, law, later, rooms)
    aimed = _measure_rooms(rows, highest, rooms, masks, values)
    _measure_brink(cells, tops, law, drops, aimed, values)
    if law.match != GROUPS:
        _measure_upright(cells, tops, law.size, values)
        _measure_across(rows, first, law.size, masks, values)
    if law.match == DIAGONALS:
        _measure_slope(rows, first, law.size, 1, masks, values)
        _measure_slope(rows, first, law.size, -1, masks, values)


@lean
def _fill_masks(cells: Cells, tops: NDArray[np.int64], first: Scalar, masks: Masks, values: Values) -> None:
    """Write the masks of all rows from `first` on, and the features that count cells."""
    rows, columns = cells.shape
    targets, filled, buried, covered, holes, high, stifled = 0, 0, 0, 0, 0, 0, 0
    for mask in range(MASKS):
        for row in range(first, rows):
            masks[mask, row] = 0
    for column in range(columns):
        bit = 1 << column
        top = tops[column]
        for row in range(first, top):
            masks[IS_GAP, row] |= bit
        if top > 0:
            masks[IS_RIPE, top - 1] |= bit
        above, counted = np.int64(0), np.int64(0)
        for row in range(top, rows):
            kind = np.int64(cells[row, column])
            if kind == EMPTY:
                holes += 1
                continue
            masks[IS_FILLED, row] |= bit
            color = kind - TARGET if kind > TARGET else kind
            own: Scalar = np.int64(0)
            if color <= COLORS:
                masks[IS_COLOR + color, row] |= bit
                own = counted >> _BYTE * color & (1 << _BYTE) - 1
                counted += 1 << _BYTE * color
            if kind > TARGET:
                masks[IS_TARGET, row] |= bit
                targets += 1
                high += (rows - row) * (rows - row)
                buried += above - own
                if above > own:
                    covered += 1
                    stifled += (rows - top) * (rows - top)
            else:
                filled += 1
            above += 1
    values[TARGETS_AT], values[FILLED], values[BURIED], values[COVERED] = targets, filled, buried, covered
    values[HOLES], values[HIGH_TARGETS], values[STIFLED] = holes, high * _UNIT, stifled * _UNIT


@lean
def _measure_neighbours(rows: Scalar, highest: Scalar, masks: Masks, values: Values) -> None:
    down, across = np.int64(0), np.int64(0)
    for row in range(highest, rows):
        filled = masks[IS_FILLED, row]
        beside = filled & filled >> 1
        under = filled & masks[IS_FILLED, row + 1]
        for color in range(1, COLORS + 1):
            own = masks[IS_COLOR + color, row]
            beside &= ~(own & own >> 1)
            under &= ~(own & masks[IS_COLOR + color, row + 1])
        across += popcount(beside)
        down += popcount(under)
    values[CHANGES_DOWN], values[CHANGES_ACROSS] = down, across


@lean
def _measure_heights(rows: Scalar, tops: NDArray[np.int64], law: Law, values: Values) -> None:
    highest, high, rough = np.int64(0), np.int64(0), np.int64(0)
    columns = len(tops)
    for column in range(columns):
        height = rows - tops[column]
        highest = max(highest, height)
        high += height * height
        if column + 1 < columns:
            rough += abs(tops[column] - tops[column + 1])
    entry = np.int64(0)
    for cell in range(law.entry.shape[0]):
        entry = max(entry, rows - tops[law.entry[cell, 0]])
    values[HIGHEST], values[HIGH], values[ENTRY] = highest, high * _UNIT, entry * entry * _UNIT
    values[ROUGHNESS] = rough


@lean
def _measure_rooms(rows: Scalar, highest: Scalar, rooms: NDArray[np.int64], masks: Masks, values: Values) -> Scalar:
    """Measure the rooms of columns; returns the mask of those with a target."""
    closed, aimed = np.int64(0), np.int64(0)
    for column in range(len(rooms)):
        closed |= (rooms[column] < 0) << column
    for row in range(highest, rows):
        targets = masks[IS_TARGET, row]
        aimed |= targets
        values[SHUT] += popcount(targets & closed)
    values[CLOSED] = popcount(closed)
    for column in range(len(rooms)):
        lack = ROOM - max(rooms[column], -1)
        if lack > 0:
            values[TIGHT if aimed >> column & 1 else NARROW] += lack * lack
    return aimed


@lean
def _measure_brink(
    cells: Cells, tops: NDArray[np.int64], law: Law, drops: Drops, aimed: Scalar, values: Values
) -> None:
    """Measure how many rows are spare above the columns of the mask `aimed` for a line upright."""
    rows, columns = cells.shape
    for column in range(columns):
        if aimed >> column & 1:
            top, run = tops[column], np.int64(1)
            color = color_at(cells, top, column)
            while run < law.size and top + run < rows and color_at(cells, top + run, column) == color != 0:
                run += 1
            spare = top - (law.size - run) - drops[abs(column - law.spawn_column)]
            if spare < 0:
                for row in range(top, rows):
                    values[SEALED] += cells[row, column] > TARGET
            lack = SPARE - max(spare, -1)
            if lack > 0:
                values[BRINK] += lack * lack


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
def _measure_across(rows: Scalar, first: Scalar, size: Scalar, masks: Masks, values: Values) -> None:
    """Count the windows in rows."""
    for row in range(first, rows):
        gaps = masks[IS_GAP, row]
        for color in range(1, COLORS + 1):
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
def _measure_slope(rows: Scalar, first: Scalar, size: Scalar, slope: Scalar, masks: Masks, values: Values) -> None:
    """Count the windows of one diagonal: `slope` is the rows that one goes down with each column, 1 or -1."""
    begin = first if slope > 0 else first + size - 1
    end = rows if slope < 0 else rows - size + 1
    for row in range(begin, end):
        for color in range(1, COLORS + 1):
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
