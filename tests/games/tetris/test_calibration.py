"""Values of lines from whole games: what was missed is added, within a phase, and the values are right then."""

from __future__ import annotations

import numpy as np

from emubot.games.tetris.evaluation.layout import ENTRIES, LINES_AT
from emubot.games.tetris.trials.td_games import calibrate, new_shortfall


def added(missed: dict[int, tuple[float, int]]) -> dict[int, float]:
    """Returns what was added to the lines, from (mean shortfall, boards) by line."""
    values, shortfall = np.ones(ENTRIES, dtype=np.float32), new_shortfall()
    for line, (mean, boards) in missed.items():
        shortfall[:, line] = mean * boards, boards
    calibrate(values, shortfall)
    assert (values[:LINES_AT] == 1).all(), "only the lines' values are moved"
    return {line: round(float(value) - 1, 3) for line, value in enumerate(values[LINES_AT:]) if value != 1}


def test_all_lines_that_were_seen_come_right_at_once() -> None:
    assert added(dict.fromkeys(range(100, 130), (-12.5, 40))) == dict.fromkeys(range(100, 130), -12.5)


def test_a_line_counts_for_those_around_it_and_no_other_phase() -> None:
    assert added({97: (8.0, 100)}) == dict.fromkeys(range(87, 100), 8.0)


def test_near_lines_count_more() -> None:
    found = added({40: (0.0, 1000), 45: (10.0, 1000)})
    assert found[42] == 4.706  # 11 - 2 parts of it are 0, and 11 - 3 are 10
    assert found[44] > found[43] > found[42] > found[41]


def test_a_few_boards_say_nothing() -> None:
    assert added({40: (10.0, 4)}) == {}
