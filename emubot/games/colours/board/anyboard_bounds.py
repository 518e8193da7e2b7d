"""The size and the points of a field of any size as arrays for its kernels; knows no cells and no search."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.rules import TSU, Rules
from emubot.games.colours.scoring import NEARNESS_UNIT, Table, table_of
from emubot.jit import Scalar
from emubot.tempo import Tempo

Limits = NDArray[np.int64]


class Bounds(NamedTuple):
    """A field for the kernels. Levels are rows above the floor row.

    `linking` is the number of levels that link and pop, `spawn` the spawn column. `death` is int64 (cells, 2): column
    and level of the cells that must be empty for the next pair. `nearness` is int64 (columns, stored + 1): by column
    and height a stack's nearness to the spawn cell. `table` is that of scoring.py; only its points count.
    """

    columns: Scalar
    stored: Scalar
    visible: Scalar
    linking: Scalar
    group: Scalar
    spawn: Scalar
    death: NDArray[np.int64]
    nearness: NDArray[np.int64]
    table: Table


class Scratch(NamedTuple):
    """Memory of the kernels: one for each thread.

    `marks` and `trial` have the shape of the field, and `stack` has room for all its cells. A mark is a `stamp`, so
    that none is ever wiped off. `changed` is the lowest level of each column in which a cell has changed since the last
    look for groups.
    """

    marks: NDArray[np.int64]
    stamp: NDArray[np.int64]
    stack: NDArray[np.int64]
    changed: NDArray[np.int64]
    trial: NDArray[np.uint8]
    trial_heights: NDArray[np.int64]


@cache
def bounds_of(rules: Rules) -> Bounds:
    """Returns the bounds for the kernels. The arrays are the same for the same rules: do not write to them."""
    points = replace(
        TSU,
        chain_power=rules.chain_power,
        color_bonus=rules.color_bonus,
        group_bonus=rules.group_bonus,
        least_multiplier=rules.least_multiplier,
        most_multiplier=rules.most_multiplier,
        offset=rules.offset,
        nuisance_cap=rules.nuisance_cap,
    )
    top = rules.visible_rows - 1
    return Bounds(
        rules.columns,
        rules.stored_rows,
        rules.visible_rows,
        rules.stored_rows if rules.hidden_pops else rules.visible_rows,
        rules.group_size,
        rules.spawn.column,
        np.array([(column, top - row) for column, row in rules.death_cells], dtype=np.int64),
        _nearness(rules),
        table_of(points),
    )


def scratch_of(rules: Rules) -> Scratch:
    """Returns fresh memory for the kernels."""
    shape = (rules.stored_rows, rules.columns)
    return Scratch(
        np.zeros(shape, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(shape[0] * shape[1], dtype=np.int64),
        np.zeros(shape[1], dtype=np.int64),
        np.zeros(shape, dtype=np.uint8),
        np.zeros(shape[1], dtype=np.int64),
    )


def limits_of(rules: Rules, tempo: Tempo | None = None, gravity: int = 0) -> Limits:
    """Returns the most puyos that each column may have for a pair to enter and pass it: int64 (columns,).

    Without a tempo a column is open until its top visible row is filled. `gravity` is frames per row. A pair makes its
    n-th shift `reaction` + (n - 1) `period` frames after its spawn at the earliest, and must not land on a stack before
    its last shift. To pass a column it needs one shift more than to enter it. Rotations share the frames of shifts;
    latency is ignored. An empty column can always be entered, even by late inputs.
    """
    highest, spawn = rules.visible_rows - 1, rules.spawn
    limits = np.full(rules.columns, highest, dtype=np.int64)
    for column in range(rules.columns):
        if tempo is not None and column != spawn.column:
            shifts = abs(column - spawn.column) + (0 < column < rules.columns - 1)  # it must be passed, too
            fallen = (tempo.reaction + (shifts - 1) * tempo.period) // gravity
            limits[column] = min(max(highest - spawn.row - fallen, 0), highest)
    return limits


def _nearness(rules: Rules) -> NDArray[np.int64]:
    level = rules.visible_rows - 1 - rules.spawn.row
    across = abs(np.arange(rules.columns) - rules.spawn.column)
    steps = across[:, None] + abs(np.arange(rules.stored_rows) - level)
    sums = np.zeros((rules.columns, rules.stored_rows + 1), dtype=np.int64)
    sums[:, 1:] = np.round((1 - steps / steps.max()).cumsum(axis=1) * NEARNESS_UNIT)
    return sums
