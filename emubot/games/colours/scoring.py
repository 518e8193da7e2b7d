"""The rules as a table of numbers for the kernels, and the points of a chain step; knows no groups and no search."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.layout import HALF, LANE
from emubot.games.colours.rules import COLORS, COLUMNS, MOST_STORED_ROWS, Rules
from emubot.jit import Scalar, lean

# The layout of a table of rules, int64 (TABLE_SIZE,).
STORED_AT: Final = 0  # stored rows
VISIBLE_AT: Final = 1  # visible rows
LINKING_AT: Final = 2  # mask of the cells of one column that link and pop, from the floor row up
GROUP_AT: Final = 3  # puyos that make a group
LEAST_AT: Final = 4
MOST_AT: Final = 5
SPAWN_AT: Final = 6  # the spawn column
SPAWN_LEVEL_AT: Final = 7  # the pivot's row at the spawn, in rows above the floor row
DEATH_AT: Final = 8  # two words: the cells that must be empty for the next pair
OFFSET_AT: Final = 10  # 1 if an attack first cancels the player's own pending nuisance
CAP_AT: Final = 11  # maximum nuisance of one fall
POWER_AT: Final = 12
_POWERS = 24
COLOR_AT: Final = POWER_AT + _POWERS
_COLOR_COUNTS = COLORS
BONUS_AT: Final = COLOR_AT + _COLOR_COUNTS
_SIZES = 16
SMALLEST_BONUS: Final = 4  # the group size of the first entry of the group bonus
NEARNESS_AT: Final = BONUS_AT + _SIZES  # by column and height: a stack's nearness to the spawn cell, see `_nearness`
NEARNESS_UNIT: Final = 1_000_000
TABLE_SIZE: Final = NEARNESS_AT + COLUMNS * (MOST_STORED_ROWS + 1)
POINTS_PER_PUYO: Final = 10

Table = NDArray[np.int64]


@cache
def table_of(rules: Rules) -> Table:
    """Returns the table of rules for the kernels. It is the same array for the same rules: do not write to it."""
    table = np.zeros(TABLE_SIZE, dtype=np.int64)
    linking = rules.stored_rows if rules.hidden_pops else rules.visible_rows
    table[STORED_AT] = rules.stored_rows
    table[VISIBLE_AT] = rules.visible_rows
    table[LINKING_AT] = (1 << linking) - 1
    table[GROUP_AT] = rules.group_size
    table[LEAST_AT], table[MOST_AT] = rules.least_multiplier, rules.most_multiplier
    table[SPAWN_AT] = rules.spawn.column
    table[SPAWN_LEVEL_AT] = rules.visible_rows - 1 - rules.spawn.row
    table[OFFSET_AT] = rules.offset
    table[CAP_AT] = rules.nuisance_cap
    for column, row in rules.death_cells:
        table[DEATH_AT + column // HALF] |= 1 << (column % HALF * LANE + rules.visible_rows - 1 - row)
    for first, size, values in (
        (POWER_AT, _POWERS, rules.chain_power),
        (COLOR_AT, _COLOR_COUNTS, rules.color_bonus),
        (BONUS_AT, _SIZES, rules.group_bonus),
    ):
        kept = values[:size]
        table[first : first + size] = (*kept, *(values[-1:] * (size - len(kept))))
    table[NEARNESS_AT:] = _nearness(rules).ravel()
    return table


def _nearness(rules: Rules) -> Table:
    """Returns the summed nearness of a stack's cells to the spawn cell: int64 (6, 15) by column and height.

    In millionths: the spawn cell counts 1, the cell furthest from it (in steps sideways, up and down) 0.
    """
    steps = np.array(
        [
            [
                abs(column - rules.spawn.column) + abs(rules.visible_rows - 1 - rules.spawn.row - level)
                for level in range(MOST_STORED_ROWS)
            ]
            for column in range(COLUMNS)
        ]
    )
    cells = np.clip(1 - steps / steps[:, : rules.stored_rows].max(), 0, None)
    sums: Table = np.zeros((COLUMNS, MOST_STORED_ROWS + 1), dtype=np.int64)
    sums[:, 1:] = np.round(cells.cumsum(axis=1) * NEARNESS_UNIT)
    return sums


@lean
def group_bonus(table: Table, size: Scalar) -> Scalar:
    """Returns the bonus of one group of `size` puyos."""
    return table[BONUS_AT + min(max(size - SMALLEST_BONUS, 0), _SIZES - 1)]


@lean
def step_points(table: Table, chain: Scalar, popped: Scalar, colors: Scalar, bonuses: Scalar) -> Scalar:
    """Returns the points of step number `chain` (from 1); `bonuses` is the sum of the group bonuses."""
    power = table[POWER_AT + min(chain - 1, _POWERS - 1)] + table[COLOR_AT + min(colors - 1, _COLOR_COUNTS - 1)]
    return POINTS_PER_PUYO * popped * min(max(power + bonuses, table[LEAST_AT]), table[MOST_AT])


@lean
def nuisance_falling(table: Table, pending: Scalar, chain: Scalar) -> Scalar:
    """Returns how much pending nuisance falls after a lock; under offset rules none after a lock that popped."""
    if table[OFFSET_AT] and chain:
        return 0
    return min(pending, table[CAP_AT])


def nuisance_of(points: int, rules: Rules) -> int:
    """Returns how many nuisance puyos an attack of `points` sends; capped if the rules drop the excess."""
    count = points // rules.nuisance_points
    return count if rules.keeps_excess else min(count, rules.nuisance_cap)
