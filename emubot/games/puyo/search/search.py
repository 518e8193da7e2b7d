"""Finds the best placement of a pair: values the placements of a position; knows no RAM and no bridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.board.board import checked_cells
from emubot.games.puyo.evaluation.evaluation import scales_of
from emubot.games.puyo.reach.entry import limits_of
from emubot.games.puyo.rules import Rules
from emubot.games.puyo.scoring import table_of
from emubot.games.puyo.search.two_plies import (
    DEAD,
    MOST_PLACEMENTS,
    UNKNOWN,
    Candidates,
    Pair,
    placements_on,
    search_cells,
)
from emubot.games.variety import Choose


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """The input of a decision.

    `cells` is the field, uint8 (stored rows, 6), hidden rows first. A pair is (pivot's kind, satellite's kind); the
    pivot of an item is BIG or CARBUNCLE. If `next_pair` is None it is not known, and only `pair` is searched. `pending`
    is the nuisance that falls after this pair: the search adds its full rows, but not the rest, because its columns are
    not known. `limits` (reach/entry.py) are those of the columns that the next pair can enter; None: no time limit.
    """

    cells: NDArray[Any]
    pair: Pair
    next_pair: Pair | None = None
    pending: int = 0
    limits: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the chosen candidate (-1: there is none), its value, and the number of evaluated fields."""

    index: int
    value: float
    nodes: int


class Search:
    """A search of two plies with fixed rules and weights. Of equal candidates the first one is chosen."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64]) -> None:
        """`weights` are those of Weights.vector."""
        self._rules, self._table, self._scales = rules, table_of(rules), scales_of(weights)

    def decide(self, position: Position, candidates: NDArray[Any], choose: Choose | None = None) -> Choice:
        """Returns the best of the placements (orientation, column) in `candidates`, integers (n, 2).

        If `choose` is given, it chooses. Raises ValueError if the field does not fit the rules.
        """
        values, nodes = self.rank(position, candidates)
        if not len(values):
            return Choice(-1, DEAD, nodes)
        index = int(values.argmax()) if choose is None else choose(candidates.tolist(), values.tolist())
        return Choice(index, float(values[index]), nodes)

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns each candidate's value, float64 (n,), and the number of evaluated fields; raises like `decide`."""
        rules, settled = self._rules, checked_cells(position.cells)
        if len(settled) != rules.stored_rows:
            raise ValueError(f"the rules {rules.name} store {rules.stored_rows} rows, not {len(settled)}")
        placements = np.ascontiguousarray(candidates, dtype=np.int8).reshape(-1, 2)
        values = np.zeros(len(placements))
        nodes = search_cells(
            settled,
            placements,
            len(placements),
            *position.pair,
            *(position.next_pair or (UNKNOWN, UNKNOWN)),
            position.pending,
            limits_of(rules) if position.limits is None else position.limits,
            self._table,
            self._scales,
            values,
        )
        return values, int(nodes)


def placements(cells: NDArray[Any], piece: Pair, rules: Rules, limits: int | None = None) -> Candidates:
    """Returns the placements of a piece on a field, int8 (n, 2), as `fill_placements`; no limits: no time limit."""
    found = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    within = limits_of(rules) if limits is None else limits
    count = placements_on(checked_cells(cells), *piece, within, table_of(rules), found)
    return found[:count]
