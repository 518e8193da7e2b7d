"""The training runs that falling blocks propose, by method, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from emubot.games.recipes import Recipe

_WHOLE_BOARD: Final = MappingProxyType({"board": "10x20", "cap_lines": 60_000})

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        # On the whole board good particles never die. On a low board their games differ within seconds.
        "pso": Recipe(
            rules="textbook",
            options={"board": "10x12", "cap_pieces": 20_000},
            like="pso",
            games=2,
            generations=75,
            portion=1,  # games are long or short: with single games workers end together
            final=_WHOLE_BOARD | {"cap_pieces": 0},
            final_games=60,
        ),
        # As published: its own features, the 7-bag, a cap on the pieces of a game (850, later 1,150).
        "ga": Recipe(
            rules="textbook",
            options={"board": "10x20", "generator": "bag", "cap_pieces": 5_000},
            like="ga",
            games=3,
            generations=30,
            final={"cap_pieces": 0, "cap_lines": 10_000},
            final_games=100,
        ),
        "ga-rank": Recipe(
            rules="versus",
            like="block-battle",
            figure="survived",
            games=6,
            generations=40,
            against="block-battle",
            final_games=1000,
            hyper={"population": 120},  # with 40, one family soon was the whole population and won half of its games
        ),
        "ce": Recipe(
            rules="textbook",
            options={"board": "10x10", "cap_pieces": 5_000},
            like="bcts",
            games=5,
            generations=40,
            normalise=True,
            final=_WHOLE_BOARD | {"cap_pieces": 0},
            final_games=60,
        ),
        "cmaes": Recipe(
            rules="textbook",
            options={"board": "10x10"},
            like="dt10",
            start="dt10",
            games=60,
            generations=40,
            race=3,
            final_games=2000,
            hyper={"sigma": 0.2},
        ),
        # The published inputs. The published board is 10x24, ours is the usual one.
        "dqn": Recipe(
            rules="textbook",
            options={"board": "10x20", "cap_pieces": 20_000},
            features=("mf_holes", "bumpiness", "total_height", "rows_removed"),
            games=20,
            generations=600,
            final_games=100,
        ),
        "td": Recipe(
            rules="textbook",
            options={"board": "10x20", "cap_lines": 20_000},
            features=("rows_removed",),
            games=10,
            generations=20,
            final={"cap_lines": 60_000},
            final_games=60,
        ),
        # Tables for other taps, lines or aims have the same recipe. Checks are cheap, because a game of block after
        # block already says how learning goes.
        "td-points": Recipe(
            rules="nes",
            options={"nodes": 1_000},
            games=40,
            generations=350,  # 250 of tables, 100 of the network beside them
            final={"nodes": 3_000},
            final_games=200,
        ),
        "battle": Recipe(
            rules="versus",
            like="block-battle",
            figure="win_rate",
            games=4,
            generations=40,
            against="block-battle",
            final_games=1000,
            hyper={"low": -5.0, "high": 5.0},
        ),
    }
)
