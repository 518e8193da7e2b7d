"""What follows a lock, all at once: loose cells fall, lines vanish, until nothing matches; knows no time, no search."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from emubot.games.colours.board.cells import fall_a_row, mark_lines, remove_marked
from emubot.games.colours.board.groups import Cells, Marks, marks_for
from emubot.games.colours.matching_rules import (
    COLORS,
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
