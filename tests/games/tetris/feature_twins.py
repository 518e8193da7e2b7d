"""Each board feature once more, slowly, on a grid of cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows

Grid = NDArray[np.bool_]  # (rows, columns), row 0 on top


def grid_of(rows: Rows) -> Grid:
    return np.array([[int(mask) >> column & 1 for column in range(10)] for mask in rows[2:]], dtype=np.bool_)


def walled(row: NDArray[np.bool_]) -> list[bool]:
    return [True, *(bool(cell) for cell in row), True]


def changes(cells: list[bool]) -> int:
    return sum(a != b for a, b in pairwise(cells))


def top(grid: Grid, column: int) -> int:
    """The row of the topmost filled cell, one below the last if none."""
    filled = np.flatnonzero(grid[:, column])
    return int(filled[0]) if len(filled) else len(grid)


def heights(grid: Grid) -> list[int]:
    return [len(grid) - top(grid, column) for column in range(grid.shape[1])]


def is_hole(grid: Grid, row: int, column: int) -> bool:
    return not grid[row, column] and bool(grid[:row, column].any())


def is_well(grid: Grid, row: int, column: int) -> bool:
    line = walled(grid[row])
    return not grid[row, column] and line[column] and line[column + 2]


def hole_cells(grid: Grid) -> list[tuple[int, int]]:
    return [(row, column) for row, column in np.ndindex(*grid.shape) if is_hole(grid, row, column)]


def wells(grid: Grid) -> int:
    total = 0
    for column in range(grid.shape[1]):
        run = 0
        for row in range(len(grid)):
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
    found = [c for c in range(1, len(tall) - 1) if min(tall[c - 1], tall[c + 1]) - tall[c] >= 3]
    return {0: 0, 1: 1}.get(len(found), -1)


def ready(grid: Grid) -> int:
    return sum(bool(grid[row, :-1].all()) and not grid[: row + 1, -1].any() for row in range(len(grid)))


def mf_wells(grid: Grid) -> int:
    rows, columns = grid.shape
    tops = [min(top(grid, column), rows - 1) for column in range(columns)]
    total = 0
    for column in range(columns):
        sides = [tops[side] for side in (column - 1, column + 1) if 0 <= side < columns]
        for row in range(max(sides), tops[column] + 1):
            line = walled(grid[row])
            total += line[column] and line[column + 2]
    return total


def mf_column_changes(grid: Grid) -> int:
    return sum(changes([bool(cell) for cell in grid[top(grid, column) :, column]]) for column in range(grid.shape[1]))


def chance(grid: Grid) -> float:
    """Columns from the left, each from the floor, its lowest 22 cells and then those above as two numbers."""
    mixed = 0x2545F491
    for column in grid.T[:, ::-1]:
        for part in (column[:22], column[22:]):
            bits = sum(1 << row for row in np.flatnonzero(part).tolist())
            product = (((mixed ^ bits) + 0x2545F491) % 2**31) * 0x4C957F2D
            mixed = (product % 2**31) ^ (product >> 31)
    return mixed / 2**31


BOARD_TWINS: dict[str, Callable[[Grid], float]] = {
    "row_transitions": lambda grid: sum(changes(walled(row)) for row in grid),
    "column_transitions": lambda grid: sum(
        changes([False, *map(bool, grid[:, c]), True]) for c in range(grid.shape[1])
    ),
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
    "right_column": lambda grid: int(grid[:, -1].sum()),
    "ready_rows": ready,
    "mf_wells": mf_wells,
    "mf_holes": lambda grid: int((grid[:-1] & ~grid[1:]).sum()),
    "mf_column_transitions": mf_column_changes,
    "mf_row_transitions": lambda grid: sum(changes(walled(row)) for row in grid if row.any()),
    "chance": chance,
}
