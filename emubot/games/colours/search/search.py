"""Finds the best placement of a pair: values the placements of a position; knows no RAM and no bridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.words import Cells, checked_cells
from emubot.games.colours.evaluation.evaluation import scales_of
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.choice import Decider, Ranked
from emubot.games.colours.search.two_plies import (
    MOST_PLACEMENTS,
    UNKNOWN,
    Candidates,
    Pair,
    Play,
    placements_on,
    search_cells,
)


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """The input of a decision.

    `cells` is the field, uint8 (stored rows, 6), hidden rows first. A pair is (pivot's kind, satellite's kind); the
    pivot of an item is BIG or CARBUNCLE. `following` are the next pairs that are known. `pending` is the nuisance that
    falls after this pair: the search adds its full rows, but not the rest, because its columns are not known. `limits`
    (reach/entry.py) are those of the columns that the next pair can enter; None: no time limit. `left` is how many
    pairs come after this one before the game ends; None: it does not end so. `opponent_room` is that of
    battle_sense.room_of; None: it is not known, or there is no opponent.
    """

    cells: NDArray[Any]
    pair: Pair
    following: tuple[Pair, ...] = ()
    pending: int = 0
    limits: int | None = None
    left: int | None = None
    opponent_room: int | None = None


Search: TypeAlias = Decider[Position]


class TwoPlies(Search):
    """Values all placements of the current pair, and of the next one if it is known."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64]) -> None:
        """`weights` are those of evaluation.py."""
        self._rules, self._table, self.scales = rules, table_of(rules), scales_of(weights)

    def rank(self, position: Position, candidates: NDArray[Any]) -> Ranked:
        """Returns each candidate's value, float64 (n,), and the number of evaluated fields; raises like `decide`."""
        settled = field_of(position, self._rules)
        placements = np.ascontiguousarray(candidates, dtype=np.int8).reshape(-1, 2)
        values = np.zeros(len(placements))
        limits = limits_of(self._rules) if position.limits is None else position.limits
        following = position.following[0] if position.following else (UNKNOWN, UNKNOWN)
        play = Play(limits, self._table, self.scales)
        nodes = search_cells(settled, placements, position.pair, following, position.pending, play, values)
        return values, int(nodes)


def field_of(position: Position, rules: Rules) -> Cells:
    """Returns the position's field, settled. Raises ValueError if it does not fit the rules."""
    settled = checked_cells(position.cells)
    if len(settled) != rules.stored_rows:
        raise ValueError(f"the rules {rules.name} store {rules.stored_rows} rows, not {len(settled)}")
    return settled


def placements(cells: NDArray[Any], piece: Pair, rules: Rules, limits: int | None = None) -> Candidates:
    """Returns the placements of a piece on a field, int8 (n, 2), as `fill_placements`; no limits: no time limit."""
    found = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
    within = limits_of(rules) if limits is None else limits
    count = placements_on(checked_cells(cells), *piece, within, table_of(rules), found)
    return found[:count]
