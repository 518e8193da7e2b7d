"""Games played on from a field, to estimate the risk of losing soon; knows no file and no text.

A cheap player plays, two pairs of lookahead by features, without a time limit beyond that of the position. Game n of a
seed gets the same pairs after every placement, so placements are compared on equal terms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.explanation import Risk
from emubot.games.colours.board.resolve import is_dead
from emubot.games.colours.board.words import Cells, board_of, heights_of
from emubot.games.colours.evaluation.evaluation import Scales
from emubot.games.colours.explain.valued import After
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import BIG, Rules
from emubot.games.colours.scoring import Table, table_of
from emubot.games.colours.search.search import Position
from emubot.games.colours.search.two_plies import MOST_PLACEMENTS, Candidates, fill_placements, lock, search_two_plies
from emubot.jit import Scalar, kernel

PAIRS: Final = 20  # of each game: the next pair and those after it


class Rollouts:
    """Plays games by weights of features, as `scales` of evaluation.py."""

    def __init__(
        self,
        scales: Scales,
        position: Position,
        rules: Rules,
        games: int,
        seed: int,
        played: Callable[[], object] = lambda: None,
    ) -> None:
        """`played` is called after each game."""
        self._scales, self._rules, self._games, self._seed, self._played = scales, rules, games, seed, played
        self._limits = limits_of(rules) if position.limits is None else position.limits
        self._known = [pair for pair in position.following if max(pair) < BIG]
        self._candidates, self._values = np.zeros((MOST_PLACEMENTS, 2), np.int8), np.zeros(MOST_PLACEMENTS)

    def risk(self, after: After) -> Risk | None:
        """Returns how many games end within the next PAIRS pairs; None if no game is to be played."""
        if self._games == 0:
            return None
        deaths = 0
        for game in range(self._games):
            deaths += self._dies(after, game)
            self._played()
        return Risk(PAIRS, self._games, deaths)

    def _dies(self, after: After, game: int) -> bool:
        rng = np.random.default_rng([self._seed, game])
        pairs = rng.integers(1, self._rules.colors + 1, size=(PAIRS + 1, 2), dtype=np.uint8)
        pairs[: len(self._known)] = np.array(self._known, dtype=np.uint8).reshape(-1, 2)
        table = table_of(self._rules)
        return bool(dies_within(after.cells, pairs, self._limits, table, self._scales, self._candidates, self._values))


@kernel
def dies_within(
    cells: Cells,
    pairs: NDArray[np.uint8],
    limits: Scalar,
    table: Table,
    scales: Scales,
    candidates: Candidates,
    values: NDArray[np.float64],
) -> Scalar:
    """Returns whether a game from a settled field ends before only the last pair, which is only seen, is left.

    `cells` stay; `pairs` is (n + 1, 2); `candidates` (24, 2) and `values` (24,) are scratch.
    """
    board = board_of(cells)
    if is_dead(board, table):
        return True
    for turn in range(len(pairs) - 1):
        pivot, satellite = np.int64(pairs[turn, 0]), np.int64(pairs[turn, 1])
        following, other = np.int64(pairs[turn + 1, 0]), np.int64(pairs[turn + 1, 1])
        heights = heights_of(board)
        count = fill_placements(heights, pivot, satellite, limits, table, candidates)
        search_two_plies(board, candidates, count, pivot, satellite, following, other, 0, limits, table, scales, values)
        best = 0
        for index in range(1, count):
            if values[index] > values[best]:
                best = index
        orientation, column = int(candidates[best, 0]), int(candidates[best, 1])
        board, _, _, _ = lock(board, heights, orientation, column, pivot, satellite, table)
        if is_dead(board, table):
            return True
    return False
