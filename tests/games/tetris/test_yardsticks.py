"""What Tetris is compared by: games that can be played, under names of their own."""

from __future__ import annotations

from emubot.games.tetris.trials.trials import trial
from emubot.games.tetris.trials.yardsticks import comparisons
from emubot.weights import load_weights


def test_rows_have_names_of_their_own_and_settings_that_a_trial_takes() -> None:
    rows = comparisons()
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        played = trial(1, row.rules, row.options).settings
        assert {name: played[name] for name in row.options} == row.options, row.name
        assert played["rules"] == row.rules
        if row.weights is not None:
            load_weights(row.weights)
