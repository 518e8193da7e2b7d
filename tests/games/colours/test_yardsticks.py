"""What pairs are compared by: games that can be played under names of their own, and timed kernels that do the work."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import board_of, heights_of
from emubot.games.colours.evaluation.building import BUILDING, chain_value, shape_value
from emubot.games.colours.rules import COLUMNS, TSU
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.games.colours.trials import yardsticks
from emubot.games.colours.trials.trials import trial
from emubot.weights import load_weights
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import random_stacks


def test_rows_have_names_of_their_own_and_settings_that_a_trial_takes() -> None:
    rows = yardsticks.comparisons()
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        played = trial(row.sides, row.rules, row.options)
        assert {name: played.settings[name] for name in row.options} == row.options, row.name
        assert played.settings["rules"] == row.rules
        assert row.figure is None or row.figure in played.figures
        for name in (row.weights, row.against):
            assert name is None or load_weights(name).game == "puyo"
    assert {row.rules for row in rows if row.sides == 2} == {"tsu", "famicom-1991"}


@pytest.mark.jit
def test_what_is_timed_is_what_a_slow_field_does() -> None:
    rng, table = np.random.default_rng(5), table_of(TSU)
    fields = []
    for _ in range(6):
        columns = random_stacks(rng, TSU)
        columns = [stack[:9] for stack in columns]
        twin.resolve(columns, TSU)
        fields.append(twin.cells_of(columns, TSU))
    boards = np.zeros((len(fields), 8), dtype=np.int64)
    yardsticks.fill_boards(np.array(fields), boards)
    weights, tried = rng.normal(size=BUILDING), np.zeros((COLUMNS, 3), dtype=np.int64)
    chains = shapes = 0.0
    for cells in fields:
        board = board_of(cells)
        links = links_of(board, int(table[LINKING_AT]))
        chains += float(chain_value(board, links, table, weights, tried))
        shapes += float(shape_value(board, links, heights_of(board), table, weights))
    valued, total = yardsticks.value_chains(boards, 2, table, weights, tried)
    assert valued == 12
    assert total == pytest.approx(2 * chains)
    valued, total = yardsticks.value_shapes(boards, 2, table, weights)
    assert valued == 12
    assert total == pytest.approx(2 * shapes)


@pytest.mark.jit
def test_speeds_are_amounts_in_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_DROPS", "_VALUES", "_DECISIONS"):
        monkeypatch.setattr(yardsticks, name, 3)
    monkeypatch.setattr(yardsticks, "_GAMES", 1)
    found = yardsticks.speeds()
    assert all(name.endswith("_per_second") and value > 0 for name, value in found.items())


@pytest.mark.jit
def test_positions_are_those_in_the_middle_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardsticks, "_GAMES", 2)
    found = yardsticks._positions()
    assert 20 < len(found) <= 2 * (yardsticks._LAST - yardsticks._FIRST)
    assert all(len(position.following) == 2 for position in found)
    assert np.mean([np.count_nonzero(position.cells) for position in found]) > 20
