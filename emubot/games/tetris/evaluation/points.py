"""The value of a board, in what is still to come: a sum of table entries; knows no search and no file.

A value is in thousands of points or in lines (course.py), from a board after a lock until the end of the game, with the
next pieces unknown.
layout.py defines the tables. What they miss of a board's value a network may add (network.py).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.bits import length, popcount
from emubot.games.tetris.board.columns import VISIBLE, Stacks
from emubot.games.tetris.evaluation.course import place_at
from emubot.games.tetris.evaluation.layout import (
    STEPS,
    SURFACE_VALUES,
    SURFACES,
    TERMS,
    column_entry,
    first_of_phase,
    surface_entry,
    write_entries,
)
from emubot.games.tetris.evaluation.network import part_of_board
from emubot.games.tetris.evaluation.surfaces import STEEPEST, STEP_VALUES, fitting_pieces
from emubot.games.tetris.rules import COLUMNS, ROWS
from emubot.games.tetris.scoring import level_after
from emubot.jit import Scalar, inlined, lean

FITTING: Final = fitting_pieces(STEPS)


class PointsPlayer(NamedTuple):
    """What a kernel needs for values in points.

    `values` is float32 (ENTRIES,). `limits` is int64 (levels, COLUMNS): the greatest height of a column over which a
    vertical I still reaches the side, by level; the last level's holds for higher ones. `course` and `rewards` are from
    course.py. The tables' game ends at `stop_lines` of the course, which is worth `stop_worth`; 0 means that it goes on
    to the top-out. `qualities` is from surfaces.py. `rises` is 0 where the level stays (B-type), else 1. `network` is
    what the tables miss (network.py), if it is used.
    """

    values: NDArray[np.float32]
    limits: NDArray[np.int64]
    course: NDArray[np.int64]
    rewards: NDArray[np.float64]
    stop_lines: Scalar
    stop_worth: float
    qualities: NDArray[np.uint8]
    rises: Scalar
    network: np.record


@lean
def entries_of_board(stacks: Stacks, lines: Scalar, level: Scalar, player: PointsPlayer, found: Stacks) -> None:
    """Write the entry of each table for a board after `lines` lines at `level` into found (TERMS,).

    Hidden rows do not count.
    """
    limits, lines = player.limits, place_on_course(lines, level, player)
    level = min(level, len(limits) - 1)
    phase = first_of_phase(lines)
    highest, left, right = 0, ROWS, ROWS
    holes = depth = wells = row_changes = column_changes = 0
    hole_rows, taken, ready = 0, 0, VISIBLE
    surface = fitting = volume = 0
    stack, beside, before = stacks[0] & VISIBLE, VISIBLE, 0
    for column in range(COLUMNS):
        following = stacks[column + 1] & VISIBLE if column + 1 < COLUMNS else VISIBLE
        height, covered, below, changes = column_facts(stack)
        highest = max(highest, height)
        if column < COLUMNS - 1:
            if column < COLUMNS // 2:
                left = min(left, limits[level, column] - height)
            else:
                right = min(right, limits[level, column] - height)
            ready &= stack
            volume += height
            if column > 0:
                surface = with_step(surface, height - before)
                if column >= STEPS:
                    fitting |= FITTING[surface % SURFACE_VALUES]
                    found[column - STEPS] = phase + surface_entry(column - STEPS, surface)
        found[SURFACES + column] = phase + column_entry(column, stack, height)
        holes += popcount(covered)
        hole_rows |= covered
        depth += below
        row_changes += popcount(beside ^ stack)
        column_changes += changes
        taken |= stack
        wells += well_cells(beside, stack, following)
        beside, before, stack = stack, height, following
    row_changes += popcount(beside ^ VISIBLE) - 2 * (ROWS - popcount(taken))
    ready_rows = popcount(ready >> before)
    write_entries(
        found,
        phase,
        lines,
        before,
        ready_rows,
        left,
        right,
        highest,
        popcount(hole_rows),
        holes,
        depth,
        wells,
        row_changes,
        column_changes,
        fitting,
        volume,
        int(player.qualities[surface]),
    )


@lean
def gain(removed: Scalar, lines: Scalar, level: Scalar, player: PointsPlayer) -> tuple[float, Scalar, Scalar]:
    """Returns what `removed` lines bring, and the lines and the level after them; see `rewards`."""
    if removed == 0:
        return float(player.rewards[0, 0]), lines, level
    level = level_after(level, lines, removed) if player.rises else level
    lines += removed
    gained = float(player.rewards[removed, place_on_course(lines, level, player)])
    return gained + (player.stop_worth if is_over(lines, level, player) else 0.0), lines, level


@inlined
def is_over(lines: Scalar, level: Scalar, player: PointsPlayer) -> bool:
    """Returns whether the tables' game ends with these lines at this level."""
    return bool(player.stop_lines > 0 and place_on_course(lines, level, player) >= player.stop_lines)


@inlined
def place_on_course(lines: Scalar, level: Scalar, player: PointsPlayer) -> Scalar:
    """Returns the lines of the course; see course.py."""
    return place_at(lines, level, player.course)


@inlined
def column_facts(stack: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Returns a column's height, the word of its holes, the cells above them, and its changes."""
    height = length(stack)
    return height, ((1 << height) - 1) ^ stack, popcount(stack & (stack + 1)), popcount(stack ^ (stack << 1 | 1))


@inlined
def well_cells(left: Scalar, stack: Scalar, right: Scalar) -> Scalar:
    """Returns the cells of a column's wells: a run of d cells counts 1 + .. + d."""
    cells, count = left & right & ~stack, 0
    while cells:
        count += popcount(cells)
        cells &= cells << 1
    return count


@inlined
def with_step(surface: Scalar, step: Scalar) -> Scalar:
    """Returns the code of a surface with one more step on the right."""
    return surface * STEP_VALUES + min(max(step, -STEEPEST), STEEPEST) + STEEPEST


@lean
def points_of(stacks: Stacks, lines: Scalar, level: Scalar, player: PointsPlayer, found: Stacks) -> float:
    """Returns the value of a board; `found` (TERMS,) is working memory."""
    entries_of_board(stacks, lines, level, player, found)
    total = 0.0
    for index in range(TERMS):
        total += player.values[found[index]]
    if player.network.used:
        total += part_of_board(stacks, place_on_course(lines, level, player), player.stop_lines, found, player.network)
    return total
