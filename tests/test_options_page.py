"""The tables of options in the pages are those that the games and the methods declare."""

from __future__ import annotations

import pytest

from docs.draw_options import SHIPPED, pages
from emubot import games


def test_the_tables_are_what_is_declared() -> None:
    for path, text in pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: python docs/draw_options.py"


@pytest.mark.parametrize("family", SHIPPED)
def test_play_tells_the_budget_of_a_decision_that_measured_games_have_too(family: str) -> None:
    options = games.game(family).options
    told = next(one for one in options.strength if one.name == "nodes")
    measured = next(one for one in options.rule_sets[0].options if one.name == "nodes")
    assert told.usual == str(measured.default)
