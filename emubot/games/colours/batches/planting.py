"""Where the targets of a stage grow, compiled; knows no generator.

The twin of plant in simulator/matching_field.py.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from emubot.games.colours.board.groups import Cells, color_at
from emubot.games.colours.matching_rules import EMPTY, LINK_STEP, TARGET
from emubot.games.colours.simulator.matching_field import NEAR
from emubot.jit import Scalar, lean

_STEPS: Final = np.array(LINK_STEP[1:], dtype=np.int64)


@lean
def plant(cells: Cells, height: Scalar, colors: Scalar, number: Scalar, drawn: Scalar) -> None:
    """Add target `number` of a stage in the lowest rows, `height` of them.

    `drawn` is the cell in which it should be: of those rows in reading order.
    """
    rows, columns = cells.shape
    size = height * columns
    for step in range(size):
        place = (drawn + step) % size
        row, column = rows - height + place // columns, place % columns
        if cells[row, column] != EMPTY:
            continue
        for turn in range(colors):
            color = (number + turn) % colors + 1
            suits = True
            for side in range(len(_STEPS)):
                y, x = row + NEAR * _STEPS[side, 1], column + NEAR * _STEPS[side, 0]
                if 0 <= y < rows and 0 <= x < columns and color_at(cells, y, x) == color:
                    suits = False
            if suits:
                cells[row, column] = TARGET + color
                return
    for step in range(size):
        place = (drawn + step) % size
        row, column = rows - height + place // columns, place % columns
        if cells[row, column] == EMPTY:
            cells[row, column] = TARGET + number % colors + 1
            return
