"""A run says where its games are stopped, since no candidate can show more than that."""

from __future__ import annotations

from typing import Any

import pytest

from emubot.training.stops import most_lines, stop_of


@pytest.mark.parametrize(
    ("method", "contest", "said", "most"),
    [
        ("pso", {"board": "10x12", "cap_pieces": 20_000}, "20,000 pieces (8,000 lines)", 8_000),
        ("ga", {"board": "10x20", "cap_lines": 100, "cap_pieces": 1_000}, "100 lines or 1,000 pieces (100 lines)", 100),
        ("cmaes", {"stop_lines": 230}, "230 lines", 230),
        ("td-points", {"stop_lines": 230}, "230 lines", 230),
        ("ce", {"pairs": 500}, "500 pairs", None),
        ("ga-rank", {"cap_pieces": 700}, "700 pieces", None),
        ("pso", {"board": "10x10", "cap_lines": 0, "cap_pieces": 0}, None, None),
    ],
)
def test_where_games_are_stopped(method: str, contest: dict[str, Any], said: str | None, most: int | None) -> None:
    settings = {"method": method, "contest": contest}
    assert stop_of(settings) == (None if said is None else f"games are stopped at {said}")
    assert most_lines(settings) == most


@pytest.mark.parametrize("method", ["td", "dqn"])
def test_methods_that_learn_while_they_play_have_limits_of_their_own(method: str) -> None:
    assert stop_of({"method": method, "contest": {"board": "10x20", "cap_lines": 20_000}}) is None
