"""The places where a piece can lock, and the pads that lead there; knows how pieces turn, no evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.games.colours.matching_rules import CYCLED, TURNED, Rules
from emubot.games.motion import Fall, Flight, Grid, Lock, Shapes, straight, timed
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement
from emubot.tempo import InputState, Tempo

Result = frozenset[tuple[int, int, int]]  # (column, row, kind) of each cell on the field
Cells = NDArray[Any]  # uint8 (stored rows, columns)


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A piece in the air from which a path is planned.

    `cells` is the field, `kinds` are the piece's, half 1 first, `piece` is its place. `drop_timer` is the game's: the
    number of frames until it falls, including the next one.
    """

    cells: Cells
    kinds: tuple[int, ...]
    piece: Piece
    drop_timer: int


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The locks of one piece, each result once, and the inputs that lead to them.

    Of several locks that leave the same cells (such as a piece of one colour either way up), only the one with the
    fewest frames of input is kept. `candidates` is int64 (locks, 3): orientation, column and row of each.
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


def reach(start: Start, fall: Fall, rules: Rules, tempo: Tempo, input_state: InputState, buttons: Buttons) -> Reach:
    """Returns all locks of a piece from its place; `fall`, `tempo` and the rest are as in motion.timed."""
    shapes = shapes_of(rules)
    flight = timed(_grid(start.cells, rules), shapes, start.piece, fall, start.drop_timer, tempo, input_state, buttons)
    best: dict[Result, Lock] = {}
    for lock in sorted(flight.locks, key=lambda lock: (lock.busy, lock.frames, lock)):
        best.setdefault(result(start.kinds, lock[:3], rules), lock)
    return Reach(tuple(sorted(best.values())), flight)


def moves(
    cells: Cells, kinds: tuple[int, ...], start: Piece, rules: Rules, buttons: Buttons, slack: int
) -> tuple[Placement, ...]:
    """Returns placements by single inputs that need no timing (motion.straight), each result once, nearest first."""
    best: dict[Result, Placement] = {}
    for found in straight(_grid(cells, rules), shapes_of(rules), start, buttons, slack):
        best.setdefault(result(kinds, (found.orientation, found.column, found.row), rules), found)
    return tuple(best.values())


def result(kinds: tuple[int, ...], place: tuple[int, int, int], rules: Rules) -> Result:
    """Returns the cells that a lock at (orientation, column, row) fills. A half above the stored rows is lost."""
    orientation, column, row = place
    cells = zip(rules.shapes[orientation], kinds, strict=True)
    return frozenset((column + dx, row + dy, kind) for (dx, dy), kind in cells if row + dy >= -rules.hidden_rows)


def shapes_of(rules: Rules) -> Shapes:
    """Returns the tables by which a piece moves.

    A piece of two turns in its box; a blocked turn to flat tries one column to the left if the rules say so. The button
    of a piece of three cycles its order, which nothing blocks.
    """
    return _shapes(rules.piece_cells, rules.kick_left)


@cache
def _shapes(cells: int, kick_left: bool) -> Shapes:
    shapes = TURNED if cells == len(TURNED[0]) else CYCLED
    count = len(shapes)
    turns = np.full((2, count, 2, 3), -1, dtype=np.int8)
    for direction, step in enumerate((1, count - 1)):
        for orientation in range(count):
            target = (orientation + step) % count
            flat = len({dy for _, dy in shapes[target]}) == 1
            attempts = [(target, 0, 0)] + [(target, -1, 0)] * (kick_left and flat)
            turns[direction, orientation, : len(attempts)] = attempts
    return Shapes(np.array(shapes, dtype=np.int8), turns, np.arange(count))


def _grid(cells: Cells, rules: Rules) -> Grid:
    return Grid(cells, rules.hidden_rows, -rules.hidden_rows)
