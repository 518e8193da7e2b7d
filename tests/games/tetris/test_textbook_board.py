"""Drops, cleared rows and features of the textbook board against slow twins, and against the cartridge's board."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot.games.tetris.board.board import FULL_ROW
from emubot.games.tetris.evaluation.features import (
    ALL_GROUPS,
    FEATURES,
    FIRST_BOARD_FEATURE,
    groups_of,
    placement_features,
    stack_features,
    stacks_of,
)
from emubot.games.tetris.evaluation.names import BOARD_FEATURES, FEATURE_NAMES
from emubot.games.tetris.rules import PIECE_NAMES
from emubot.games.tetris.textbook.board import remove_rows
from tests.games.tetris.afterstates import afterstates
from tests.games.tetris.feature_twins import BOARD_TWINS, Grid, grid_of
from tests.games.tetris.textbook_twins import drops, grid_from, stacks_from

pieces = st.integers(0, 6)


@st.composite
def grids(draw: st.DrawFn, most_rows: int = 24) -> Grid:
    """Any board, of any size: stacks with few gaps as games leave them, or wild ones; no row is full."""
    rows, columns = draw(st.integers(4, most_rows)), draw(st.integers(4, 16))
    seed, tall, share = draw(st.integers(0, 2**32)), draw(st.integers(0, rows)), draw(st.sampled_from([0.3, 0.7, 0.95]))
    rng = np.random.default_rng(seed)
    grid: Grid = np.zeros((rows, columns), dtype=np.bool_)
    grid[rows - tall :] = rng.random((tall, columns)) < share
    for row in np.flatnonzero(grid.all(axis=1)):
        grid[row, rng.integers(columns)] = False
    return grid


def named(features: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[str, float]:
    return dict(zip(FEATURE_NAMES, features.tolist(), strict=True))


@settings(deadline=None, max_examples=25)
@given(grids(), pieces)
def test_every_drop_leaves_what_the_twin_leaves(grid: Grid, piece: int) -> None:
    rows, stacks = len(grid), stacks_from(grid)
    found = afterstates(stacks, piece, rows)
    assert stacks.tolist() == stacks_from(grid).tolist()
    for made, twin in zip(found, drops(grid, piece), strict=True):
        told = (twin.orientation, twin.left, twin.pivot, int(twin.of_lock["rows_removed"]), twin.dead)
        assert (made.orientation, made.left, made.pivot, made.removed, made.dead) == told
        assert grid_from(made.stacks, rows).tolist() == twin.grid.tolist()
        assert named(made.features) == twin.features


@pytest.mark.parametrize(("names", "count"), [("O", 9), ("ISZ", 17), ("JLT", 34)])
def test_drops_on_an_empty_board_of_ten_columns(names: str, count: int) -> None:
    for name in names:
        assert len(afterstates(np.zeros(10, dtype=np.int64), PIECE_NAMES.index(name), 20)) == count


@settings(deadline=None)
@given(grids(), st.lists(st.integers(0, 23)))
def test_rows_are_removed_wherever_they_are(grid: Grid, removed: list[int]) -> None:
    gone = {row for row in removed if row < len(grid)}
    stacks = stacks_from(grid)
    remove_rows(stacks, sum(1 << (len(grid) - 1 - row) for row in gone))
    left = grid[[row for row in range(len(grid)) if row not in gone]]
    assert grid_from(stacks, len(grid))[len(gone) :].tolist() == left.tolist()
    assert not grid_from(stacks, len(grid))[: len(gone)].any()


@settings(deadline=None)
@given(st.lists(st.integers(0, FULL_ROW), min_size=22, max_size=22))
def test_the_cartridges_visible_rows_as_columns(masks: list[int]) -> None:
    rows = np.array(masks, dtype=np.uint16)
    stacks = np.zeros(10, dtype=np.int64)
    stacks_of(rows, stacks)
    assert stacks.tolist() == stacks_from(grid_of(rows)).tolist()


def test_a_lock_on_the_cartridge_has_the_same_features() -> None:
    for twin in drops(np.zeros((20, 10), dtype=np.bool_), PIECE_NAMES.index("L")):
        features = np.zeros(FEATURES)
        placement_features(twin.orientation, 19 - twin.pivot, 0, 0, features)
        names = FEATURE_NAMES[:FIRST_BOARD_FEATURE]
        assert {name: named(features)[name] for name in names} == {name: twin.feature(name) for name in names}


@settings(deadline=None)
@given(grids(), st.sets(st.sampled_from(BOARD_FEATURES)))
def test_what_is_weighed_is_computed(grid: Grid, names: set[str]) -> None:
    weights = np.array([1.0 if name in names else 0.0 for name in FEATURE_NAMES])
    features = np.full(FEATURES, np.nan)
    stack_features(stacks_from(grid), len(grid), groups_of(weights), features)
    assert {name: named(features)[name] for name in names} == {name: float(BOARD_TWINS[name](grid)) for name in names}
    if not names:
        assert np.isnan(features).all()


@pytest.mark.jit
def test_chance_is_spread_evenly_and_differs_by_a_cell() -> None:
    rng = np.random.default_rng(2)
    at = FEATURE_NAMES.index("chance")
    drawn, flips = [], []
    for _ in range(4000):
        stacks = rng.integers(0, 1 << 20, size=10)
        pair = []
        for _ in range(2):
            features = np.zeros(FEATURES)
            stack_features(stacks, 20, ALL_GROUPS, features)
            pair.append(features[at])
            stacks[rng.integers(10)] ^= 1 << rng.integers(20)
        drawn.append(pair[0])
        flips.append(pair[1] - pair[0])
    counts, _ = np.histogram(drawn, bins=20, range=(0, 1))
    assert counts.sum() == 4000
    assert 200 - 6 * 14 < counts.min() <= counts.max() < 200 + 6 * 14  # six standard deviations
    assert abs(np.mean(flips)) < 0.05
    assert 0.3 < np.mean(np.abs(flips)) < 0.37  # a third, as of two draws
