"""The places where a piece can lock, and the pads that lead there; knows how pieces turn, no evaluation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours import matching_rules
from emubot.games.colours.board.turning import Turning, pair_cells, pair_turning, piece_turning
from emubot.games.colours.rules import Rules
from emubot.games.colours.timing import is_timed
from emubot.games.motion import Fall, Flight, Grid, Lock, Shapes, apart, straight, timed
from emubot.rammap import RamMap
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Placement, Snapshot
from emubot.tempo import InputState, Tempo

Cells = NDArray[np.uint8]  # (stored rows, columns), the topmost hidden row first
Result = frozenset[tuple[int, int, int]]  # (column, row, kind) of each half at rest
Place = tuple[int, int, int]  # of a lock: orientation, column, row

_CLOCK: Final = "drop_timer"
_SLACK: Final = 3  # rows that a piece may fall while inputs are sent one by one
_FASTEST: Final = 8  # frames per row that are reckoned with where its speed is not known
_USUAL: Final = 16  # the same where there is no room to fall in
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


class Start(NamedTuple):
    """A piece in the air from which a path is planned: what it collides with, how it moves, where it is.

    `result` returns what a lock leaves.
    """

    grid: Grid
    shapes: Shapes
    piece: Piece
    result: Callable[[Place], Result]


def pair_start(
    cells: Cells, kinds: tuple[int, ...], piece: Piece, rules: Rules, shapes: Shapes | None = None, quick: bool = True
) -> Start:
    """Returns the start of a pair or an item. Without `shapes` it moves as the rules have it.

    Without `quick` it makes no quick turns, whose first press has no visible effect.
    """
    tables = shapes or shapes_of(pair_turning(kinds[0], rules, quick=quick))
    return Start(grid_of(cells, rules, shapes), tables, piece, lambda place: result(cells, kinds, *place, rules))


def piece_start(cells: Cells, kinds: tuple[int, ...], piece: Piece, rules: matching_rules.Rules) -> Start:
    """Returns the start of a piece of a matching game."""
    grid, shapes = Grid(cells, rules.hidden_rows, -rules.hidden_rows), shapes_of(piece_turning(rules, kinds))
    return Start(grid, shapes, piece, lambda place: piece_result(kinds, place, rules))


def reach(start: Start, timer: int, fall: Fall, tempo: Tempo, input_state: InputState, buttons: Buttons) -> Reach:
    """Returns all locks of a piece from its place; `timer` and the rest are as in motion.timed."""
    flight = timed(start.grid, start.shapes, start.piece, fall, timer, tempo, input_state, buttons)
    best: dict[Result, Lock] = {}
    for lock in sorted(flight.locks, key=lambda lock: (lock.busy, lock.frames, lock)):
        best.setdefault(start.result(lock[:3]), lock)
    return Reach(tuple(sorted(best.values())), flight)


def moves(start: Start, buttons: Buttons, slack: int, pace: float = 0, wait: float = 0) -> tuple[Placement, ...]:
    """Returns placements by single inputs that need no timing (motion.straight), each result once, nearest first."""
    best: dict[Result, Placement] = {}
    for placement in straight(start.grid, start.shapes, start.piece, buttons, slack, pace, wait):
        best.setdefault(start.result((placement.orientation, placement.column, placement.row)), placement)
    return tuple(best.values())


class Offer(NamedTuple):
    """The placements that a piece can reach: int64 (n, 2) or (n, 3), orientation, column, and a row if it counts.

    `gravity` is in frames per row, None if the clock is not known. `placement` returns the way to the placement of an
    index, with a value.
    """

    places: NDArray[np.int64]
    gravity: int | None
    placement: Callable[[int, float], Placement]


class Offers(ABC):
    """Finds the placements of a map's pieces.

    If the map states gravity and a drop timer, paths to placements are planned frame by frame. Otherwise only
    placements whose moves need no timing are candidates.
    """

    numbers: int  # of a place: 2 without its row

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        self._tempo, self._buttons, self._timed = tempo, ram_map.buttons, is_timed(ram_map)
        self._press = ram_map.press

    @abstractmethod
    def _start(self, snapshot: Snapshot, piece: Piece, quick: bool) -> Start:
        """Returns the start of the piece in the air from this place."""

    @abstractmethod
    def _stated_fall(self, snapshot: Snapshot) -> Fall:
        """Returns the fall of the piece in the air, which the map states."""

    def fall(self, snapshot: Snapshot) -> Fall | None:
        """Returns the fall of the piece in the air; None if the map does not state it."""
        return self._stated_fall(snapshot) if self._timed else None

    def offer(self, snapshot: Snapshot, piece: Piece, input_state: InputState) -> Offer:
        """Returns what the piece can reach from its place in the snapshot."""
        found = self._reach(snapshot, piece, input_state)
        if found is None:
            return self._offer_by_moves(snapshot, piece)
        reached, fall = found
        return Offer(
            np.ascontiguousarray(reached.candidates[:, : self.numbers]),
            fall.gravity,
            lambda index, value: reached.placement(reached.locks[index], value),
        )

    def reroute(self, snapshot: Snapshot, input_state: InputState, chosen: Placement) -> Placement | None:
        """Returns the same lock with a new timeline from here; None if it cannot be reached or without known timing."""
        found = None if snapshot.current is None else self._reach(snapshot, snapshot.current, input_state)
        if found is None:
            return None
        try:
            steps = found[0].flight.timeline(chosen.orientation, chosen.column, chosen.row)
        except UsageError:
            return None
        return replace(chosen, timeline=steps)

    def _reach(self, snapshot: Snapshot, piece: Piece, input_state: InputState) -> tuple[Reach, Fall] | None:
        """Returns all locks and the fall; None if the clock is not known."""
        fall = self.fall(snapshot)
        if fall is None or _CLOCK not in snapshot.counters:
            return None
        start = self._start(snapshot, piece, quick=True)
        return reach(start, snapshot.counters[_CLOCK], fall, self._tempo, input_state, self._buttons), fall

    def _offer_by_moves(self, snapshot: Snapshot, piece: Piece) -> Offer:
        start = self._start(snapshot, piece, quick=False)
        between, reaction = apart(self._tempo, self._press), self._tempo.reaction
        pace, wait = between / _FASTEST, reaction / _FASTEST
        surest = (moves(start, self._buttons, slack, pace, wait) for slack in range(_SLACK, -1, -1))
        found = next((places for places in surest if len(places) > 1), None) or tuple(
            placement
            for placement in moves(start, self._buttons, slack=0)
            if not placement.moves or reaction + len(placement.moves) * between <= _USUAL
        )
        places = np.array([(spot.orientation, spot.column, spot.row) for spot in found], dtype=np.int64).reshape(-1, 3)
        places = np.ascontiguousarray(places[:, : self.numbers])
        return Offer(places, None, lambda index, value: replace(found[index], value=value))


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


def piece_result(kinds: tuple[int, ...], place: Place, rules: matching_rules.Rules) -> Result:
    """Returns the cells that a lock of a matching piece fills. A half above the stored rows is lost."""
    orientation, column, row = place
    cells = zip(rules.shapes[orientation], kinds, strict=True)
    return frozenset((column + dx, row + dy, kind) for (dx, dy), kind in cells if row + dy >= -rules.hidden_rows)


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
    """Returns the cells with which a piece collides, as motion has them; `shapes` are as for `pair_start`.

    Where a map lists the turns, the pivot may be the upper half, and a turn moves it up that is no kick.
    """
    return Grid(cells, rules.hidden_rows, -rules.hidden_rows - (0 if shapes is None else _ABOVE))
