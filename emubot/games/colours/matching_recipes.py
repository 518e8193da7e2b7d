"""The training runs that matching games propose, by method, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from emubot.games.recipes import Recipe

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
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
