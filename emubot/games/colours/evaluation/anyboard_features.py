"""The family's features of a field of any size (evaluation/features.py has their definitions); knows no search."""

from __future__ import annotations

from typing import Final

from emubot.games.colours.board.anyboard_bounds import Bounds, Limits, Scratch
from emubot.games.colours.board.anyboard_field import Field, Heights, copy_field, resolve_changed
from emubot.games.colours.board.chains import MOST_ADDED, root_of
from emubot.games.colours.board.groups import fresh_stamp, group_from
from emubot.games.colours.evaluation.evaluation import NETWORK_AT, SCRATCH_AT, Scales
from emubot.games.colours.evaluation.features import (
    ACCESS,
    CHANCE,
    COLORED,
    EDGES,
    FEATURES,
    HEADROOM,
    LINKS,
    NUISANCES,
    PEAK,
    PILLARS,
    POINTS,
    POPPED,
    POTENTIAL,
    ROOM,
    RUNS,
    SCALES,
    SPAWN_DISTANCE,
    TOTAL_HEIGHT,
    VALUES_AT,
    VARIANCE,
    WANTED_AT,
)
from emubot.games.colours.reach.entry import MARGINS
from emubot.games.colours.rules import COLORS, EMPTY, NUISANCE
from emubot.games.colours.scoring import NEARNESS_UNIT
from emubot.games.network import network
from emubot.jit import Scalar, lean

_PER_PUYO: Final = 0.15  # as in board/chains.py
_PILLAR: Final = 3  # as in evaluation/measures.py
_MASK: Final = (1 << 31) - 1
_FACTOR: Final = 1_812_433_253


