"""The places where a piece can lock, and the pads that lead there; knows how pieces turn, no evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.board.turning import Turning, pair_cells, pair_turning
from emubot.games.colours.rules import Rules
from emubot.games.motion import Fall, Flight, Grid, Lock, Shapes, straight, timed
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, Tempo

Cells = NDArray[np.uint8]  # (stored rows, columns), the topmost hidden row first
Result = frozenset[tuple[int, int, int]]  # (column, row, kind) of each half at rest

_ABOVE: Final = 2  # rows above the stored ones in which the pivot of a listed turn may be


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The locks of one piece, each result once, and the inputs that lead to them.

    Of several locks that leave the same cells in the same places (such as a piece of one colour either way up), only
    the one with the fewest frames of input is kept. `candidates` is int64 (locks, 3): orientation, column and row of
    each, in the same order.
    """

    locks: tuple[Lock, ...]
    flight: Flight

    @property
    def candidates(self) -> NDArray[np.int64]:
        """Orientation, column and row of each lock."""
        return np.array([lock[:3] for lock in self.locks], dtype=np.int64).reshape(-1, 3)

    def placement(self, lock: Lock, value: float = 0.0) -> Placement:
        """Returns a lock as a placement with its timeline."""
        return Placement(*lock[:3], timeline=self.flight.timeline(*lock[:3]), value=value)


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A piece in the air from which a path is planned.

    `cells` is the field, `kinds` are the piece's (Falling), `piece` is its place. `drop_timer` is the game's: the
    number of frames until it falls, including the next one.
    """

    cells: Cells
    kinds: tuple[int, ...]
    piece: Piece
    drop_timer: int


def reach_of(flight: Flight, result_of: Callable[[tuple[int, int, int]], Result]) -> Reach:
    """Returns the locks of a flight; `result_of` says what a lock at (orientation, column, row) leaves."""
    best: dict[Result, Lock] = {}
    for lock in sorted(flight.locks, key=lambda lock: (lock.busy, lock.frames, lock)):
        best.setdefault(result_of(lock[:3]), lock)
    return Reach(tuple(sorted(best.values())), flight)


def distinct(found: Iterable[Placement], result_of: Callable[[tuple[int, int, int]], Result]) -> tuple[Placement, ...]:
    """Returns the first of the placements with each result."""
    best: dict[Result, Placement] = {}
    for placement in found:
        best.setdefault(result_of((placement.orientation, placement.column, placement.row)), placement)
    return tuple(best.values())


def reach(
    start: Start,
    fall: Fall,
    rules: Rules,
    tempo: Tempo,
    input_state: InputState,
    buttons: Buttons,
    shapes: Shapes | None = None,
) -> Reach:
    """Returns all locks of a pair or an item from its place; `fall`, `tempo` and the rest are as in motion.timed.

    Without `shapes` the piece moves as the rules have it.
    """
    cells, kinds = start.cells, start.kinds
    grid = grid_of(cells, rules, shapes)
    shapes = shapes or shapes_of(pair_turning(kinds[0], rules))
    flight = timed(grid, shapes, start.piece, fall, start.drop_timer, tempo, input_state, buttons)
    return reach_of(flight, lambda place: result(cells, kinds, *place, rules))


def moves(
    cells: Cells,
    pair: tuple[int, int],
    start: Piece,
    rules: Rules,
    buttons: Buttons,
    slack: int,
    shapes: Shapes | None = None,
) -> tuple[Placement, ...]:
    """Returns placements by single inputs that need no timing (motion.straight), each result once, nearest first.

    Quick turns are not used, because their first press has no visible effect. `shapes` are as for `reach`.
    """
    tables = shapes or shapes_of(pair_turning(pair[0], rules, quick=False))
    found = straight(grid_of(cells, rules, shapes), tables, start, buttons, slack)
    return distinct(found, lambda place: result(cells, pair, *place, rules))


def result(cells: Cells, kinds: tuple[int, ...], orientation: int, column: int, row: int, rules: Rules) -> Result:
    """Returns where the halves come to rest; the lower one falls first. Halves above the stored rows vanish."""
    halves = sorted(pair_cells((kinds[0], kinds[1]), Piece(orientation, column, row)), key=lambda half: -half.row)
    taken: set[tuple[int, int]] = set()
    rested = set()
    for half in halves:
        x, y = half.column, half.row
        while _is_free(cells, rules, x, y + 1) and (x, y + 1) not in taken:
            y += 1
        taken.add((x, y))
        if y >= -rules.hidden_rows:
            rested.add((x, y, half.kind))
    return frozenset(rested)


@cache
def shapes_of(turning: Turning) -> Shapes:
    """Returns the tables by which a piece moves that turns so."""
    states, most = len(turning.cells), max(len(attempts) for turns in turning.turns for attempts in turns)
    turns = np.full((2, states, max(most, 1), 3), -1, dtype=np.int8)
    for direction, lists in enumerate(turning.turns):
        for state, attempts in enumerate(lists):
            turns[direction, state, : len(attempts)] = np.array(attempts).reshape(-1, 3)
    return Shapes(np.array(turning.cells, dtype=np.int8), turns, np.array(turning.shown))


def _is_free(cells: Cells, rules: Rules, column: int, row: int) -> bool:
    return row < rules.visible_rows and (row < -rules.hidden_rows or not cells[row + rules.hidden_rows, column])


def grid_of(cells: Cells, rules: Rules, shapes: Shapes | None) -> Grid:
    """Returns the cells with which a piece collides, as motion has them; `shapes` are as for `reach`.

    Where a map lists the turns, the pivot may be the upper half, and a turn moves it up that is no kick.
    """
    return Grid(cells, rules.hidden_rows, -rules.hidden_rows - (0 if shapes is None else _ABOVE))
