"""The chains that a field is ready for, and the best of them cell by cell; knows no search and no text.

A trigger is as in board/triggers.py: a column, a colour, and the fewest puyos of it that set off a chain there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.chains import MOST_ADDED
from emubot.games.colours.board.resolve import pop_step
from emubot.games.colours.board.words import Cells, board_of, removed
from emubot.games.colours.layout import HALF, LANE
from emubot.games.colours.rules import COLORS, COLUMNS, MOST_STORED_ROWS, Rules
from emubot.games.colours.scoring import Table, table_of
from emubot.jit import Scalar, kernel


@dataclass(frozen=True, slots=True)
class Trigger:
    """Puyos of a colour on top of a column, the lowest `height` rows above the floor, and the chain they set off."""

    color: int
    column: int
    height: int
    puyos: int
    steps: int
    points: int


@kernel
def number_chain(cells: Cells, table: Table, steps: NDArray[np.int64]) -> tuple[Scalar, Scalar]:
    """Write the step in which each cell of a settled field pops, 0 for never; returns the chain's length and points.

    `cells` and `steps` are (stored rows, 6); `cells` stay.
    """
    board, stored = board_of(cells), len(cells)
    origins = np.zeros((COLUMNS, MOST_STORED_ROWS), dtype=np.int64)
    for column in range(COLUMNS):
        for level in range(stored):
            origins[column, level] = stored - 1 - level
            steps[level, column] = 0
    chain, points = 0, 0
    while True:
        step, more = pop_step(board, table, chain + 1)
        if step[0] | step[1] == 0:
            return chain, points
        gone_a, gone_b = step[2], step[3]
        chain += 1
        points += more
        for column in range(COLUMNS):
            gone = (gone_a if column < HALF else gone_b) >> column % HALF * LANE
            level_after = 0
            for level in range(stored):
                if gone >> level & 1:
                    steps[origins[column, level], column] = chain
                else:
                    origins[column, level_after] = origins[column, level]
                    level_after += 1
        board = removed(board, gone_a, gone_b)


def triggers_on(cells: Cells, rules: Rules) -> list[Trigger]:
    """Returns the triggers of a settled field without groups, by colour, then by column."""
    table, steps = table_of(rules), np.zeros(cells.shape, dtype=np.int64)
    linking = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    heights = np.count_nonzero(cells, axis=0).tolist()
    found = []
    for color in range(1, COLORS + 1):
        for column, height in enumerate(heights):
            for puyos in range(1, min(MOST_ADDED, linking - height) + 1):
                after = with_trigger(cells, color, column, puyos)
                chain, points = number_chain(after, table, steps)
                if chain:
                    found.append(Trigger(color, column, height, puyos, int(chain), int(points)))
                    break
    return found


def best_trigger(triggers: list[Trigger], value: Callable[[Trigger], float]) -> Trigger | None:
    """Returns the trigger of the highest value, the first of equal ones; None if there is none."""
    return max(triggers, key=value, default=None)


def with_trigger(cells: Cells, color: int, column: int, puyos: int) -> Cells:
    """Returns the field with puyos of a colour on top of a column."""
    after = cells.copy()
    top = len(cells) - int(np.count_nonzero(cells[:, column]))
    after[top - puyos : top, column] = color
    return after


def steps_of(cells: Cells, trigger: Trigger, rules: Rules) -> NDArray[np.int64]:
    """Returns the step in which each cell pops, 0 for never, int64 (stored rows, 6), the trigger's puyos included."""
    after = with_trigger(cells, trigger.color, trigger.column, trigger.puyos)
    steps = np.zeros(cells.shape, dtype=np.int64)
    number_chain(after, table_of(rules), steps)
    return steps
