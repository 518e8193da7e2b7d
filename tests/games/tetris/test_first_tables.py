"""Tables to begin with are worth what the features are worth, and a share of the points still possible."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.tetris.board.columns import columns_of
from emubot.games.tetris.evaluation.layout import TERMS
from emubot.games.tetris.evaluation.points import points_of
from emubot.games.tetris.evaluation.points_player import points_player
from emubot.games.tetris.rules import NES_NTSC
from emubot.games.tetris.trials.first_tables import SHARE_OF_BOUND, SHARE_OF_FEATURES, first_tables
from emubot.tempo import parse_taps
from tests.games.tetris.feature_twins import BOARD_TWINS, grid_of

NAMES = (
    "row_transitions",
    "column_transitions",
    "holes",
    "hole_depth",
    "rows_with_holes",
    "max_height",
    "total_height",
    "height_squares",
    "ready_rows",
)


@pytest.mark.parametrize("seed", range(20))
def test_a_board_is_worth_its_features_and_a_share_of_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.zeros(22, dtype=np.uint16)
    for row in range(21, 21 - int(rng.integers(0, 9)), -1):
        rows[row] = 0x1FF & ~(1 << int(rng.integers(0, 12)))
    weights = dict(zip(NAMES, rng.normal(size=len(NAMES)), strict=True))
    player = points_player(first_tables(weights, 230), parse_taps("12hz"), NES_NTSC, "score", 230)
    stacks = np.zeros(10, dtype=np.int64)
    columns_of(rows, stacks)
    value = points_of(stacks, 226, 28, player, np.zeros(TERMS, dtype=np.int64))
    grid = grid_of(rows)
    expected = SHARE_OF_FEATURES * sum(weights[name] * BOARD_TWINS[name](grid) for name in NAMES)
    assert value == pytest.approx(expected + SHARE_OF_BOUND * 36.0, abs=1e-3)
