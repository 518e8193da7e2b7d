"""What the kernels need of the rules, as numbers, and what a chain step is worth; knows no groups and no search."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.rules import COLORS, COLUMNS, MOST_STORED_ROWS, Rules
from emubot.games.puyo.words import HALF, LANE
from emubot.jit import Scalar, kernel

# The layout of a table of rules, int64 (TABLE_SIZE,).
STORED_AT: Final = 0  # stored rows
VISIBLE_AT: Final = 1  # visible rows
LINKING_AT: Final = 2  # the cells of one column that link and pop, a mask from the floor row up
GROUP_AT: Final = 3  # puyos that make a group
LEAST_AT: Final = 4
MOST_AT: Final = 5
SPAWN_AT: Final = 6  # the column pairs come from
SPAWN_LEVEL_AT: Final = 7  # where the pivot appears, in rows above the floor row
DEATH_AT: Final = 8  # two words: the cells that must be empty for the next pair
OFFSET_AT: Final = 10  # 1 where an attack first cancels the nuisance on its way
CAP_AT: Final = 11  # most nuisance of one fall
POWER_AT: Final = 12
_POWERS = 24
COLOR_AT: Final = POWER_AT + _POWERS
_COLOR_COUNTS = COLORS
BONUS_AT: Final = COLOR_AT + _COLOR_COUNTS
_SIZES = 16
SMALLEST_BONUS: Final = 4  # the group size that the first entry of the group bonus is for
NEARNESS_AT: Final = BONUS_AT + _SIZES  # by column and height: how near a stack is to the spawn cell, see below
NEARNESS_UNIT: Final = 1_000_000
TABLE_SIZE: Final = NEARNESS_AT + COLUMNS * (MOST_STORED_ROWS + 1)
POINTS_PER_PUYO: Final = 10

Table = NDArray[np.int64]


@cache
def table_of(rules: Rules) -> Table:
    """The rules as the kernels take them: the same array for the same rules, not to be written."""
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
    """How near the cells of a stack are to the spawn cell, summed: int64 (6, 15) by column and height.

    A cell there is worth 1, the cell furthest from it (in steps sideways, up and down) 0, in millionths.
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


@kernel
def group_bonus(table: Table, size: Scalar) -> Scalar:
    """The bonus of one group of so many puyos."""
    return table[BONUS_AT + min(max(size - SMALLEST_BONUS, 0), _SIZES - 1)]


@kernel
def step_points(table: Table, chain: Scalar, popped: Scalar, colors: Scalar, bonuses: Scalar) -> Scalar:
    """The points of one step of a chain, the first being 1: `bonuses` is the sum over its groups."""
    power = table[POWER_AT + min(chain - 1, _POWERS - 1)] + table[COLOR_AT + min(colors - 1, _COLOR_COUNTS - 1)]
    return POINTS_PER_PUYO * popped * min(max(power + bonuses, table[LEAST_AT]), table[MOST_AT])


@kernel
def nuisance_falling(table: Table, pending: Scalar, chain: Scalar) -> Scalar:
    """How much of the nuisance on its way falls after a lock: under offset rules, nothing after one that popped."""
    if table[OFFSET_AT] and chain:
        return 0
    return min(pending, table[CAP_AT])


def nuisance_of(points: int, rules: Rules) -> int:
    """How many nuisance puyos an attack of so many points sends, the cap applied where the excess is lost."""
    count = points // rules.nuisance_points
    return count if rules.keeps_excess else min(count, rules.nuisance_cap)
