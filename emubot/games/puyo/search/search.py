"""Which placement of a pair is best: a position goes in, values come out; knows no RAM and no bridge."""

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
    """What a decision is made from.

    `cells` is the field, uint8 (stored rows, 6), hidden rows first. A pair is (pivot's kind, satellite's kind), BIG or
    CARBUNCLE as the pivot of an item. `next_pair` is None if it is not known: then only `pair` is searched. `pending`
    is the nuisance that falls after this pair: its full rows are laid, what is left over is not, for its columns are
    not known. `limits` (reach/entry.py) say which columns the next pair still enters; None: it has the time it needs.
    """

    cells: NDArray[Any]
    pair: Pair
    next_pair: Pair | None = None
    pending: int = 0
    limits: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The index of the best candidate (-1: there is none), its value, and the fields evaluated."""

    index: int
    value: float
    nodes: int


class Search:
    """Two plies with fixed rules and weights. Ties go to the earlier candidate."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64]) -> None:
        """`weights` are those of Weights.vector."""
        self._rules, self._table, self._scales = rules, table_of(rules), scales_of(weights)

    def decide(self, position: Position, candidates: NDArray[Any], choose: Choose | None = None) -> Choice:
        """Returns the best of the placements (orientation, column) in `candidates`, integers (n, 2).

        With `choose` the one that it chooses. Raises ValueError if the field does not fit the rules.
        """
        values, nodes = self.rank(position, candidates)
        if not len(values):
            return Choice(-1, DEAD, nodes)
        index = int(values.argmax()) if choose is None else choose(candidates.tolist(), values.tolist())
        return Choice(index, float(values[index]), nodes)

    def rank(self, position: Position, candidates: NDArray[Any]) -> tuple[NDArray[np.float64], int]:
        """Returns the value of every candidate, float64 (n,), and the number of fields evaluated. Raises ValueError."""
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
    """Returns what `fill_placements` finds for a piece on a field: int8 (n, 2). Without limits it has all the time."""
    found = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    within = limits_of(rules) if limits is None else limits
    count = placements_on(checked_cells(cells), *piece, within, table_of(rules), found)
    return found[:count]
