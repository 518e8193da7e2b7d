"""Ranks the placements of a piece: a position goes in, ranked placements come out; knows no RAM and no bridge.

Ties go to the lower lock, then to the smaller orientation id, then to the smaller column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.board.board import Rows
from emubot.games.tetris.evaluation.evaluation import player_of
from emubot.games.tetris.reach import Start, das, timeline
from emubot.games.tetris.reach.start import gravity_at
from emubot.games.tetris.rules import PIECE_OF, Profile
from emubot.games.tetris.search.engine import Engine, decide
from emubot.games.tetris.search.two_plies import DEAD, MOST_LOCKS, UNKNOWN, search_locks
from emubot.games.thinker import Ranking
from emubot.snapshot import Piece, Placement
from emubot.tempo import Tempo

if TYPE_CHECKING:
    from emubot.games.tetris.search.caution import Caution
    from emubot.games.tetris.search.helpers import Helpers

Ranked: TypeAlias = tuple[list[Placement], int]  # placements with their values, best first; boards evaluated


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """The position for a decision.

    `rows` is the board, uint16 (22,), `start` the piece in the air with its place and timers. `next_piece` is an
    orientation id; if it is None (not known), only the piece in the air is searched. `lines` counts those of the game
    so far.
    """

    rows: Rows
    start: Start
    next_piece: int | None
    level: int
    lines: int


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen placement with its timeline (None: no lock is reachable), its value, and the boards evaluated."""

    placement: Placement | None
    value: float
    nodes: int


class Search:
    """A search with a fixed engine, tempo and release.

    The next piece is searched from its spawn, after the tempo's reaction, at the gravity of the level that the first
    lock leads to. With DAS it starts without a charge, because its charge is not known. A `cautious` search plays
    around the crashes of the original program.
    """

    def __init__(
        self, engine: Engine, tempo: Tempo, profile: Profile, helpers: Helpers | None = None, cautious: bool = False
    ) -> None:
        """The engine must be for this tempo and this release, and so must those of the helpers."""
        self._engine, self._tempo, self._profile = engine, tempo, profile
        self.caution: Caution | None = None
        if cautious:
            from emubot.games.tetris.search.caution import Caution

            self.caution = Caution(tempo, profile)
        self._decide: Callable[..., tuple[int, int, int]] = decide if helpers is None else helpers.decide

    def decide(self, position: Position, soft_drop: bool = True) -> Choice:
        """Returns the best placement with its timeline."""
        ranking = self.ranking(position)
        if not len(ranking.values):
            return Choice(None, DEAD, ranking.nodes)
        target, value = Piece(*map(int, ranking.places[0])), float(ranking.values[0])
        gravity = gravity_at(position.level, self._profile)
        route = timeline(position.rows, position.start, target, gravity, self._tempo, self._profile, soft_drop)
        return Choice(replace(route.placement, value=value), value, ranking.nodes)

    def on_its_way(self, position: Position, placement: Placement, next_hidden: bool | None) -> Placement:
        """Returns the placement as a cautious search takes it; `next_hidden` is whether the next piece is hidden."""
        if self.caution is None:
            return placement
        from emubot.games.tetris.search.caution import taken

        way = self.caution.way(position, (placement.orientation, placement.column, placement.row))
        return placement if way is None else taken(placement, way, next_hidden)

    def key(self, position: Position) -> Hashable:
        """Returns a value that is equal for positions in which the search finds the same."""
        begin = position.start.begin(self._tempo)
        if begin.direction == das.NEUTRAL and not begin.free_hold:
            begin = begin._replace(charge=0)  # it has no effect then
        following = position.next_piece
        return position.rows.tobytes(), position.start.piece, begin, following, position.level, position.lines

    def rank(self, position: Position) -> Ranked:
        """Returns all placements, best first, with values but without timelines; and the number of boards evaluated."""
        ranking = self.ranking(position)
        return [ranking.at(index) for index in range(len(ranking.values))], ranking.nodes

    def ranking(self, position: Position) -> Ranking:
        """Returns all locks (orientation, column, row), best first."""
        start = position.start
        if not start.on_board:
            return _sorted(np.zeros((0, 3), dtype=np.int64), np.zeros(0), -1, 0)
        found = np.zeros((MOST_LOCKS, 3), dtype=np.int64)
        values = np.zeros(MOST_LOCKS)
        count, nodes, best = self._decide(
            position.rows,
            start.piece,
            start.begin(self._tempo),
            _index_of(position.next_piece),
            position.lines,
            position.level,
            self._engine,
            found,
            values,
        )
        if self.caution is not None:
            best = self.caution.choose(position, found[:count], values[:count], best)
        # A lock that was searched less deep may have a higher value than the choice.
        values[:count] = np.minimum(values[:count], values[best] if count else 0)
        return _sorted(found[:count], values[:count], best, nodes)


def ranked_locks(rows: Rows, locks: NDArray[np.int64], next_piece: int | None, weights: NDArray[np.float64]) -> Ranking:
    """Returns the locks (n, 3) of (orientation, column, row), best first.

    It is for cartridges with other motion than the family's: the next piece falls straight from the top. No cell of a
    lock may be above row -2.
    """
    values = np.zeros(len(locks))
    nodes = search_locks(rows, locks, _index_of(next_piece), player_of(weights), values)
    return _sorted(locks, values, -1, nodes)


def _index_of(next_piece: int | None) -> int:
    return UNKNOWN if next_piece is None else int(PIECE_OF[next_piece])


def _sorted(locks: NDArray[np.int64], values: NDArray[np.float64], best: int, nodes: int) -> Ranking:
    """Returns the locks, best first; of equal ones the one with the index `best` is first."""
    others = np.arange(len(locks)) != best
    order = np.lexsort((locks[:, 1], locks[:, 0], -locks[:, 2], others, -values))
    return Ranking(locks[order], values[order], int(nodes))