@lean
def evaluate(
    field: Field,
    heights: Heights,
    points: Scalar,
    laid: Scalar,
    limits: Limits,
    bounds: Bounds,
    scales: Scales,
    scratch: Scratch,
) -> float:
    """Returns the weighted sum of a field's features; `scales` are those of evaluation.py.

    `points` is the score of the locks that led to it, `laid` the coloured puyos that it would have if nothing had
    popped. On the field no group pops.
    """
    cells = bounds.columns * bounds.stored
    colored, nuisance, filled, highest = 0, 0, 0, 0
    for column in range(bounds.columns):
        filled += heights[column]
        highest = max(highest, heights[column])
        for level in range(heights[column]):
            colored += field[level, column] <= COLORS
            nuisance += field[level, column] == NUISANCE
    most_links = bounds.columns * (bounds.visible - 1) + (bounds.columns - 1) * bounds.visible
    for feature in range(FEATURES):
        if scales[WANTED_AT + feature] == 0.0:
            continue
        value = 0.0
        if feature == COLORED:
            value = 1.0 - colored / cells
        elif feature == NUISANCES:
            value = 1.0 - nuisance / cells
        elif feature == EDGES:
            value = 1.0 - _edges(field, heights, bounds) / (2 * cells)
        elif feature == SPAWN_DISTANCE:
            value = 1.0 - _near(heights, bounds) / (NEARNESS_UNIT * cells)
        elif feature == RUNS:
            runs = _links(field, heights, bounds, True) + _row_pairs(field, heights, bounds)
            value = runs / most_links
        elif feature == VARIANCE:
            value = _color_variance(field, heights, bounds)
        elif feature == LINKS:
            value = (_links(field, heights, bounds, True) + _links(field, heights, bounds, False)) / (2 * most_links)
        elif feature == POINTS:
            value = root_of(points)
        elif feature == POTENTIAL:
            value = potential(field, heights, bounds, scratch)
        elif feature == ROOM:
            excess = max(0.0, (3.0 * filled / cells - 1.0) / 2.0)
            value = 1.0 - excess * excess
        elif feature == HEADROOM:
            share = min(heights[bounds.spawn], bounds.visible) / bounds.visible
            value = 1.0 - share * share * share * share
        elif feature == ACCESS:
            value = 1.0 - _cut_off(heights, limits, bounds) / (MARGINS * cells)
        elif feature == PILLARS:
            value = 1.0 - _pillars(heights) / (bounds.columns // 2)
        elif feature == TOTAL_HEIGHT:
            value = 1.0 - filled / cells
        elif feature == PEAK:
            value = 1.0 - highest / bounds.stored
        elif feature == POPPED:
            value = (laid - colored) / cells
        elif feature == CHANCE:
            value = _chance(field, heights)
        scales[VALUES_AT + feature] = value
    total = 0.0
    for feature in range(FEATURES):
        if scales[WANTED_AT + feature] != 0.0:
            total += scales[feature] * scales[VALUES_AT + feature]
    if scales[SCRATCH_AT] != 0.0:
        total += network(scales[VALUES_AT:SCALES], scales, NETWORK_AT, scales[int(scales[SCRATCH_AT]) :])
    return total


@lean
def potential(field: Field, heights: Heights, bounds: Bounds, scratch: Scratch) -> float:
    """Returns the best root of points from up to three puyos of one colour, dropped on one column; see chains.py."""
    best = 0.0
    for column in range(bounds.columns):
        base = heights[column]
        for color in range(1, COLORS + 1):
            if not _is_near(field, heights, bounds, column, color):
                continue
            share = 1.0
            for added in range(min(MOST_ADDED, bounds.visible - base)):
                level = base + added
                field[level, column] = color
                heights[column] = level + 1
                if level < bounds.linking:
                    size = group_from(
                        field, level, column, bounds.linking, fresh_stamp(scratch.stamp), scratch.marks, scratch.stack
                    )
                    if size >= bounds.group:
                        copy_field(field, heights, scratch.trial, scratch.trial_heights)
                        for other in range(bounds.columns):
                            scratch.changed[other] = heights[other]
                        scratch.changed[column] = base
                        _, points = resolve_changed(scratch.trial, scratch.trial_heights, bounds, scratch)
                        best = max(best, root_of(points) * share)
                        break
                share -= _PER_PUYO
            for level in range(base, heights[column]):
                field[level, column] = EMPTY
            heights[column] = base
    return best


@lean
def _is_near(field: Field, heights: Heights, bounds: Bounds, column: Scalar, color: Scalar) -> bool:
    """Returns whether one of the next three puyos on a column would touch one of this colour."""
    base = heights[column]
    if 0 < base <= bounds.linking and field[base - 1, column] == color:
        return True
    for level in range(base, min(base + MOST_ADDED, bounds.linking)):
        if column > 0 and field[level, column - 1] == color:
            return True
        if column + 1 < bounds.columns and field[level, column + 1] == color:
            return True
    return False


@lean
def _edges(field: Field, heights: Heights, bounds: Bounds) -> Scalar:
    count = 0
    for column in range(bounds.columns):
        wall = column == 0 or column == bounds.columns - 1
        for level in range(min(heights[column], bounds.visible)):
            if field[level, column] <= COLORS:
                count += wall + (level == 0 or level == bounds.visible - 1)
    return count


@lean
def _near(heights: Heights, bounds: Bounds) -> Scalar:
    total = 0
    for column in range(bounds.columns):
        total += bounds.nearness[column, heights[column]]
    return total


@lean
def _links(field: Field, heights: Heights, bounds: Bounds, upright: bool) -> Scalar:
    """Returns the links with the cell above, or with the cell to the right."""
    count = 0
    for column in range(bounds.columns):
        for level in range(min(heights[column], bounds.linking)):
            kind = field[level, column]
            if kind > COLORS:
                continue
            if upright:
                count += level + 1 < bounds.linking and field[level + 1, column] == kind
            else:
                count += column + 1 < bounds.columns and field[level, column + 1] == kind
    return count


@lean
def _row_pairs(field: Field, heights: Heights, bounds: Bounds) -> Scalar:
    """Returns the neighbours of equal colour in all visible rows; empty cells between them are skipped."""
    count = 0
    for level in range(bounds.visible):
        last = 0
        for column in range(bounds.columns):
            if heights[column] > level:
                kind = field[level, column]
                count += kind == last and kind <= COLORS
                last = kind
    return count


@lean
def _color_variance(field: Field, heights: Heights, bounds: Bounds) -> float:
    total = 0.0
    share_across = 2.0 / ((bounds.columns - 1) * (bounds.columns - 1))
    share_along = 2.0 / ((bounds.stored - 1) * (bounds.stored - 1))
    for color in range(1, COLORS + 1):
        count, columns, column_squares, levels, level_squares = 0, 0, 0, 0, 0
        for column in range(bounds.columns):
            for level in range(heights[column]):
                if field[level, column] == color:
                    count += 1
                    columns += column
                    column_squares += column * column
                    levels += level
                    level_squares += level * level
        if count > 1:
            total += (column_squares - columns * columns / count) / count * share_across
            total += (level_squares - levels * levels / count) / count * share_along
    return 1.0 - total / COLORS


@lean
def _cut_off(heights: Heights, limits: Limits, bounds: Bounds) -> Scalar:
    """Returns the empty cells of columns that cannot be entered, summed for stacks 0, 1 and 2 rows higher."""
    empty = 0
    for margin in range(MARGINS):
        entered = columns_entered(heights, limits, bounds, margin)
        for column in range(bounds.columns):
            if not entered >> column & 1:
                empty += bounds.stored - heights[column]
    return empty


@lean
def columns_entered(heights: Heights, limits: Limits, bounds: Bounds, margin: Scalar) -> Scalar:
    """Returns the mask of the columns that can be entered from the spawn column if every stack is `margin` higher."""
    low = 0
    for column in range(bounds.columns):
        low |= (1 if heights[column] + margin <= limits[column] else 0) << column
    entered = low & 1 << bounds.spawn
    for _ in range(bounds.columns - 1):
        entered |= (entered << 1 | entered >> 1) & low
    return entered


@lean
def _pillars(heights: Heights) -> Scalar:
    count, last = 0, len(heights) - 1
    for column in range(len(heights)):
        left = heights[column - 1 if column else 1]
        right = heights[column + 1 if column < last else last - 1]
        count += heights[column] - max(left, right) >= _PILLAR
    return count


@lean
def _chance(field: Field, heights: Heights) -> float:
    """Returns a pseudo-random number, 0 to below 1, from the cells alone."""
    state = _MASK
    for column in range(field.shape[1]):
        state = _mixed(state ^ heights[column])
        for level in range(heights[column]):
            state = _mixed(state ^ field[level, column])
    return state / (_MASK + 1)


@lean
def _mixed(state: Scalar) -> Scalar:
    product = (state + 1 & _MASK) * _FACTOR
    return (product ^ product >> 31) & _MASK
