"""Aim and aggression: how much risk of dying is taken for points, and what the middle means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.tetris.evaluation.layout import ENTRIES, LINES_AT
from emubot.games.tetris.evaluation.points_player import with_dearer_lines
from emubot.games.tetris.reach import Start
from emubot.games.tetris.rules import NES_NTSC, SPAWN_ORIENTATION
from emubot.games.tetris.search.engine import engine_for, loss_weight_of
from emubot.games.tetris.search.search import Position, Search
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.games.tetris.reach_twin import random_rows


def played(games: int = 2, **options: Any) -> dict[str, NDArray[np.int64]]:
    trial = nes_trial({"stop_lines": 230, "nodes": 800, **options})
    figures = trial.play([load_weights("nes_tetris")], range(100, 100 + games))
    return dict(zip(trial.figures, figures.T, strict=True))


def test_a_loss_counts_four_times_a_quarter_or_as_it_is() -> None:
    assert [loss_weight_of(aggression) for aggression in (0, 0.25, 0.5, 0.75, 1)] == [4, 2, 1, 0.5, 0.25]


@pytest.mark.jit
def test_the_middle_is_the_play_without_the_option() -> None:
    assert nes_trial({}).settings["aggression"] == 0.5
    with_it, without = played(stop_lines=20, aggression=0.5), played(stop_lines=20)
    assert {name: column.tolist() for name, column in with_it.items()} == {
        name: column.tolist() for name, column in without.items()
    }


@pytest.mark.slow
@pytest.mark.jit
def test_care_clears_more_lines_before_there_are_four_and_risk_dies_more_often() -> None:
    careful, middle, bold = (played(16, nodes=1, aggression=aggression) for aggression in (0, 0.5, 1))
    rates = [4 * one["tetrises"].sum() / one["lines"].sum() for one in (careful, middle)]
    assert rates[0] < rates[1] - 0.03
    assert bold["reached_29"].sum() < careful["reached_29"].sum()
    assert middle["score"].mean() > max(careful["score"].mean(), bold["score"].mean())


def test_a_line_costs_a_share_more_of_what_it_costs_in_its_phase_and_the_end_is_worth_the_same() -> None:
    entries = np.zeros(ENTRIES, dtype=np.float32)
    entries[LINES_AT : LINES_AT + 100] = 500 - 2 * np.arange(100)  # a line of the first phase costs 2, then none
    dearer = with_dearer_lines(entries, 0.5, 230)
    more = (dearer - entries)[LINES_AT:]
    assert more[:101].tolist() == [100.0 - line for line in range(101)]
    assert not more[100:].any()
    assert dearer[:LINES_AT].tolist() == entries[:LINES_AT].tolist()
    assert entries[LINES_AT] == 500, "a copy"


@pytest.mark.jit
def test_the_less_aggression_the_less_a_board_is_worth_that_bad_luck_can_ruin() -> None:
    """On boards at random, with the next piece not known."""
    rng, tempo, told = np.random.default_rng(8), parse_taps("12hz"), []
    for number in range(6):
        rows = random_rows(rng)
        start = Start(int(SPAWN_ORIENTATION[number]))
        values = []
        for aggression in (0, 0.5, 1):
            engine = engine_for(load_weights("nes_tetris"), tempo, NES_NTSC, 1, aggression=aggression)
            ranked, _ = Search(engine, tempo, NES_NTSC).rank(Position(rows, start, None, 19, 140))
            values.append({(one.orientation, one.column, one.row): one.value for one in ranked})
        careful, middle, bold = values
        # `Search.rank` cuts values at that of its choice, so only the choice's own is compared.
        told.append([max(one.values(), default=0.0) for one in (careful, middle, bold)])
    assert all(low <= mean <= high for low, mean, high in told)
    assert sum(low < mean < high for low, mean, high in told) >= 3


def test_to_survive_is_to_play_for_lines_at_no_risk() -> None:
    weights, tempo = load_weights("nes_tetris"), parse_taps("12hz")
    for aim in ("lines", "survive"):
        trial = nes_trial({"aim": aim})
        assert trial.figures[:2] == ("lines", "score")
        assert trial.settings["aim"] == aim
    survive = engine_for(weights, tempo, NES_NTSC, aim="survive")
    careful = engine_for(weights, tempo, NES_NTSC, aim="lines", aggression=0)
    assert survive.look.loss_weight == survive.late.loss_weight == 4
    assert survive.look.player.values.tolist() == careful.look.player.values.tolist()


def test_what_has_no_aggression() -> None:
    for wrong in (-0.1, 1.1, float("nan"), "high"):
        with pytest.raises(UsageError, match="--aggression of the rules nes-ntsc is a number from 0 to 1, not"):
            nes_trial({"aggression": wrong})
    with pytest.raises(UsageError, match="--aim survive takes as little risk as can be: leave out --aggression"):
        nes_trial({"aim": "survive", "aggression": 0.2})
    with pytest.raises(UsageError, match="Two pieces by features, --nodes 0, know no price of death"):
        nes_trial({"nodes": 0, "aggression": 0.2})
    with pytest.raises(UsageError, match="B-type is played for its goal: leave out --aggression"):
        nes_trial({"type": "b", "aggression": 0.2})
    with pytest.raises(UsageError, match="leave out --see-next, --aggression and --aim survive"):
        nes_trial({"aim": "survive"}).check_points()
