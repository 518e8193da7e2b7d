"""The places where a pair or an item can lock, and the pads that lead there; knows rotation rules, no evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.rules import BIG, BIG_CELLS, CARBUNCLE, DOWN, ORIENTATIONS, SATELLITE, UP, Rules
from emubot.games.motion import Fall, Flight, Grid, Lock, Shapes, straight, timed
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, Tempo

Cells = NDArray[np.uint8]  # (stored rows, columns), the topmost hidden row first
Result = frozenset[tuple[int, int, int]]  # (column, row, kind) of each half at rest

_MOST_ATTEMPTS: Final = 4
_ABOVE: Final = 2  # rows above the stored ones in which the pivot of a listed turn may be


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The locks of one piece, each result once, and the inputs that lead to them.

    Of several locks that leave the same puyos in the same places (such as a pair of one colour either way up), only
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

    `cells` is the field, `pair` the pivot's and the satellite's kind (an item's kind as pivot), `piece` its place.
    `drop_timer` is the game's: the number of frames until it falls, including the next one.
    """

    cells: Cells
    pair: tuple[int, int]
    piece: Piece
    drop_timer: int


def reach(
    start: Start,
    fall: Fall,
    rules: Rules,
    tempo: Tempo,
    input_state: InputState,
    buttons: Buttons,
    shapes: Shapes | None = None,
) -> Reach:
    """Returns all locks of a piece from its place; `fall`, `tempo` and the rest are as in motion.timed.

    Without `shapes` the piece moves as the rules have it.
    """
    cells, pair = start.cells, start.pair
    grid = grid_of(cells, rules, shapes)
    shapes = shapes or shapes_of(pair[0], rules)
    flight = timed(grid, shapes, start.piece, fall, start.drop_timer, tempo, input_state, buttons)
    best: dict[Result, Lock] = {}
    for lock in sorted(flight.locks, key=lambda lock: (lock.busy, lock.frames, lock)):
        best.setdefault(result(cells, pair, lock.orientation, lock.column, lock.row, rules), lock)
    return Reach(tuple(sorted(best.values())), flight)


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
    best: dict[Result, Placement] = {}
    tables = shapes or _shapes(pair[0], rules, quick=False)
    for found in straight(grid_of(cells, rules, shapes), tables, start, buttons, slack):
        best.setdefault(result(cells, pair, found.orientation, found.column, found.row, rules), found)
    return tuple(best.values())


def result(cells: Cells, pair: tuple[int, int], orientation: int, column: int, row: int, rules: Rules) -> Result:
    """Returns where the halves come to rest; the lower one falls first. Halves above the stored rows vanish."""
    halves = sorted(_halves(pair, orientation), key=lambda half: -half[1])
    taken: set[tuple[int, int]] = set()
    rested = set()
    for dx, dy, kind in halves:
        x, y = column + dx, row + dy
        while _is_free(cells, rules, x, y + 1) and (x, y + 1) not in taken:
            y += 1
        taken.add((x, y))
        if y >= -rules.hidden_rows:
            rested.add((x, y, kind))
    return frozenset(rested)


def shapes_of(pivot: int, rules: Rules) -> Shapes:
    """Returns the tables of the piece with this kind of pivot.

    A quick turn takes two presses: between walls on both sides the first one is blocked, and the second turns the pair
    upside down. Orientations 4 to 7 are 0 to 3 after a blocked press; a successful rotation resets that.
    """
    return _shapes(pivot, rules, rules.quick_turn)


def _shapes(pivot: int, rules: Rules, quick: bool) -> Shapes:
    return _tables(pivot if pivot in (BIG, CARBUNCLE) else 0, rules.wall_kick, rules.floor_kick, quick)


@cache
def _tables(item: int, wall_kick: bool, floor_kick: bool, quick: bool) -> Shapes:
    if item:
        alone = np.array([BIG_CELLS if item == BIG else [(0, 0)]], dtype=np.int8)
        return Shapes(alone, np.full((2, 1, 1, 3), -1, dtype=np.int8), np.zeros(1, dtype=np.int64))
    states = 2 * ORIENTATIONS if quick else ORIENTATIONS
    shown = np.arange(states) % ORIENTATIONS
    cells = np.array([((0, 0), SATELLITE[orientation]) for orientation in shown], dtype=np.int8)
    turns = np.full((2, states, _MOST_ATTEMPTS, 3), -1, dtype=np.int8)
    for direction, quarters in enumerate((1, ORIENTATIONS - 1)):
        for state in range(states):
            orientation = state % ORIENTATIONS
            target = (orientation + quarters) % ORIENTATIONS
            attempts = _attempts(target, wall_kick, floor_kick)
            if quick and orientation in (UP, DOWN):
                refused = [(orientation + ORIENTATIONS, 0, 0)]
                upside_down = _attempts((orientation + 2) % ORIENTATIONS, wall_kick, floor_kick)
                attempts += upside_down if state >= ORIENTATIONS else refused
            turns[direction, state, : len(attempts)] = attempts
    return Shapes(cells, turns, shown)


def _attempts(target: int, wall_kick: bool, floor_kick: bool) -> list[tuple[int, int, int]]:
    """Returns the attempts of a rotation: in place, then with a kick of the pivot, one cell away from the satellite."""
    dx, dy = SATELLITE[target]
    kicks = floor_kick if target == DOWN else wall_kick
    return [(target, 0, 0)] + [(target, -dx, -dy)] * kicks


def _halves(pair: tuple[int, int], orientation: int) -> list[tuple[int, int, int]]:
    """Returns (dx, dy, kind) of each cell."""
    pivot, satellite = pair
    if pivot == BIG:
        return [(dx, dy, BIG) for dx, dy in BIG_CELLS]
    if pivot == CARBUNCLE:
        return [(0, 0, CARBUNCLE)]
    return [(0, 0, pivot), (*SATELLITE[orientation], satellite)]


def _is_free(cells: Cells, rules: Rules, column: int, row: int) -> bool:
    return row < rules.visible_rows and (row < -rules.hidden_rows or not cells[row + rules.hidden_rows, column])


def grid_of(cells: Cells, rules: Rules, shapes: Shapes | None) -> Grid:
    """Returns the cells with which a piece collides, as motion has them; `shapes` are as for `reach`.

    Where a map lists the turns, the pivot may be the upper half, and a turn moves it up that is no kick.
    """
    return Grid(cells, rules.hidden_rows, -rules.hidden_rows - (0 if shapes is None else _ABOVE))
