"""Each board feature once more, slowly, on a grid of cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board import Rows

Grid = NDArray[np.bool_]  # (20, 10), row 0 on top


def grid_of(rows: Rows) -> Grid:
    return np.array([[int(mask) >> column & 1 for column in range(10)] for mask in rows[2:]], dtype=np.bool_)


def walled(row: NDArray[np.bool_]) -> list[bool]:
    return [True, *(bool(cell) for cell in row), True]


def changes(cells: list[bool]) -> int:
    return sum(a != b for a, b in pairwise(cells))


def top(grid: Grid, column: int) -> int:
    """The row of the topmost filled cell, 20 if none."""
    filled = np.flatnonzero(grid[:, column])
    return int(filled[0]) if len(filled) else 20


def heights(grid: Grid) -> list[int]:
    return [20 - top(grid, column) for column in range(10)]


def is_hole(grid: Grid, row: int, column: int) -> bool:
    return not grid[row, column] and bool(grid[:row, column].any())


def is_well(grid: Grid, row: int, column: int) -> bool:
    line = walled(grid[row])
    return not grid[row, column] and line[column] and line[column + 2]


def hole_cells(grid: Grid) -> list[tuple[int, int]]:
    return [(row, column) for row in range(20) for column in range(10) if is_hole(grid, row, column)]


def wells(grid: Grid) -> int:
    total = 0
    for column in range(10):
        run = 0
        for row in range(20):
            run = run + 1 if is_well(grid, row, column) else 0
            total += run
    return total


def hole_depth(grid: Grid) -> int:
    total = 0
    for row, column in hole_cells(grid):
        above = row - 1
        while above >= 0 and grid[above, column]:
            total += 1
            above -= 1
    return total


def diversity(grid: Grid) -> int:
    tall = heights(grid)
    return len({a - b for a, b in pairwise(tall) if abs(a - b) <= 2})


def valley(grid: Grid) -> int:
    tall = [99, *heights(grid), 99]
    found = [c for c in range(1, 11) if min(tall[c - 1], tall[c + 1]) - tall[c] >= 3]
    return {0: 0, 1: 1}.get(len(found), -1)


def ready(grid: Grid) -> int:
    return sum(bool(grid[row, :9].all()) and not grid[: row + 1, 9].any() for row in range(20))


def mf_wells(grid: Grid) -> int:
    tops = [min(top(grid, column), 19) for column in range(10)]
    total = 0
    for column in range(10):
        sides = [tops[side] for side in (column - 1, column + 1) if 0 <= side < 10]
        for row in range(max(sides), tops[column] + 1):
            line = walled(grid[row])
            total += line[column] and line[column + 2]
    return total


def mf_column_changes(grid: Grid) -> int:
    return sum(changes([bool(cell) for cell in grid[top(grid, column) :, column]]) for column in range(10))


BOARD_TWINS: dict[str, Callable[[Grid], int]] = {
    "row_transitions": lambda grid: sum(changes(walled(row)) for row in grid),
    "column_transitions": lambda grid: sum(changes([False, *map(bool, grid[:, c]), True]) for c in range(10)),
    "holes": lambda grid: len(hole_cells(grid)),
    "cumulative_wells": wells,
    "hole_depth": hole_depth,
    "rows_with_holes": lambda grid: len({row for row, _ in hole_cells(grid)}),
    "pattern_diversity": diversity,
    "max_height": lambda grid: max(heights(grid)),
    "total_height": lambda grid: sum(heights(grid)),
    "height_squares": lambda grid: sum(height * height for height in heights(grid)),
    "bumpiness": lambda grid: sum(abs(a - b) for a, b in pairwise(heights(grid))),
    "has_valley": valley,
    "right_column": lambda grid: int(grid[:, 9].sum()),
    "ready_rows": ready,
    "mf_wells": mf_wells,
    "mf_holes": lambda grid: int((grid[:-1] & ~grid[1:]).sum()),
    "mf_column_transitions": mf_column_changes,
    "mf_row_transitions": lambda grid: sum(changes(walled(row)) for row in grid if row.any()),
}
