"""The kernel that values all placements of the current and the next pair on a field of any size; knows no RAM."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.cells_bounds import Bounds, Limits, Scratch
from emubot.games.colours.board.cells_field import Field, Heights, copy_field, drop_piece, is_dead, rain, resolve
from emubot.games.colours.evaluation.cells_features import columns_entered, evaluate
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.reach.entry import columns_for
from emubot.games.colours.rules import BIG, COLORS, ORIENTATIONS
from emubot.games.colours.scoring import nuisance_falling
from emubot.games.colours.search.two_plies import DEAD, UNKNOWN
from emubot.jit import Scalar, kernel


@kernel
def rank_placements(
    field: Field,
    heights: Heights,
    candidates: NDArray[np.int64],
    pair: tuple[Scalar, Scalar],
    following: tuple[Scalar, Scalar],
    pending: Scalar,
    limits: Limits,
    bounds: Bounds,
    scales: Scales,
    scratch: Scratch,
    values: NDArray[np.float64],
) -> Scalar:
    """Write the value of each candidate (orientation, column) into `values`; returns the number of evaluated fields.

    It does the same as search_two_plies: if the pivot of `following` is UNKNOWN, the field after the first placement is
    evaluated; `pending` nuisance falls between the two placements; `limits` are for the next pair.
    """
    nodes = 0
    laid = 2 if pair[0] < BIG else 0
    for column in range(bounds.columns):
        for level in range(heights[column]):
            laid += field[level, column] <= COLORS
    first, first_heights = np.empty_like(field), np.empty_like(heights)
    second, second_heights = np.empty_like(field), np.empty_like(heights)
    for index in range(len(candidates)):
        copy_field(field, heights, first, first_heights)
        drop_piece(first, first_heights, candidates[index, 0], candidates[index, 1], pair[0], pair[1])
        chain, points = resolve(first, first_heights, bounds, scratch)
        rain(first, first_heights, nuisance_falling(bounds.table, pending, chain) // bounds.columns)
        dead = is_dead(first, bounds)
        entered = columns_entered(first_heights, limits, bounds, 0)
        best, count = -np.inf, 0
        if not dead and following[0] != UNKNOWN:
            for orientation in range(ORIENTATIONS):
                columns = columns_for(entered, orientation, following[0], following[1])
                for column in range(bounds.columns):
                    if not columns >> column & 1:
                        continue
                    copy_field(first, first_heights, second, second_heights)
                    drop_piece(second, second_heights, orientation, column, following[0], following[1])
                    _, more = resolve(second, second_heights, bounds, scratch)
                    then = laid + (2 if following[0] < BIG else 0)
                    value = evaluate(second, second_heights, points + more, then, limits, bounds, scales, scratch)
                    if is_dead(second, bounds):
                        value += DEAD
                    best = max(best, value)
                    count += 1
        if count == 0:
            best = evaluate(first, first_heights, points, laid, limits, bounds, scales, scratch)
            if dead:
                best += DEAD
            count = 1
        values[index] = best
        nodes += count
    return nodes
