"""Measures the features of a field (matching_names.py); knows no search and no RAM."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import popcount
from emubot.games.colours.board.groups import Cells, color_at
from emubot.games.colours.board.matching_law import Law
from emubot.games.colours.evaluation.matching_names import (
    BRINK,
    BURIED,
    CHANGES_ACROSS,
    CHANGES_DOWN,
    CLOSED,
    COVERED,
    ENTRY,
    FEATURES,
    FILLED,
    HIGH,
    HIGH_TARGETS,
    HIGHEST,
    HOLES,
    NARROW,
    ROOM,
    ROUGHNESS,
    SEALED,
    SHUT,
    SPARE,
    STIFLED,
    TARGETS_AT,
    TIGHT,
)
from emubot.games.colours.evaluation.matching_windows import (
    IS_COLOR,
    IS_FILLED,
    IS_GAP,
    IS_RIPE,
    IS_TARGET,
    Masks,
    Values,
    measure_windows,
)
from emubot.games.colours.matching_rules import EMPTY, TARGET
from emubot.games.colours.reach.matching_entry import Drops, fill_rooms
from emubot.jit import Scalar, lean

_UNIT: Final = 1.0 / 16.0
_MASK: Final = (1 << 31) - 1  # products of two 31-bit numbers fit a signed word, compiled or not
_FACTOR: Final = 1_812_433_253
_BYTE: Final = 8  # bits for the number of cells of a colour in a column


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

    `tops` are those of the field (entry.fill_tops); `drops` are those of the next piece, `later` those of
    pieces much later. `masks` and `rooms`, int64 (columns,), are scratch memory.
    """
    for index in range(FEATURES):
        values[index] = 0.0
    rows, columns = cells.shape
    highest: Scalar = np.int64(rows)
    for column in range(columns):
        highest = min(highest, tops[column])
    first: Scalar = max(highest - law.size, 0)
    _fill_masks(cells, tops, first, law.colors, masks, values)
    _measure_neighbours(rows, highest, law.colors, masks, values)
    _measure_heights(rows, tops, law, values)
    fill_rooms(tops, law, later, rooms)
    aimed = _measure_rooms(rows, highest, rooms, masks, values)
    _measure_brink(cells, tops, law, drops, aimed, values)
    measure_windows(cells, tops, first, law, masks, values)


@lean
def _fill_masks(
    cells: Cells, tops: NDArray[np.int64], first: Scalar, colors: Scalar, masks: Masks, values: Values
) -> None:
    """Write the masks of all rows from `first` on, and the features that count cells."""
    rows, columns = cells.shape
    targets, filled, buried, covered, holes, high, stifled = 0, 0, 0, 0, 0, 0, 0
    for mask in range(IS_COLOR + colors + 1):
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
            if color <= colors:
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
def _measure_neighbours(rows: Scalar, highest: Scalar, colors: Scalar, masks: Masks, values: Values) -> None:
    down, across = np.int64(0), np.int64(0)
    for row in range(highest, rows):
        filled = masks[IS_FILLED, row]
        beside = filled & filled >> 1
        under = filled & masks[IS_FILLED, row + 1]
        for color in range(1, colors + 1):
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
def chance(cells: Cells) -> float:
    """Returns a pseudo-random number, 0 to below 1, from the cells alone."""
    rows, columns = cells.shape
    state = np.int64(_MASK)
    for row in range(rows):
        for column in range(columns):
            kind = np.int64(cells[row, column])
            if kind != EMPTY:
                state = ((state ^ (kind + 32 * (row * columns + column + 1))) & _MASK) * _FACTOR
                state = (state ^ state >> 31) & _MASK
    return state / (_MASK + 1)
