"""The default run of each method for each game, as data with its reasons; does not know how an optimiser works.

Settings that a publication gives are with the methods (ga.py, pso.py, ...). Here is what it leaves open, or what its
machine needed hours for. The values are chosen so that a run takes at most about twenty minutes on two cores. The
results are in benchmarks/training.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Recipe:
    """A candidate's games in a generation, and how many generations; features, contest and final measurement.

    `features` names them, or `like` names weights with the same features (neither: all that the game has). `start`
    names weights to start from, `against` the opponent of the final measurement if two meet. `final` replaces options
    of the contest for the final measurement. `race` is the number of its rounds, 0 for no race. `normalise` and
    `portion` are as in Fitness.
    """

    games: int = 20
    generations: int = 30
    rules: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    like: str | None = None
    start: str | None = None
    figure: str | None = None
    shape: str = "mean"
    race: int = 0
    normalise: bool = False
    portion: int = 0
    against: str | None = None
    final: Mapping[str, Any] = field(default_factory=dict)
    final_games: int = 200
    hyper: Mapping[str, Any] = field(default_factory=dict)


_REFERENCE: Final = (
    "colored_puyos",
    "nuisance_puyos",
    "edges",
    "spawn_distance",
    "color_runs",
    "color_variance",
    "links",
)
_WHOLE_BOARD: Final = MappingProxyType({"board": "10x20", "cap_lines": 60_000})

_RECIPES: Final[Mapping[tuple[str, str], Recipe]] = MappingProxyType(
    {
        # On the whole board good particles never die. On a low board their games differ within seconds.
        ("tetris", "pso"): Recipe(
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
        ("tetris", "ga"): Recipe(
            rules="textbook",
            options={"board": "10x20", "generator": "bag", "cap_pieces": 5_000},
            like="ga",
            games=3,
            generations=30,
            final={"cap_pieces": 0, "cap_lines": 10_000},
            final_games=100,
        ),
        ("tetris", "ga-rank"): Recipe(
            rules="versus",
            like="block-battle",
            figure="survived",
            games=6,
            generations=40,
            against="block-battle",
            final_games=1000,
            hyper={"population": 120},  # with 40, one family soon was the whole population and won half of its games
        ),
        ("tetris", "ce"): Recipe(
            rules="textbook",
            options={"board": "10x10", "cap_pieces": 5_000},
            like="bcts",
            games=5,
            generations=40,
            normalise=True,
            final=_WHOLE_BOARD | {"cap_pieces": 0},
            final_games=60,
        ),
        ("tetris", "cmaes"): Recipe(
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
        ("tetris", "dqn"): Recipe(
            rules="textbook",
            options={"board": "10x20", "cap_pieces": 20_000},
            features=("mf_holes", "bumpiness", "total_height", "rows_removed"),
            games=20,
            generations=600,
            final_games=100,
        ),
        ("tetris", "td"): Recipe(
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
        ("tetris", "td-points"): Recipe(
            rules="nes",
            options={"nodes": 1_000},
            games=40,
            generations=250,
            final={"nodes": 3_000},
            final_games=200,
        ),
        ("puyo", "dqn"): Recipe(
            options={"pairs": 500},
            features=("links", "pillars", "total_height", "peak", "popped"),
            games=10,
            generations=120,
            hyper={"falling": 40, "pieces": 200},
        ),
        ("tetris", "battle"): Recipe(
            rules="versus",
            like="block-battle",
            figure="win_rate",
            games=4,
            generations=40,
            against="block-battle",
            final_games=1000,
            hyper={"low": -5.0, "high": 5.0},
        ),
        # The published setting, only the reference's own seven metrics, came to 50.5 % against it.
        ("puyo", "battle"): Recipe(
            features=(*_REFERENCE, "points", "potential", "room"),
            figure="win_rate",
            games=3,
            generations=40,
            against="reference",
            final_games=1000,
        ),
        ("puyo", "ga-rank"): Recipe(
            like="reference",
            figure="win_rate",
            games=3,
            generations=40,
            against="reference",
            final_games=1000,
            hyper={"low": 0.0, "high": 100.0},
        ),
        ("puyo", "pso"): Recipe(options={"pairs": 500}, like="reference", games=2, generations=40),
        ("puyo", "ga"): Recipe(options={"pairs": 500}, like="reference", games=2, generations=30),
        ("puyo", "ce"): Recipe(options={"pairs": 500}, like="reference", games=2, generations=30),
        # One search that sees all pairs is a fitness of milliseconds, and what builds by it also builds by samples.
        ("puyo", "cmaes"): Recipe(
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
        # Most games are won with half of these pieces; one that goes on longer is stuck, and would only take time.
        ("matching", "cmaes"): Recipe(
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


def recipe_of(game: str, method: str) -> Recipe:
    """Returns the recipe of a method for a game, or a plain one if none is known."""
    return _RECIPES.get((game, method), Recipe())


def known_recipes() -> list[tuple[str, str]]:
    """Returns (game, method) of every recipe."""
    return list(_RECIPES)
