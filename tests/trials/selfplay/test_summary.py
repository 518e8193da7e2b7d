"""The figures that are told: their names, their sense, and the published ones beside them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emubot.games import game
from emubot.games.counts import Counts, Published
from emubot.trials.selfplay.ledger import Ledger, Settings, settings_of
from emubot.trials.selfplay.summary import curve, figures, text
from emubot.trials.selfplay.summary import published as found
from emubot.weights import load_weights
from tests.trials.toy import ledger_of, settings

NAMES = {"pieces", "deaths", "all_clears", "mean_puyos", "max_puyos", "score", "histogram", "chains", "odds_log10"}

REFERENCE = settings_of("puyo", "famicom-1991", {"colors": 6}, "any name", load_weights("reference"), 100, "0")


def published(one: Settings) -> Published | None:
    return found(one, game(one.game).options.published)


def test_the_documented_names_are_there() -> None:
    told = figures(ledger_of(5, range(20)), Counts(), "puyos")
    assert set(told) >= NAMES
    assert "published" not in told
    told = figures(ledger_of(5, range(20)), Counts(), "height", (10, 20))
    assert {"mean_height", "max_height", "sd_height", "lines"} <= set(told)
    assert set(told["odds_log10"]) == {"10", "20"}


def test_figures_are_of_all_that_was_played() -> None:
    heights, chains = np.array([0, 0, 3], dtype=np.int64), np.array([1, 2], dtype=np.int64)
    rest = Counts(3, 1, 0, 70, 0, heights, chains)
    ledger = ledger_of(5, range(20))
    told = figures(ledger, rest, "puyos")
    total = ledger.counts + rest
    assert told["pieces"] == 2003
    assert told["units"] == {"5": [(0, 20)]}
    assert told["histogram"] == [int(times) for times in total.heights]
    assert told["mean_puyos"] == pytest.approx(sum(n * t for n, t in enumerate(told["histogram"])) / 2003)
    assert told["sd_puyos"] == pytest.approx(2, abs=0.2)
    assert told["max_puyos"] == len(told["histogram"]) - 1
    assert told["score_per_piece"] == pytest.approx(total.score / 2003)
    # A Poisson variable's mean of 4 is met by the interval that units give.
    assert told["puyos_by_unit"]["low95"] < 4 < told["puyos_by_unit"]["high95"]
    assert told["puyos_by_unit"]["se"] == pytest.approx(2 / math.sqrt(2000), rel=0.5)


def test_the_article_is_known_by_game_weights_and_rules() -> None:
    theirs = published(REFERENCE)
    assert theirs is not None
    assert "meatfighter" in theirs.source
    assert (theirs.pieces, theirs.all_clears, theirs.highest, theirs.deaths) == (50_000_000, 3_326, 37, 0)
    assert round(theirs.pieces / theirs.all_clears) == 15_033
    others: list[dict[str, Any]] = [
        {"game": "tetris"},
        {"weights_sha256": "0" * 64},
        {"rules": "tsu"},
        {"options": {"colors": 5}},
        {"options": {"colors": 6, "gravity": 2}},
    ]
    for other in others:
        assert published(replace(REFERENCE, **other)) is None
    told = figures(ledger_of(5, range(2)), Counts(), "puyos", (), theirs)
    assert told["published"]["odds"] == {"42": -17.0, "84": -89.0}


def test_the_text_shows_both_side_by_side() -> None:
    told = figures(ledger_of(5, range(20)), Counts(), "puyos", (42, 84), published(REFERENCE))
    shown = "\n".join(text(told))
    assert "this run" in shown
    assert "about 10" in shown
    assert "3,326 (1 per 15,033 pieces)" in shown
    assert "1e-17" in shown
    assert "1e-89" in shown
    assert "published: meatfighter.com" in shown
    assert f"{told['mean_puyos']:.3f} +- " in shown
    plain = "\n".join(text(figures(ledger_of(5, range(20)), Counts(), "puyos")))
    assert "published" not in plain
    assert "this run" not in plain


def test_each_count_has_its_probability_and_the_gaussian() -> None:
    lines = text(figures(ledger_of(5, range(20)), Counts(), "puyos"))
    row = next(line.split() for line in lines if line.split()[:1] == ["4"])
    ledger = ledger_of(5, range(20))
    assert int(row[1]) == ledger.counts.heights[4]
    assert float(row[2]) == pytest.approx(ledger.counts.heights[4] / 2000, rel=0.01)
    assert float(row[3]) == pytest.approx(0.1995, rel=0.1)


def test_nothing_played_is_told_too() -> None:
    told = figures(Ledger(settings()), Counts(), "puyos", (42, 84))
    assert (told["pieces"], told["mean_puyos"], told["max_puyos"]) == (0, 0.0, 0)
    assert told["odds_log10"] == {"42": None, "84": None}
    assert told["puyos_by_unit"] is None
    assert any("odds of 84 or more, by the fit  0" in line for line in text(told))


def test_the_curve_is_the_fit() -> None:
    told = figures(ledger_of(5, range(20)), Counts(), "puyos")
    points = curve(told)
    assert points[0][0] == 0
    assert points[-1][0] == len(told["histogram"])
    top = max(points, key=lambda point: point[1])
    assert top[0] == pytest.approx(told["mean_puyos"], abs=0.05)
    assert top[1] == pytest.approx(0.3989 / told["sd_puyos"], rel=1e-3)
