"""Which placement of a piece is best: a position goes in, ranked placements come out; knows no RAM and no bridge.

Ties go to the lower lock, then to the smaller orientation id, then to the smaller column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.reach import Start, timeline
from emubot.games.tetris.reach.start import gravity_at, input_rules_of
from emubot.games.tetris.rules import PIECE_OF, Profile
from emubot.games.tetris.search.two_plies import DEAD, MOST_LOCKS, UNKNOWN, search_locks, search_two_plies
from emubot.games.variety import Choose
from emubot.snapshot import Piece, Placement
from emubot.tempo import Tempo


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """What a decision is made from.

    `rows` is the board, uint16 (22,), `start` the piece where it is with its clocks. `next_piece` is an orientation id,
    None if it is not known: then only the piece in the air is searched. `lines` are those of the game so far.
    """

    rows: Rows
    start: Start
    next_piece: int | None
    level: int
    lines: int


@dataclass(frozen=True, slots=True)
class Choice:
    """The best placement with its timeline (None: no lock is reachable), its value, and the boards evaluated."""

    placement: Placement | None
    value: float
    nodes: int


class Search:
    """Two plies with fixed weights, tempo and rules.

    The next piece is searched at the gravity of the level that it will come at, from its spawn, after the tempo's
    reaction. With DAS it starts without a charge, for the charge that it will meet is not known.
    """

    def __init__(self, weights: NDArray[np.float64], tempo: Tempo, profile: Profile) -> None:
        """`weights` are those of Weights.vector."""
        self._tempo, self._profile = tempo, profile
        self._player = player_of(weights)
        self._gravity = np.array(profile.gravity, dtype=np.int64)
        self._input_rules = input_rules_of(tempo, profile)

    def decide(self, position: Position, choose: Choose | None = None, soft_drop: bool = True) -> Choice:
        """Returns the best placement, or the one of `choose`, with the frames of pad that lead to it."""
        ranked, nodes = self.rank(position)
        if not ranked:
            return Choice(None, DEAD, nodes)
        best = chosen_of(ranked, choose)
        target = Piece(best.orientation, best.column, best.row)
        gravity = gravity_at(position.level, self._profile)
        route = timeline(position.rows, position.start, target, gravity, self._tempo, self._profile, soft_drop)
        return Choice(replace(route.placement, value=best.value), best.value, nodes)

    def rank(self, position: Position) -> tuple[list[Placement], int]:
        """Returns all placements, best first, with values but without timelines; and the number of boards evaluated."""
        start = position.start
        if not start.on_board:
            return [], 0
        found = np.zeros((MOST_LOCKS, 3), dtype=np.int64)
        values = np.zeros(MOST_LOCKS)
        count, nodes = search_two_plies(
            position.rows,
            start.piece,
            start.begin(self._tempo),
            _index_of(position.next_piece),
            position.level,
            position.lines,
            self._gravity,
            self._input_rules,
            self._player,
            found,
            values,
        )
        return _ranked(found[:count], values), nodes


def rank_locks(
    rows: Rows, locks: NDArray[np.int64], next_piece: int | None, weights: NDArray[np.float64]
) -> tuple[list[Placement], int]:
    """Returns the locks (n, 3) of (orientation, column, row), best first, with values; and the boards evaluated.

    For cartridges whose motion is not the family's: the next piece falls straight from the top. No cell of a lock may
    be above row -2.
    """
    values = np.zeros(len(locks))
    nodes = search_locks(rows, locks, _index_of(next_piece), player_of(weights), values)
    return _ranked(locks, values), nodes


def chosen_of(ranked: Sequence[Placement], choose: Choose | None) -> Placement:
    """Returns the first of some placements, best first, or the one of `choose`."""
    if choose is None:
        return ranked[0]
    return ranked[choose([(one.orientation, one.column, one.row) for one in ranked], [one.value for one in ranked])]


def _index_of(next_piece: int | None) -> int:
    return UNKNOWN if next_piece is None else int(PIECE_OF[next_piece])


def _ranked(locks: NDArray[np.int64], values: NDArray[np.float64]) -> list[Placement]:
    order = sorted(range(len(locks)), key=lambda i: (-values[i], -locks[i, 2], locks[i, 0], locks[i, 1]))
    return [Placement(int(o), int(x), int(y), value=float(values[i])) for i in order for o, x, y in [locks[i]]]
