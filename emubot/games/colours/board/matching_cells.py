"""The field of a matching game: locks, lines, removal, falls, and all that follows a lock; knows no scores, no search.

A field is two uint8 arrays (rows, columns), `cells` and `links`, as matching_rules.py describes; index 0 is the highest
stored row. Every step changes the arrays in place.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.games.colours.board.groups import (
    COLUMN,
    SHIFT,
    Cells,
    Marks,
    color_at,
    fresh_stamp,
    group_from,
    marks_for,
)
from emubot.games.colours.matching_rules import (
    COLORS,
    DIAGONALS,
    EMPTY,
    GROUPS,
    LINK_DOWN,
    LINK_LEFT,
    LINK_RIGHT,
    LINK_STEP,
    LINK_UP,
    MOST_COLUMNS,
    MOST_ROWS,
    NO_LINK,
    OPPOSITE,
    TARGET,
    TARGETS,
    VANISHING,
    Rules,
)
from emubot.jit import Scalar, lean

_KINDS: Final = frozenset({*range(VANISHING + 1), *TARGETS})
_LINKS: Final = (LINK_LEFT, LINK_RIGHT, LINK_UP, LINK_DOWN)


class Outcome(NamedTuple):
    """What one move did: steps of its chain, lines, cells and targets that vanished, rows that loose cells fell."""

    chain: Scalar
    lines: Scalar
    removed: Scalar
    targets: Scalar
    rows: Scalar


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


@lean
def mark_lines(cells: Cells, match: Scalar, size: Scalar, marks: Marks) -> Scalar:
    """Mark each cell that matches with a fresh stamp and one; returns the number of lines.

    A line is a longest run of one colour in one direction, of `size` cells or more; for GROUPS, all cells of one colour
    that touch side by side, `size` or more.
    """
    rows, columns = cells.shape
    stamp, lines = fresh_stamp(marks.stamp), np.int64(0)
    gone = stamp + 1
    if match == GROUPS:
        return _mark_groups(cells, size, stamp, marks)
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
                        marks.seen[row + step * dy, column + step * dx] = gone
    return lines


@lean
def _mark_groups(cells: Cells, size: Scalar, stamp: Scalar, marks: Marks) -> Scalar:
    rows, columns = cells.shape
    lines, gone = np.int64(0), stamp + 1
    for row in range(rows):
        for column in range(columns):
            seen = marks.seen[row, column]
            if seen != stamp and seen != gone and color_at(cells, row, column) != 0:
                count = group_from(cells, row, column, rows, stamp, marks.seen, marks.stack)
                if count >= size:
                    lines += 1
                    for number in range(count):
                        marks.seen[marks.stack[number] >> SHIFT, marks.stack[number] & COLUMN] = gone
    return lines


@lean
def remove_marked(cells: Cells, links: Cells, marks: Marks) -> tuple[Scalar, Scalar]:
    """Empty the cells that `mark_lines` marked; a half left over becomes single. Returns cells and targets removed."""
    rows, columns = cells.shape
    removed, targets, gone = np.int64(0), np.int64(0), marks.stamp[0] + 1
    for row in range(rows):
        for column in range(columns):
            if marks.seen[row, column] == gone:
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


@lean
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


def checked_field(cells: Cells, links: Cells) -> tuple[Cells, Cells]:
    """Returns copies as C-ordered uint8. A kind that there is not raises ValueError; a link without its half is cut."""
    array, joints = np.array(cells, dtype=np.uint8, order="C"), np.array(links, dtype=np.uint8, order="C")
    if array.ndim != 2 or array.shape != joints.shape or array.shape[0] > MOST_ROWS or array.shape[1] > MOST_COLUMNS:
        raise ValueError(f"cells and links are both (rows, columns), not {array.shape} and {joints.shape}")
    unknown = {*np.unique(array).tolist()} - _KINDS
    if unknown:
        raise ValueError(f"a cell cannot hold {min(unknown)}")
    rows, columns = array.shape
    for row, column in np.argwhere(joints).tolist():
        link = int(joints[row, column])
        dx, dy = LINK_STEP[link] if link in _LINKS else (0, 0)
        y, x = row + dy, column + dx
        whole = link in _LINKS and 0 <= y < rows and 0 <= x < columns and joints[y, x] == OPPOSITE[link]
        if not whole or not (0 < array[row, column] <= COLORS and 0 < array[y, x] <= COLORS):
            joints[row, column] = NO_LINK
            if whole:
                joints[y, x] = NO_LINK
    return array, joints


def targets_in(cells: Cells) -> int:
    """Returns the number of targets on a field."""
    return int(np.count_nonzero(cells > TARGET))


def resolve_field(cells: Cells, links: Cells, rules: Rules) -> Outcome:
    """Resolve a field in place, as after a lock; returns what vanished."""
    return Outcome(*resolve(cells, links, rules.match, rules.match_size, marks_for(*cells.shape)))


@lean
def resolve(
    cells: Cells, links: Cells, match: Scalar, size: Scalar, marks: Marks
) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """Resolve a field in place: fall as far as possible, remove all lines at once, repeat until no line is left.

    `marks` is scratch memory of the same shape. Returns chain, lines, removed, targets, rows, as in Outcome.
    """
    chain, lines, removed, targets, rows = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    while True:
        while fall_a_row(cells, links) > 0:
            rows += 1
        found = mark_lines(cells, match, size, marks)
        if found == 0:
            return chain, lines, removed, targets, rows
        chain += 1
        lines += found
        gone, aims = remove_marked(cells, links, marks)
        removed += gone
        targets += aims
