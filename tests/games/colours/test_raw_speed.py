"""What the speed of locks is measured on: fields in the middle of games, each placement of a pair locked once."""

from __future__ import annotations

import time

import pytest

from emubot.games.colours.board.words import board_of, fill_cells
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.nodes import read_board
from emubot.games.colours.search.search import placements
from emubot.games.colours.trials import raw_speed as module
from emubot.games.colours.trials.raw_speed import LEAST_PUYOS, lock_everywhere, mid_game, positions_a_second
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU


@pytest.mark.parametrize("rules", [FAMICOM, TSU])
def test_every_placement_is_locked_and_scored_once(rules: Rules) -> None:
    boards, pairs = mid_game(rules, 20, seed=1)
    made, points, words = 0, 0, 0
    for index, pair in enumerate(pairs.tolist()):
        cells = twin.cells_of([[]] * COLUMNS, rules)
        fill_cells(read_board(boards, index), cells)
        assert (cells > 0).sum() >= LEAST_PUYOS
        for orientation, column in placements(cells, (pair[0], pair[1]), rules).tolist():
            stacks = twin.stacks_of(cells)
            twin.drop_pair(stacks, orientation, column, pair[0], pair[1], rules)
            points += twin.resolve(stacks, rules)[1]
            made += 1
            for place, word in enumerate(board_of(twin.cells_of(stacks, rules))):
                words ^= int(word) << place
    assert points
    assert lock_everywhere(boards, pairs, 1, limits_of(rules), table_of(rules)) == (made, points, words)
    assert lock_everywhere(boards, pairs, 2, limits_of(rules), table_of(rules)) == (2 * made, 2 * points, 0)


def test_a_rate_is_positions_a_second_of_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIELDS", 3)
    monkeypatch.setattr(module, "_ROUNDS", 5)
    monkeypatch.setattr(time, "process_time", iter((10.0, 12.0)).__next__)
    made, _, _ = lock_everywhere(*mid_game(TSU, 3, seed=4), 5, limits_of(TSU), table_of(TSU))
    assert positions_a_second(TSU, seed=4) == made / 2
