"""How many random pieces lock on a surface without a hole, by value iteration; plays no game.

O, S, Z, T, L and J come with equal chances and are seen one at a time. A lock must leave no step beyond STEEPEST. After
a piece that does not fit, nothing more is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.surfaces import LOCKS, STEEPEST, STEP_VALUES
from emubot.jit import Scalar, kernel

_ONE: Final = 1.0


def surface_values(
    steps: int, precision: float, progress: Callable[[float], None] | None = None
) -> NDArray[np.float32]:
    """Returns the mean number of pieces by the code of a surface (surfaces.py), float32 (STEP_VALUES**steps,).

    `progress` is called with the largest change of each sweep; the last one is below `precision`.
    """
    ways = np.array(
        [
            (piece, len(added), *needed, *(0,) * (2 - len(needed)), *added, *(0,) * (3 - len(added)))
            for piece, locks in enumerate(LOCKS.values())
            for needed, added in locks
        ],
        dtype=np.int64,
    )
    values, after = (np.zeros(STEP_VALUES**steps, dtype=np.float32) for _ in range(2))
    change = np.inf
    while change >= precision:
        change = sweep(values, after, steps, ways, len(LOCKS))
        values, after = after, values
        if progress is not None:
            progress(change)
    return values


@kernel
def sweep(
    values: NDArray[np.float32], after: NDArray[np.float32], steps: Scalar, ways: NDArray[np.int64], pieces: Scalar
) -> float:
    """Write the values after one more piece; returns the largest change.

    A way (7,) is the piece, how many columns it covers, the two steps that it needs, and the cells it adds to each.
    """
    surface, best = np.zeros(steps, dtype=np.int64), np.zeros(pieces)
    largest = 0.0
    for code in range(len(values)):
        rest = code
        for at in range(steps - 1, -1, -1):
            surface[at] = rest % STEP_VALUES - STEEPEST
            rest //= STEP_VALUES
        best[:] = 0.0
        for way in range(len(ways)):
            for first in range(steps + 2 - ways[way, 1]):
                left = _after(surface, ways[way], first)
                if left >= 0:
                    best[ways[way, 0]] = max(best[ways[way, 0]], _ONE + values[left])
        after[code] = best.sum() / pieces
        largest = max(largest, abs(after[code] - values[code]))
    return largest


@kernel
def _after(surface: NDArray[np.int64], way: NDArray[np.int64], first: Scalar) -> Scalar:
    """Returns the code of the surface after this lock with its leftmost column at `first`; -1 if there is none."""
    width = way[1]
    for inner in range(width - 1):
        if surface[first + inner] != way[2 + inner]:
            return -1
    code = 0
    for at in range(len(surface)):
        # The step from column `at` to the next one; both may have grown.
        step = surface[at]
        if first <= at + 1 < first + width:
            step += way[4 + at + 1 - first]
        if first <= at < first + width:
            step -= way[4 + at - first]
        if abs(step) > STEEPEST:
            return -1
        code = code * STEP_VALUES + step + STEEPEST
    return code
