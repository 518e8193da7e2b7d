"""Builds long chains, so that their points can be measured; knows no memory and presses nothing.

It tries all placements of the current and the next pair. The value of a field is the longest chain that two puyos of
one colour on one column would trigger.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.anyboard_bounds import Bounds, Limits, Scratch, bounds_of, limits_of, scratch_of
from emubot.games.colours.board.anyboard_field import (
    Field,
    Heights,
    copy_field,
    drop_piece,
    field_of,
    is_dead,
    resolve,
)
from emubot.games.colours.evaluation.anyboard_features import columns_entered
from emubot.games.colours.reach.entry import columns_for
from emubot.games.colours.rules import ORIENTATIONS, UP, Rules
from emubot.jit import Scalar, kernel

_DEAD: Final = -1_000_000
_STEP: Final = 1000  # the value of one more step of the chain; a row of height costs 1
_TALL: Final = 10  # height in rows from which the longest possible chain is triggered, or on a low field that many rows
_SPARE: Final = 2  # below its top

Pair = tuple[int, int]


def build(
    cells: NDArray[np.uint8], pair: Pair, following: Pair, colors: int, rules: Rules, wanted: int
) -> tuple[int, int]:
    """Returns the (canonical orientation, column) that builds the chain, or triggers it if it has `wanted` steps.

    A tall field triggers a shorter chain too. `cells` is uint8 (stored rows, columns), `colors` the number of colours
    in play. Raises ValueError if nothing can be placed.
    """
    field, heights = field_of(cells, rules)
    bounds, limits, scratch = bounds_of(rules), limits_of(rules), scratch_of(rules)
    candidates = np.array(_places(heights, pair, limits, bounds), dtype=np.int64).reshape(-1, 2)
    if not len(candidates):
        raise ValueError("there is no room for the pair")
    chains, values = np.zeros(len(candidates), dtype=np.int64), np.zeros(len(candidates), dtype=np.int64)
    for number, place in enumerate(candidates):
        after, levels = field.copy(), heights.copy()
        drop_piece(after, levels, place[0], place[1], *pair)
        chains[number], _ = resolve(after, levels, bounds, scratch)
        best = _DEAD if is_dead(after, bounds) else best_next(after, levels, following, colors, limits, bounds, scratch)
        values[number] = best - _STEP * (chains[number] > 0)
    longest = int(chains.max())
    tall = int(heights.max()) >= min(_TALL, rules.visible_rows - _SPARE)
    fires = longest >= wanted or (tall and longest > 0)
    best_place = int(chains.argmax()) if fires else int(values.argmax())
    return int(candidates[best_place, 0]), int(candidates[best_place, 1])


def _places(heights: Heights, pair: Pair, limits: Limits, bounds: Bounds) -> list[Pair]:
    """Returns the placements of a pair from the spawn, sorted by orientation, then column."""
    entered = int(columns_entered(heights, limits, bounds, 0))
    masks = [int(columns_for(entered, orientation, *pair)) for orientation in range(ORIENTATIONS)]
    return [(turn, column) for turn, mask in enumerate(masks) for column in range(len(heights)) if mask >> column & 1]


@kernel
def best_next(
    field: Field,
    heights: Heights,
    pair: tuple[Scalar, Scalar],
    colors: Scalar,
    limits: Limits,
    bounds: Bounds,
    scratch: Scratch,
) -> Scalar:
    """Returns the worth of the best field after the next pair; a chain costs a step."""
    best = _DEAD
    last, levels = np.empty_like(field), np.empty_like(heights)
    entered = columns_entered(heights, limits, bounds, 0)
    for orientation in range(ORIENTATIONS):
        columns = columns_for(entered, orientation, pair[0], pair[1])
        for column in range(bounds.columns):
            if columns >> column & 1:
                copy_field(field, heights, last, levels)
                drop_piece(last, levels, orientation, column, pair[0], pair[1])
                burnt, _ = resolve(last, levels, bounds, scratch)
                if not is_dead(last, bounds):
                    best = max(best, field_worth(last, levels, colors, bounds, scratch) - _STEP * (burnt > 0))
    return best


@kernel
def field_worth(field: Field, heights: Heights, colors: Scalar, bounds: Bounds, scratch: Scratch) -> Scalar:
    """Returns 1000 per step of the longest chain of two equal puyos on one column, minus the greatest height."""
    longest, tallest = 0, 0
    for column in range(bounds.columns):
        tallest = max(tallest, heights[column])
        for kind in range(1, colors + 1):
            copy_field(field, heights, scratch.trial, scratch.trial_heights)
            drop_piece(scratch.trial, scratch.trial_heights, UP, column, kind, kind)
            chain, _ = resolve(scratch.trial, scratch.trial_heights, bounds, scratch)
            longest = max(longest, chain)
    return _STEP * longest - tallest
