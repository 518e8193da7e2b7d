"""What pairs and matching games offer to the arena; knows no rule."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from emubot.games.offers import Bot, Demo, GameOffer, Offers

_CHAINS: Final = ((400, 6), (1_170, 24), (2_600, 84), (12_000, 87), (30_000, 89))  # by points; benchmarks/arena.md

PAIRS: Final = Offers(
    games=(
        GameOffer("pairs", "Pairs", "demo_pairs", _CHAINS, has_versus=True),
        GameOffer("pairs-tsu", "Pairs, tsu rules", "simulated_pairs_tsu", _CHAINS, has_versus=True),
    ),
    bots=MappingProxyType(
        {"gentle": Bot("pairs-lowest", 0), "easy": Bot("reference", 0), "middle": Bot("famicom_puyo", 0)}
    ),
    demos=(Demo("puyo", "pairs"),),
)

_CAPSULES: Final = ((1, 6), (2, 18), (3, 26), (4, 35))  # lines of a move; benchmarks/arena.md
_COLUMNS: Final = ((1, 3), (2, 9), (3, 15), (4, 24))

MATCHING: Final = Offers(
    games=(
        GameOffer("capsules", "Capsules", "demo_capsules", _CAPSULES, has_versus=True),
        GameOffer("columns", "Columns of three", "simulated_columns", _COLUMNS),
    ),
    bots=MappingProxyType(
        {"gentle": Bot("capsules-greedy", 0), "easy": Bot("capsules-by-hand", 0), "middle": Bot(nodes=0)}
    ),
    demos=(Demo("capsules", "capsules"),),
)
