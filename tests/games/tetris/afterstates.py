"""Every drop of a piece by the textbook kernels, as plain records: what search and learning see of a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.features import ALL_GROUPS, FEATURES, lock_features, stack_features
from emubot.games.tetris.textbook.board import FIRST_ORIENTATION, PIVOT_ROW, TALL, WIDTH, drop, topped_out


@dataclass(frozen=True)
class Afterstate:
    """A drop, the board it leaves (columns,) and all features; `pivot` counts from the floor.

    Of a board that is topped out the features are those of what lies below the top.
    """

    orientation: int
    left: int
    pivot: int
    removed: int
    dead: bool
    stacks: NDArray[np.int64]
    features: NDArray[np.float64]


def afterstates(stacks: NDArray[np.int64], piece: int, rows: int) -> list[Afterstate]:
    """By orientation, then column."""
    found = []
    for orientation in range(FIRST_ORIENTATION[piece], FIRST_ORIENTATION[piece + 1]):
        for left in range(len(stacks) - WIDTH[orientation] + 1):
            after, features = np.zeros_like(stacks), np.full(FEATURES, np.nan)
            lowest, removed, own = drop(stacks, after, orientation, left)
            dead = bool(topped_out(after, rows))
            lock_features(lowest, lowest + TALL[orientation] - 1, rows, removed, own, features)
            visible = after & ((1 << rows) - 1)
            stack_features(visible, rows, ALL_GROUPS, features)
            pivot = int(lowest + PIVOT_ROW[orientation])
            found.append(Afterstate(orientation, left, pivot, int(removed), dead, visible, features))
    return found
