"""What may be asked of the players of pairs and of matching games: budgets and aims; knows no search.

A module of its own, because kernels stand on it: they are compiled anew after a change of what they stand on.
"""

from __future__ import annotations

from typing import Final

NODES: Final = 40_000  # fields made in a decision: some 10 milliseconds
MOST_NODES: Final = 100_000_000
MATCHING_NODES: Final = 2_000  # the same of matching games; docs/measurements/matching.md
MOST_MATCHING_NODES: Final = 1_000_000
MOST_WIDTH: Final = 512  # nodes of a layer
# What is played for: the most points of a game, one chain as large as possible, a long life, or a battle.
SCORE, CHAIN, SURVIVE, BATTLE = "score", "chain", "survive", "battle"
AIMS: Final = (SCORE, CHAIN, SURVIVE, BATTLE)
