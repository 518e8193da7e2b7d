"""Measured games of matching colours: options, figures, repeatability, self-play."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from emubot.errors import MapError, UsageError
from emubot.games.colours.matching import GAME
from emubot.games.colours.trials.matching_trials import FIGURES, TARGET_POINTS, trial
from emubot.weights import load_weights

WEIGHTS = load_weights("capsules")
SHORT = {"start_level": 1, "cap_pieces": 40}


def figures(rules: str, options: Mapping[str, int | str], seed: int = 3) -> dict[str, int]:
    """The figures of one game by name."""
    [row] = trial(1, rules, options).play([WEIGHTS], [seed]).tolist()
    return dict(zip(FIGURES, row, strict=True))


def test_a_stage_is_won_and_its_score_counts_targets_and_pieces_saved() -> None:
    found = figures("capsules", SHORT)
    assert found["completed"] == 1
    assert found["targets"] == 8
    assert found["score"] == TARGET_POINTS * 8 + 40 - found["pieces"]
    assert found["died"] == 0


@pytest.mark.jit
def test_games_repeat_and_differ_by_seed() -> None:
    games = trial(1, "columns", {"cap_pieces": 30})
    first = games.play([WEIGHTS], [1, 2, 1])
    assert first[0].tolist() == first[2].tolist()
    assert first[0].tolist() != first[1].tolist()
    assert first[:, FIGURES.index("pieces")].tolist() == [30, 30, 30]
    assert first[:, FIGURES.index("completed")].tolist() == [1, 1, 1]


def test_a_player_at_random_dies() -> None:
    rows = trial(1, "columns", {"cap_pieces": 500, "plies": 1}).play([load_weights("capsules-random")], [0, 1])
    assert rows[:, FIGURES.index("died")].tolist() == [1, 1]
    assert (rows[:, FIGURES.index("pieces")] < 500).all()


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        ("columns", {"start_level": 3}, "no stages"),
        ("capsules", {"nodes": 5, "plies": 1}, "Give one of"),
        ("capsules", {"start_level": 100}, "0 to 99"),
        ("capsules", {"plies": 3}, "1 to 2"),
        ("marbles", {}, "There are no rules"),
        ("capsules", {"horizon": "known"}, "no --horizon"),
    ],
)
def test_options_that_make_no_sense_are_refused(rules: str, options: dict[str, int | str], message: str) -> None:
    with pytest.raises((UsageError, MapError), match=message):
        trial(1, rules, options)


def test_games_are_for_one_player() -> None:
    with pytest.raises(UsageError, match="one player"):
        trial(2, None, {})
    with pytest.raises(UsageError, match="played by one"):
        trial(1, None, {}).play([WEIGHTS, WEIGHTS], [0])


def test_settings_state_every_option() -> None:
    told = trial(1, None, {"gravity": 5, "taps": "..X....", "nodes": 500}).settings
    assert next(iter(told)) == "rules"
    assert told["gravity"] == 5
    assert (told["taps"], told["reaction"]) == ("..X....", 2)
    assert (told["nodes"], told["start_level"], told["previews"]) == (500, 20, 1)
    assert trial(1, None, {"plies": 1}).settings["previews"] == 0


def test_self_play_goes_on_with_another_game() -> None:
    counts = GAME.self_play(1, 60, load_weights("capsules-random"), "columns", {"gravity": 2})
    assert counts.pieces == 60
    assert counts.deaths > 0
    assert int(np.dot(counts.heights, np.arange(len(counts.heights)))) > 0
    ended = GAME.self_play(1, 60, load_weights("capsules-random"), "columns", {}, lambda placed: placed < 20)
    assert ended.pieces == 20
    assert GAME.self_play_settings("capsules", {}) == ("capsules", {"colors": 3, "taps": "12hz"})
