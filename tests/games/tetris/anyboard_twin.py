"""Lookahead on any board once more, slowly: a grid of cells, every lock and drop spelled out, every board valued."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.anyboard.search import HIGH
from emubot.games.tetris.search.two_plies import DEAD
from tests.games.tetris.feature_twins import BOARD_TWINS, Grid

Shape = frozenset[tuple[int, int]]  # (columns from the left edge, rows above the lowest row)
Lock = tuple[int, int, int]  # shape, leftmost column, lowest row


class Twin:
    """The search for one board size, with `weights` by the features' names."""

    def __init__(self, rows: int, shapes: Sequence[Shape], weights: dict[str, float]) -> None:
        self.rows, self.shapes, self.weights = rows, shapes, weights
        self.boards = 0

    def locked(self, grid: Grid, lock: Lock) -> tuple[Grid, dict[str, float]]:
        """The grid after a lock, its lowest row last, and what the lock adds to the value."""
        shape, left, lowest = lock
        after, own = grid.copy(), []
        for x, up in self.shapes[shape]:
            row = len(grid) - 1 - lowest - up
            after[row, left + x] = True
            own.append(row)
        full = [row for row in range(len(grid) - self.rows, len(grid)) if after[row].all()]
        kept = np.delete(after, full, axis=0)
        after = np.vstack([np.zeros((len(full), grid.shape[1]), dtype=np.bool_), kept])
        highest, count = lowest + max(up for _, up in self.shapes[shape]), len(full)
        of_lock = {
            "landing_height": (lowest + highest) / 2,
            "rows_removed": count,
            "eroded_cells": count * sum(row in full for row in own),
            "landing_top_row": max(self.rows - 1 - highest, 0),
        }
        return after, of_lock

    def worth(self, grid: Grid, of_locks: Sequence[dict[str, float]]) -> float:
        visible = grid[len(grid) - self.rows :]
        value = HIGH if grid[: len(grid) - self.rows].any() else 0.0
        for name, weight in self.weights.items():
            summed = name in of_locks[0]
            value += weight * (sum(one[name] for one in of_locks) if summed else BOARD_TWINS[name](visible))
        self.boards += 1
        return value

    def drops(self, grid: Grid, shape: int) -> list[Lock]:
        """The straight falls of a shape that end within the visible rows."""
        cells, found = self.shapes[shape], []
        for left in range(grid.shape[1] - max(x for x, _ in cells)):
            lowest = len(grid)
            while lowest > 0 and self.free(grid, cells, left, lowest - 1):
                lowest -= 1
            if lowest + max(up for _, up in cells) < self.rows:
                found.append((shape, left, lowest))
        return found

    def free(self, grid: Grid, cells: Shape, left: int, lowest: int) -> bool:
        rows = [(len(grid) - 1 - lowest - up, left + x) for x, up in cells]
        return not any(row >= 0 and grid[row, column] for row, column in rows)

    def values(self, grid: Grid, locks: Sequence[Lock], queue: Sequence[Sequence[int]]) -> list[float]:
        found = []
        for lock in locks:
            after, of_lock = self.locked(grid, lock)
            value = self.worth(after, [of_lock])
            found.append(self.deeper(after, [of_lock], queue, value))
        return found

    def deeper(
        self, grid: Grid, of_locks: Sequence[dict[str, float]], queue: Sequence[Sequence[int]], alone: float
    ) -> float:
        """The best value after the pieces to come; DEAD below what the board is worth alone if one finds no place."""
        if not queue:
            return alone
        found = []
        for shape in queue[0]:
            for lock in self.drops(grid, shape):
                after, of_lock = self.locked(grid, lock)
                summed = [*of_locks, of_lock]
                found.append(self.deeper(after, summed, queue[1:], self.worth(after, summed)))
        return max(found) if found else alone + DEAD


def stacks_of(grid: Grid) -> NDArray[np.int64]:
    return np.array([sum(1 << (len(grid) - 1 - int(row)) for row in np.flatnonzero(line)) for line in grid.T])
