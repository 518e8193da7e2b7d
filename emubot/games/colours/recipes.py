"""The training runs that pairs and matching games propose, by method, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from emubot.games.recipes import Recipe

_REFERENCE: Final = (
    "colored_puyos",
    "nuisance_puyos",
    "edges",
    "spawn_distance",
    "color_runs",
    "color_variance",
    "links",
)

PAIRS: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        "dqn": Recipe(
            options={"pairs": 500},
            features=("links", "pillars", "total_height", "peak", "popped"),
            games=10,
            generations=120,
            hyper={"falling": 40, "pieces": 200},
        ),
        # The published setting, only the reference's own seven metrics, came to 50.5 % against it.
        "battle": Recipe(
            features=(*_REFERENCE, "points", "potential", "room"),
            figure="win_rate",
            games=3,
            generations=40,
            against="reference",
            final_games=1000,
        ),
        "ga-rank": Recipe(
            like="reference",
            figure="win_rate",
            games=3,
            generations=40,
            against="reference",
            final_games=1000,
            hyper={"low": 0.0, "high": 100.0},
        ),
        "pso": Recipe(options={"pairs": 500}, like="reference", games=2, generations=40),
        "ga": Recipe(options={"pairs": 500}, like="reference", games=2, generations=30),
        "ce": Recipe(options={"pairs": 500}, like="reference", games=2, generations=30),
        # One search that sees all pairs is a fitness of milliseconds, and what builds by it also builds by samples.
        "cmaes": Recipe(
            rules="tsu",
            options={"colors": 4, "foreseen": 10},
            like="chains",
            start="chains",
            figure="worth",
            games=120,
            generations=300,
            final_games=2000,
            hyper={"sigma": 0.3},
        ),
    }
)

MATCHING: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        # Most games are won with half of these pieces; one that goes on longer is stuck, and would only take time.
        "cmaes": Recipe(
            rules="capsules",
            options={"start_level": 20, "taps": "12hz", "cap_pieces": 300, "nodes": 3_000},
            like="capsules-by-hand",
            start="capsules-by-hand",
            games=30,
            generations=8,
            race=2,
            final={"cap_pieces": 600},
            hyper={"sigma": 0.15},
        ),
    }
)
