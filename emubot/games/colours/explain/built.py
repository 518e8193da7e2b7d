"""The chains that a field is ready for, and the best of them cell by cell; knows no search and no text.

A trigger is as in board/triggers.py: a column, a colour, and the fewest puyos of it that set off a chain there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.anyboard_field import field_of
from emubot.games.colours.board.chains import MOST_ADDED
from emubot.games.colours.explain.pair_board import Cells, PairBoard
from emubot.games.colours.rules import COLORS


@dataclass(frozen=True, slots=True)
class Trigger:
    """Puyos of a colour on top of a column, the lowest `height` rows above the floor, and the chain they set off."""

    color: int
    column: int
    height: int
    puyos: int
    steps: int
    points: int


def triggers_on(cells: Cells, board: PairBoard) -> list[Trigger]:
    """Returns the triggers of a settled field without groups, by colour, then by column."""
    rules = board.rules
    linking = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    field, heights = field_of(cells, rules)
    found = []
    for color in range(1, COLORS + 1):
        for column, height in enumerate(heights.tolist()):
            for puyos in range(1, min(MOST_ADDED, linking - height) + 1):
                after, levels = field.copy(), heights.copy()
                after[height : height + puyos, column] = color
                levels[column] += puyos
                chain, points = board.chain(after, levels)
                if chain:
                    found.append(Trigger(color, column, height, puyos, chain, points))
                    break
    return found


def points_ready(cells: Cells, board: PairBoard) -> int:
    """Returns the points of the best chain that two puyos set off; 0 without one."""
    found = triggers_on(board.settled(cells), board)
    return max((trigger.points for trigger in found if trigger.puyos <= 2), default=0)


def best_trigger(triggers: list[Trigger], value: Callable[[Trigger], float]) -> Trigger | None:
    """Returns the trigger of the highest value, the first of equal ones; None if there is none."""
    return max(triggers, key=value, default=None)


def steps_of(cells: Cells, trigger: Trigger, board: PairBoard) -> NDArray[np.int64]:
    """Returns the step in which each cell pops, 0 for never, int64 as `cells`, the trigger's puyos included."""
    after = cells.copy()
    top = len(cells) - trigger.height
    after[top - trigger.puyos : top, trigger.column] = trigger.color
    return board.steps(after)
