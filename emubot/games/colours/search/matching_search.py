"""Finds the best placement of a piece by weights, rules and a budget; knows no RAM and no bridge.

A weights file may have sets of values for rules; where none fits, its own values play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import WeightsError
from emubot.games.colours.board.matching_cells import checked_field
from emubot.games.colours.board.matching_law import law_of
from emubot.games.colours.bounds import MATCHING_NODES, MOST_MATCHING_NODES
from emubot.games.colours.evaluation.matching_names import FEATURE_NAMES, FEATURE_VERSION, GAME
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.reach.matching_entry import MOST_PLACES, distinct, drops_of, fill_drops, fill_tops
from emubot.games.colours.search.choice import Decider, Ranked
from emubot.games.colours.search.matching_plies import MOST_CANDIDATES, Play, Task, rank, scratch_of
from emubot.games.colours.search.ways import futures_of
from emubot.games.pace import Pace
from emubot.weights import Weights

LATER: Final = 60  # pieces after which columns should still be open
SURVIVE: Final = "survive"  # the only aim of a set: to win the stage, or to live on where there is none


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """The input of a decision.

    `cells` and `links` are the field, uint8 (rows, columns). A piece is the kinds of its cells, half 1 first.
    `following` is the next piece, empty if it is not known. `drops` (matching_entry.py) are those of the next piece,
    `later` those of pieces much later, which fall faster (None: the same); without `drops` there is no time limit.
    """

    cells: NDArray[Any]
    links: NDArray[Any]
    piece: tuple[int, ...]
    following: tuple[int, ...] = ()
    drops: NDArray[np.int64] | None = None
    later: NDArray[np.int64] | None = None


class Search(Decider[Position]):
    """A search with fixed rules, weights and budget. Of equal candidates the first one is chosen."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64], nodes: int = MATCHING_NODES) -> None:
        """`weights` are one for each feature; `nodes` is about how many fields a decision values (0: two pieces)."""
        self._rules, self._law, self._weights, self._nodes = rules, law_of(rules), weights, nodes
        self._futures = futures_of(rules.colors, rules.piece_cells, rules.exchanges)
        self.scratch = scratch_of(rules)

    def rank(self, position: Position, candidates: NDArray[Any]) -> Ranked:
        """Returns each candidate's value, float64 (n,), and the number of fields valued; raises like `decide`."""
        return self._rank_within(position, candidates, self._nodes)

    def _rank_within(self, position: Position, candidates: NDArray[Any], most: int) -> Ranked:
        task, play = self.begin(position, candidates, most)
        values = np.zeros(len(task.candidates))
        nodes = rank(task, play, self.scratch, values)
        return values, int(nodes)

    def begin(self, position: Position, candidates: NDArray[Any], most: int) -> tuple[Task, Play]:
        """Write the field into layer 0 of `scratch`; returns what the kernels decide, with a budget of `most` fields.

        Raises like `decide`.
        """
        layers, rules = self.scratch.layers, self._rules
        cells, links = checked_field(position.cells, position.links)
        if cells.shape != (rules.stored_rows, rules.columns):
            raise ValueError(f"the rules {rules.name} store {rules.stored_rows} rows of {rules.columns}: {cells.shape}")
        places = np.ascontiguousarray(candidates, dtype=np.int64).reshape(-1, 3)[:MOST_CANDIDATES].copy()
        places[:, 2] += rules.hidden_rows
        layers.cells[0], layers.links[0], layers.moved[0] = cells, links, 0
        fill_tops(cells, layers.tops[0])
        drops = rules.columns * len(rules.shapes)  # of a piece, at most
        left = max(most - len(places) * drops, 0)
        task = Task(
            places,
            np.array(position.piece, dtype=np.int64),
            np.array(position.following or (0,) * rules.piece_cells, dtype=np.int64),
            self._futures,
            left // (drops * len(self._futures.weights)),
        )
        soon = drops_of() if position.drops is None else position.drops
        later = soon if position.later is None else position.later
        return task, Play(self._law, soon, later, self._weights)


class TimedSearch(Search):
    """A search whose decisions take about the time of its pace; results by the clock do not repeat."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64], pace: Pace) -> None:
        super().__init__(rules, weights)
        self._pace = pace

    def rank(self, position: Position, candidates: NDArray[Any]) -> Ranked:
        """Returns what `Search.rank` returns, after as many fields as the time is enough for."""
        return self._pace.spend(partial(self._rank_within, position, candidates))


def straight_drops(
    cells: NDArray[Any], piece: tuple[int, ...], rules: Rules, drops: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Returns the straight drops of a piece from the spawn, int64 (n, 3); rows from the highest visible row."""
    law, kinds = law_of(rules), np.array(piece, dtype=np.int64)
    tops = np.zeros(rules.columns, dtype=np.int64)
    fill_tops(np.ascontiguousarray(cells, dtype=np.uint8), tops)
    places = np.zeros((MOST_PLACES, 3), dtype=np.int64)
    count = fill_drops(tops, law, distinct(kinds, law), drops_of() if drops is None else drops, places)
    places[:, 2] -= rules.hidden_rows
    return places[:count]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to search: about so many fields in a decision (0: two pieces), or what a time is enough for."""

    nodes: int = MATCHING_NODES
    milliseconds: float | None = None


def search_for(weights: Weights, rules: Rules, budget: Budget | None = None) -> Search:
    """Returns the search for these weights. Raises WeightsError if they are of another game or of other features."""
    budget = budget or Budget()
    vector = values_for(weights, rules).vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
    if budget.milliseconds is not None:
        return TimedSearch(rules, vector, Pace(budget.milliseconds, MOST_MATCHING_NODES))
    return Search(rules, vector, budget.nodes)


def values_for(weights: Weights, rules: Rules) -> Weights:
    """Returns the weights' own values, or those of their set for the rules. Raises WeightsError."""
    check_features(weights)
    for one in weights.sets:
        if one.rules == rules.name:
            return Weights(game=GAME, features=one.features, values=one.values)
    return weights


def check_features(weights: Weights) -> None:
    """Raise WeightsError if weights or their sets are of another game, name unknown features, or are no plain sum."""
    weights.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
    if weights.network or weights.tables is not None or weights.points:
        raise WeightsError("The search of matching games takes one value for each feature: choose such weights.")
    for one in weights.sets:
        unknown = [name for name in one.features.names if name not in FEATURE_NAMES]
        if unknown or one.aim != SURVIVE or one.settings:
            raise WeightsError(
                f"The weights have a set for {one.aim!r} with {', '.join(unknown) or 'settings'}: the aim is "
                f"{SURVIVE}, features are {', '.join(FEATURE_NAMES)}, and there are no settings."
            )
