"""Features against slow, obvious twins on a grid of cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.tetris.board.board import FULL_ROW, Rows, cells_in_full_rows, clear_rows, write_piece
from emubot.games.tetris.evaluation.features import (
    ALL_GROUPS,
    FEATURES,
    FIRST_BOARD_FEATURE,
    placement_features,
    stack_features,
    stacks_of,
)
from emubot.games.tetris.evaluation.names import BOARD_FEATURES, FEATURE_NAMES, PLACEMENT_FEATURES
from emubot.games.tetris.rules import DX, DY
from tests.games.tetris.feature_twins import BOARD_TWINS, grid_of

masks = st.integers(0, FULL_ROW)
stacks = st.lists(masks, max_size=20)


def board_features(rows: Rows, features: NDArray[np.float64]) -> None:
    stacks = np.zeros(10, dtype=np.int64)
    stacks_of(rows, stacks)
    stack_features(stacks, 20, ALL_GROUPS, features)


def board(stack: list[int]) -> Rows:
    """A board whose lowest rows are `stack`, its last entry the floor row."""
    rows = np.zeros(22, dtype=np.uint16)
    if stack:
        rows[-len(stack) :] = stack
    return rows


def test_every_board_feature_has_a_twin() -> None:
    assert tuple(BOARD_TWINS) == BOARD_FEATURES
    assert PLACEMENT_FEATURES + BOARD_FEATURES == FEATURE_NAMES
    assert len(set(FEATURE_NAMES)) == FEATURES


@settings(deadline=None, max_examples=100)
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


@pytest.mark.parametrize("kernel", [stacks_of, placement_features])
def test_compiled_for_one_signature(kernel: Callable[..., None]) -> None:
    board_features(board([5]), np.zeros(FEATURES))
    placement_features(2, 18, 0, 0, np.zeros(FEATURES))
    assert len(getattr(kernel, "signatures", [None])) == 1
