"""The quick values of a piece's drops against the plain ones: to the bit, for every feature and every board."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.evaluation.features import FEATURES, FIRST_BOARD_FEATURE
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.textbook.changes import MEMORY, Drop, take_best, value_drops, value_whole_boards
from emubot.games.tetris.textbook.lanes import MOST_ROWS, write_before
from emubot.weights import load_weights
from tests.games.tetris.feature_twins import Grid
from tests.games.tetris.test_textbook_board import grids
from tests.games.tetris.textbook_twins import stacks_from

# Those that lanes compute. With any other one every drop is valued on the whole board.
OF_THE_LITERATURE = (*FEATURE_NAMES[:FIRST_BOARD_FEATURE], *FEATURE_NAMES[FIRST_BOARD_FEATURE:][:7])
USED = np.zeros(MEMORY, dtype=np.int64)  # in all examples, so that what an earlier board left in it may not matter


def both_ways(
    grid: Grid, piece: int, weights: NDArray[np.float64], sums: NDArray[np.float64]
) -> tuple[list[Drop], list[Drop]]:
    """All drops, best first."""
    stacks, player = stacks_from(grid), player_of(weights)
    after, features = np.zeros_like(stacks), np.zeros(FEATURES)
    found = []
    for value_them in (value_drops, value_whole_boards):
        write_before(stacks, len(grid), USED)
        count = value_them(stacks, after, piece, len(grid), sums, player, features, USED)
        found.append([take_best(piece, len(stacks), USED) for _ in range(count)])
    return found[0], found[1]


def weighted(rng: np.random.Generator, names: tuple[str, ...], whole: bool) -> NDArray[np.float64]:
    """Weights of these features, of which about a third is 0; small whole ones lead to ties."""
    weights = np.zeros(FEATURES)
    for name in names:
        drawn = float(rng.integers(-2, 3)) if whole else rng.normal() * 10
        weights[FEATURE_NAMES.index(name)] = drawn if rng.random() < 2 / 3 else 0.0
    return weights


@settings(deadline=None, max_examples=60)
@given(grids(40), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_every_drop_has_the_value_of_its_whole_board_to_the_bit(
    grid: Grid, seed: int, whole: bool, deeper: bool
) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(8):
        weights = weighted(rng, OF_THE_LITERATURE, whole)
        sums = rng.integers(0, 60, FIRST_BOARD_FEATURE) / 2 * deeper
        for piece in range(7):
            quick, plain = both_ways(grid, piece, weights, sums)
            assert quick == plain


@settings(deadline=None, max_examples=20)
@given(grids(), st.integers(0, 2**32))
def test_with_any_other_feature_too(grid: Grid, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for name in FEATURE_NAMES[FIRST_BOARD_FEATURE + 7 :]:
        weights = weighted(rng, OF_THE_LITERATURE, whole=False)
        weights[FEATURE_NAMES.index(name)] = rng.normal()
        for piece in range(7):
            quick, plain = both_ways(grid, piece, weights, np.zeros(FIRST_BOARD_FEATURE))
            assert quick == plain


@pytest.mark.parametrize("rows", [MOST_ROWS - 1, MOST_ROWS, MOST_ROWS + 1])
@pytest.mark.parametrize("columns", [4, 10, 16])
def test_up_to_the_top_of_the_tallest_board(rows: int, columns: int) -> None:
    rng = np.random.default_rng(rows * columns)
    for _ in range(40):
        grid: Grid = rng.random((rows, columns)) < 0.9
        grid[: rng.integers(0, 4)] = False
        grid[grid.all(axis=1), rng.integers(columns)] = False
        weights = weighted(rng, OF_THE_LITERATURE, whole=False)
        for piece in range(7):
            quick, plain = both_ways(grid, piece, weights, np.zeros(FIRST_BOARD_FEATURE))
            assert quick == plain


@pytest.mark.parametrize("deep", [3, 4, 5, 9, 22])
@pytest.mark.parametrize("column", range(10))
def test_wells_of_every_depth(deep: int, column: int) -> None:
    grid: Grid = np.zeros((24, 10), dtype=np.bool_)
    grid[24 - deep :] = True
    grid[:, column] = False
    for piece in range(7):
        quick, plain = both_ways(
            grid, piece, load_weights("dt10").vector("tetris", FEATURE_NAMES, FEATURE_VERSION), np.zeros(8)
        )
        assert quick == plain
