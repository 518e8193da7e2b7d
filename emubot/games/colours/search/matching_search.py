"""Finds the best placement of a piece: values the placements of a position; knows no RAM and no bridge."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.matching_cells import checked_field
from emubot.games.colours.board.matching_law import law_of
from emubot.games.colours.bounds import MATCHING_NODES
from emubot.games.colours.matching_rules import Rules
from emubot.games.colours.reach.matching_entry import MOST_PLACES, distinct, drops_of, fill_drops, fill_tops
from emubot.games.colours.search.matching_plies import DEAD, MOST_CANDIDATES, Play, Task, rank, scratch_of
from emubot.games.colours.search.ways import futures_of
from emubot.games.pace import Pace
from emubot.games.variety import Choose

Ranked: TypeAlias = tuple[NDArray[np.float64], int]  # each candidate's value, and the number of fields valued

LATER: Final = 60  # pieces after which columns should still be open


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


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the chosen candidate (-1: there is none), its value, and the number of fields valued."""

    index: int
    value: float
    nodes: int


class Search:
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

    def decide(
        self,
        position: Position,
        candidates: NDArray[Any],
        choose: Choose | None = None,
        known: Ranked | None = None,
    ) -> Choice:
        """Returns the best of the placements (orientation, column, row) in `candidates`, integers (n, 3).

        Rows count from the highest visible row. If `choose` is given, it chooses. `known` is what `rank` has returned
        for these. Raises ValueError if the field does not fit the rules.
        """
        values, nodes = self.rank(position, candidates) if known is None else known
        if not len(values):
            return Choice(-1, DEAD, nodes)
        index = int(values.argmax()) if choose is None else choose(candidates.tolist(), values.tolist())
        return Choice(index, float(values[index]), nodes)


class TimedSearch(Search):
    """A search whose decisions take about the time of its pace; results by the clock do not repeat."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64], pace: Pace) -> None:
        super().__init__(rules, weights)
        self._pace = pace

    def rank(self, position: Position, candidates: NDArray[Any]) -> Ranked:
        """Returns what `Search.rank` returns, after as many fields as the time is enough for."""
        return self._pace.spend(partial(self._rank_within, position, candidates))


def key_of(position: Position, candidates: NDArray[Any]) -> Hashable:
    """Returns a value that is equal for positions and candidates for which a search finds the same."""
    values = (candidates, *(getattr(position, entry.name) for entry in fields(position)))
    return tuple(value.tobytes() if isinstance(value, np.ndarray) else value for value in values)


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
