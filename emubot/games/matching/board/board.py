"""The field of a matching game, step by step: lock, lines, removal, a fall by one row; knows no scores and no search.

A field is two uint8 arrays (rows, columns), `cells` and `links`, as rules.py describes; index 0 is the highest stored
row. Every step changes the arrays in place.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.matching.rules import (
    COLORS,
    DIAGONALS,
    EMPTY,
    GROUPS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_UP,
    NO_LINK,
    TARGET,
    Rules,
)
from emubot.jit import Scalar, inlined, kernel

Cells = NDArray[Any]  # uint8 (rows, columns)

_CLEARED: Final = 1  # in marks


def empty_field(rules: Rules) -> tuple[Cells, Cells]:
    """Returns the cells and links of an empty field."""
    shape = (rules.stored_rows, rules.columns)
    return np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)


def put_piece(cells: Cells, links: Cells, rules: Rules, place: tuple[int, int, int], kinds: tuple[int, ...]) -> int:
    """Lock a piece at (orientation, column, row); returns how many of its cells are on the field.

    `row` counts from the highest visible row. A half above the stored rows is lost, and the other one becomes single.
    """
    orientation, column, row = place
    shape = rules.shapes[orientation]
    put = 0
    for kind, (dx, dy) in zip(kinds, shape, strict=True):
        y = row + dy + rules.hidden_rows
        if y >= 0:
            cells[y, column + dx], links[y, column + dx] = kind, NO_LINK
            put += 1
    if rules.joined and put == len(shape):
        (x1, y1), (x2, y2) = ((column + dx, row + dy + rules.hidden_rows) for dx, dy in shape)
        if y1 == y2:
            links[y1, min(x1, x2)], links[y1, max(x1, x2)] = LINK_RIGHT, LINK_LEFT
        else:
            links[min(y1, y2), x1], links[max(y1, y2), x1] = LINK_DOWN, LINK_UP
    return put


def fits(cells: Cells, rules: Rules, place: tuple[int, int, int]) -> bool:
    """Returns whether all cells of a piece are free at (orientation, column, row); above the field all is free."""
    orientation, column, row = place
    for dx, dy in rules.shapes[orientation]:
        x, y = column + dx, row + dy + rules.hidden_rows
        if not 0 <= x < cells.shape[1] or y >= cells.shape[0] or (y >= 0 and cells[y, x] != EMPTY):
            return False
    return True


@inlined
def color_at(cells: Cells, row: Scalar, column: Scalar) -> Scalar:
    """Returns the colour of a cell, the same for a target; 0 for all that never matches."""
    kind = np.int64(cells[row, column])
    if kind > TARGET:
        kind -= TARGET
    return kind if kind <= COLORS else np.int64(0)


@kernel
def mark_lines(cells: Cells, match: Scalar, size: Scalar, marks: Cells) -> Scalar:
    """Write 1 into `marks` (uint8, as `cells`) for each cell that matches, else 0; returns the number of lines.

    A line is a longest run of one colour in one direction, of `size` cells or more; for GROUPS, all cells of one colour
    that touch side by side, `size` or more.
    """
    marks[:] = 0
    if match == GROUPS:
        return _mark_groups(cells, size, marks)
    rows, columns = cells.shape
    lines = np.int64(0)
    for direction in range(4 if match == DIAGONALS else 2):
        dy = 0 if direction == 0 else 1
        dx = 1 if direction == 0 else (0, 0, 1, -1)[direction]
        for row in range(rows):
            for column in range(columns):
                color = color_at(cells, row, column)
                if color == 0:
                    continue
                y, x = row - dy, column - dx
                if y >= 0 and 0 <= x < columns and color_at(cells, y, x) == color:
                    continue  # the run begins earlier
                length, y, x = 1, row + dy, column + dx
                while y < rows and 0 <= x < columns and color_at(cells, y, x) == color:
                    length, y, x = length + 1, y + dy, x + dx
                if length >= size:
                    lines += 1
                    for step in range(length):
                        marks[row + step * dy, column + step * dx] = _CLEARED
    return lines


@inlined
def _mark_groups(cells: Cells, size: Scalar, marks: Cells) -> Scalar:
    rows, columns = cells.shape
    lines = np.int64(0)
    seen = np.zeros(rows * columns, dtype=np.uint8)
    group = np.empty(rows * columns, dtype=np.int64)
    for start in range(rows * columns):
        color = color_at(cells, start // columns, start % columns)
        if color == 0 or seen[start]:
            continue
        seen[start], group[0] = 1, start
        done, count = 0, 1
        while done < count:
            row, column = group[done] // columns, group[done] % columns
            done += 1
            for side in range(4):
                y, x = row + (0, 0, -1, 1)[side], column + (-1, 1, 0, 0)[side]
                if not (0 <= y < rows and 0 <= x < columns) or seen[y * columns + x]:
                    continue
                if color_at(cells, y, x) == color:
                    seen[y * columns + x], group[count] = 1, y * columns + x
                    count += 1
        if count >= size:
            lines += 1
            for index in range(count):
                marks[group[index] // columns, group[index] % columns] = _CLEARED
    return lines


@kernel
def remove_marked(cells: Cells, links: Cells, marks: Cells) -> tuple[Scalar, Scalar]:
    """Empty all marked cells; a half left over becomes single. Returns the cells and the targets removed."""
    rows, columns = cells.shape
    removed, targets = np.int64(0), np.int64(0)
    for row in range(rows):
        for column in range(columns):
            if marks[row, column]:
                removed += 1
                targets += int(cells[row, column] > TARGET)
                link = links[row, column]
                if link == LINK_LEFT:
                    links[row, column - 1] = NO_LINK
                elif link == LINK_RIGHT:
                    links[row, column + 1] = NO_LINK
                elif link == LINK_UP:
                    links[row - 1, column] = NO_LINK
                elif link == LINK_DOWN:
                    links[row + 1, column] = NO_LINK
                cells[row, column], links[row, column] = EMPTY, NO_LINK
    return removed, targets


@kernel
def fall_a_row(cells: Cells, links: Cells) -> Scalar:
    """Let everything loose fall by one row at once; returns the number of cells that fell.

    Singles fall with nothing below them, joined halves if neither of them has. Targets and obstacles never fall. Rows
    are taken from the lowest up, so a stack falls together.
    """
    rows, columns = cells.shape
    fell = np.int64(0)
    for row in range(rows - 2, -1, -1):
        for column in range(columns):
            if cells[row, column] == EMPTY or cells[row, column] > COLORS or cells[row + 1, column] != EMPTY:
                continue
            link = links[row, column]
            if link in (LINK_LEFT, LINK_DOWN):
                continue  # falls with its other half: the left one, or the lower one
            cells[row + 1, column], links[row + 1, column] = cells[row, column], link
            if link == LINK_RIGHT:
                if cells[row + 1, column + 1] != EMPTY:
                    cells[row + 1, column], links[row + 1, column] = EMPTY, NO_LINK
                    continue
                cells[row + 1, column + 1], links[row + 1, column + 1] = cells[row, column + 1], LINK_LEFT
                cells[row, column + 1], links[row, column + 1] = EMPTY, NO_LINK
                fell += 1
            cells[row, column], links[row, column] = EMPTY, NO_LINK
            fell += 1
            if link == LINK_UP:
                cells[row, column], links[row, column] = cells[row - 1, column], LINK_DOWN
                cells[row - 1, column], links[row - 1, column] = EMPTY, NO_LINK
                fell += 1
    return fell
