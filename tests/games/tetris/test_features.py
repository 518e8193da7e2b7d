"""Features against slow, obvious twins on a grid of cells."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.tetris.board import FULL_ROW, Rows, cells_in_full_rows, clear_rows, write_piece
from emubot.games.tetris.features import (
    BOARD_FEATURES,
    FEATURE_NAMES,
    FEATURES,
    FIRST_BOARD_FEATURE,
    PLACEMENT_FEATURES,
    board_features,
    placement_features,
)
from emubot.games.tetris.rules import DX, DY

Grid = NDArray[np.bool_]  # (20, 10), row 0 on top

masks = st.integers(0, FULL_ROW)
stacks = st.lists(masks, max_size=20)


def board(stack: list[int]) -> Rows:
    """A board whose lowest rows are `stack`, its last entry the floor row."""
    rows = np.zeros(22, dtype=np.uint16)
    if stack:
        rows[-len(stack) :] = stack
    return rows


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


def test_every_board_feature_has_a_twin() -> None:
    assert tuple(BOARD_TWINS) == BOARD_FEATURES
    assert PLACEMENT_FEATURES + BOARD_FEATURES == FEATURE_NAMES
    assert len(set(FEATURE_NAMES)) == FEATURES


@settings(deadline=None, max_examples=300)
@given(stacks)
@example([])
@example([FULL_ROW] * 20)
@example([0, 0x1FF, 0x1FF, 0x1FF, 0x1FF])
def test_board_features_are_what_they_say(stack: list[int]) -> None:
    rows = board(stack)
    features = np.full(FEATURES, np.nan)
    board_features(rows, features)
    assert np.isnan(features[:FIRST_BOARD_FEATURE]).all()
    expected = {name: float(twin(grid_of(rows))) for name, twin in BOARD_TWINS.items()}
    assert dict(zip(BOARD_FEATURES, features[FIRST_BOARD_FEATURE:].tolist(), strict=True)) == expected


@settings(deadline=None)
@given(st.integers(0, 18), st.integers(0, 19), st.lists(st.booleans(), min_size=20, max_size=20))
def test_placement_features_are_what_they_say(orientation: int, row: int, full: list[bool]) -> None:
    column = 4
    cells = [(row + int(dy), column + int(dx)) for dx, dy in zip(DX[orientation], DY[orientation], strict=True)]
    if max(y for y, _ in cells) > 19:
        return
    rows = np.zeros(22, dtype=np.uint16)
    for index, fill in enumerate(full):
        rows[index + 2] = FULL_ROW if fill else 0
    for y, x in cells:
        rows[y + 2] &= FULL_ROW ^ (1 << x)
    before = rows.copy()
    write_piece(rows, orientation, column, row)
    own = cells_in_full_rows(rows, orientation, row)
    completed = [y for y in range(max(0, row - 2), min(20, max(0, row - 2) + 4)) if full[y]]
    removed = clear_rows(rows, row)
    features = np.full(FEATURES, np.nan)
    placement_features(orientation, row, removed, own, features)
    named = dict(zip(PLACEMENT_FEATURES, features.tolist(), strict=False))
    top_row, low_row = min(y for y, _ in cells), max(y for y, _ in cells)
    assert named["landing_height"] == ((19 - top_row) + (19 - low_row)) / 2
    assert own == sum(y in completed and before[y + 2] != FULL_ROW for y, _ in cells)
    if 0 not in completed:  # the top-row bug counts a row twice
        assert removed == len(completed)
    assert named["rows_removed"] == removed
    assert named["eroded_cells"] == removed * own
    assert named["scoring_lines"] == max(0, removed - 1)
    assert (named["tetrises"], named["burned_lines"]) == ((1, 0) if removed == 4 else (0, removed))
    assert named["landing_top_row"] == max(top_row, 0)
    deepest = max(y for y in range(20) if y + max(int(dy) for dy in DY[orientation]) <= 19)
    assert named["mf_lock_height"] == deepest - row
    assert np.isnan(features[FIRST_BOARD_FEATURE:]).all()


def test_known_figures() -> None:
    features = np.zeros(FEATURES)
    board_features(board([]), features)
    named = dict(zip(FEATURE_NAMES, features.tolist(), strict=True))
    assert named["row_transitions"] == 40
    assert named["column_transitions"] == 10
    board_features(board([FULL_ROW]), features)
    assert dict(zip(FEATURE_NAMES, features.tolist(), strict=True))["mf_wells"] == 10, (
        "a flat surface counts 1 a column"
    )


@pytest.mark.parametrize("kernel", [board_features, placement_features])
def test_compiled_for_one_signature(kernel: Callable[..., None]) -> None:
    board_features(board([5]), np.zeros(FEATURES))
    placement_features(2, 18, 0, 0, np.zeros(FEATURES))
    assert len(getattr(kernel, "signatures", [None])) == 1
