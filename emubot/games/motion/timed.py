"""Finds all locks of a falling piece with known timing, and the pads to each; knows no evaluation and no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.motion import explore as ex
from emubot.games.motion.shapes import Fall, Grid, Keys, Places, Shapes, keys_of, places
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Step
from emubot.tempo import InputState, Tempo

_LABELS: Final = 4096  # room in the first attempt; doubled until it is enough


class Lock(NamedTuple):
    """Where a piece can lock: orientation id, the pivot's column and row; and the least number of frames to it."""

    orientation: int
    column: int
    row: int
    frames: int  # without soft drop, the frame of lock included
    busy: int  # up to the last input, a hard drop not counted; 0: there is no input
    dropped: bool  # by a hard drop


@dataclass(frozen=True, slots=True)
class _Move:
    """One input of a plan: its span (see explore.py), its pad, and the place of the piece after it."""

    span: int
    pad: Pad
    shifts: bool
    turns: bool
    place: tuple[int, int, int]  # orientation in the tables, column, row


class Flight:
    """One piece on one grid, from one state of the inputs: its `locks`, and the timeline to each of them.

    `timed` returns one. Each lock (orientation id, column, row) is there once, with its earliest arrival.
    """

    def __init__(
        self,
        grid: Grid,
        shapes: Shapes,
        start: Piece,
        fall: Fall,
        timer: int,
        tempo: Tempo,
        input_state: InputState,
        keys: Keys,
    ) -> None:
        self._shapes, self._fall, self._tempo, self._keys = shapes, fall, tempo, keys
        self._timer = max(timer, 1)
        self._start = (shapes.index(start.orientation), start.column, start.row)
        busy = 1 if input_state.held & (keys.left | keys.right | keys.turns[0] | keys.turns[1] | keys.hard_drop) else 0
        # A button that is held when the plan begins is released in the first frame, and nothing is tapped in it.
        self._shift_from = max(input_state.rest, busy)
        self._turn_from = max(input_state.turn_rest, busy) if tempo.das else self._shift_from
        self._places: Places = places(grid, shapes, start.row)
        self._log: NDArray[np.int64] = np.empty((0, ex.LABEL_SIZE), dtype=np.int64)
        self._found: dict[tuple[int, int, int], tuple[int, bool]] = {}  # (label, whether dropped) by lock
        self.locks: tuple[Lock, ...] = self._search(grid)

    def timeline(self, orientation: int, column: int, row: int) -> tuple[Step, ...]:
        """Returns the pad of each frame, that of the lock included, with the place of the piece after it.

        Inputs come as early as possible. Soft drop is held, once the tempo allows a first input, whenever the next
        input waits only for a lower row. Raises UsageError if this lock is not among `locks`.
        """
        found = self._found.get((orientation, column, row))
        if found is None:
            raise UsageError(f"orientation {orientation} cannot lock at column {column}, row {row} from here")
        label, dropped = found
        return self._play(self._moves(label), dropped)

    def _search(self, grid: Grid) -> tuple[Lock, ...]:
        fits, top, left = self._places.fits, self._places.top, self._places.left
        _, height, width = fits.shape
        orientation, column, row = self._start
        if not (0 <= column - left < width and 0 <= row - top < height):
            return ()
        keys = self._keys
        begin = np.array(
            (
                orientation,
                row - top,
                column - left,
                self._timer,
                self._fall.gravity,
                grid.ceiling - top,
                self._shift_from,
                self._turn_from,
            ),
            dtype=np.int64,
        )
        input_state = rules_for(self._tempo, keys)
        turns = np.ascontiguousarray(self._shapes.turns, dtype=np.int8)
        locks = np.empty((fits.size, 3), dtype=np.int64)
        room = _LABELS
        while True:
            self._log = np.empty((room, ex.LABEL_SIZE), dtype=np.int64)
            if ex.explore(fits, turns, begin, input_state, self._log, locks) >= 0:
                break
            room *= 2
        best: dict[tuple[int, int, int], Lock] = {}
        for place in np.flatnonzero(locks[:, ex.LABEL] >= 0).tolist():
            label, frames, dropped = locks[place].tolist()
            x, y = place % width + left, place // width % height + top
            shown = (int(self._shapes.shown[place // (width * height)]), x, y)
            if shown not in best or frames < best[shown].frames:
                best[shown] = Lock(*shown, frames, int(self._log[label, ex.FRAME]) + 1, bool(dropped))
                self._found[shown] = (label, bool(dropped))
        return tuple(best.values())

    def _moves(self, label: int) -> list[_Move]:
        """Returns the inputs that lead to a label, first to last."""
        _, height, width = self._places.fits.shape
        moves: list[_Move] = []
        while label >= 0:
            entry = self._log[label].tolist()
            if entry[ex.ACTION] != ex.FELL:
                shift, turn = entry[ex.ACTION] % 3, entry[ex.ACTION] // 3
                pad = (Pad.NONE, self._keys.left, self._keys.right)[shift]
                pad |= (Pad.NONE, *self._keys.turns)[turn]
                place = entry[ex.PLACE]
                at = (
                    place // (width * height),
                    place % width + self._places.left,
                    place // width % height + self._places.top,
                )
                moves.append(_Move(entry[ex.SPAN], pad, shift != 0, turn != 0, at))
            label = entry[ex.BEFORE]
        return moves[::-1]

    def _play(self, moves: list[_Move], dropped: bool) -> tuple[Step, ...]:
        """Returns the frames of a plan, with soft drop; the order in a frame is that of the game: input, fall, lock.

        Soft drop before an input never delays it. It is held only after both clocks have run out, so each span begins
        with no longer waits than in the plan, and the spans with inputs keep their length.
        """
        keys, period, apart = self._keys, self._tempo.period, self._tempo.das
        shift_from, turn_from = self._shift_from, self._turn_from
        first_down = min(shift_from, turn_from)
        soft = self._fall.soft_drop if keys.soft_drop else 0
        orientation, column, row = self._start
        timer, span, done, frame = self._timer, 0, 0, 0
        steps: list[Step] = []
        shown = self._shapes.shown.tolist()
        locked = False
        while not locked:
            pad = Pad.NONE
            move = moves[done] if done < len(moves) else None
            rested = frame >= max(shift_from, turn_from)
            if move is not None and move.span == span:
                if (frame >= shift_from or not move.shifts) and (frame >= turn_from or not move.turns):
                    pad, (orientation, column, row) = move.pad, move.place
                    done += 1
                    shift_from = frame + period if move.shifts or not apart else shift_from
                    turn_from = frame + period if move.turns or not apart else turn_from
            elif move is None and dropped:
                if rested:
                    pad, locked = keys.hard_drop, True
                    while self._places.free(orientation, column, row + 1):
                        row += 1
            elif soft and (rested if move is not None else frame >= first_down):
                pad, timer = keys.soft_drop, min(timer, soft)
            timer -= 1
            if timer == 0 and not locked:
                timer, span = self._fall.gravity, span + 1
                locked = not self._places.free(orientation, column, row + 1)
                row += not locked
            steps.append(Step(pad, shown[orientation], column, row))
            frame += 1
        assert done == len(moves), "the search and the model of motion disagree"
        return tuple(steps)


def rules_for(tempo: Tempo, keys: Keys) -> NDArray[np.int64]:
    """Returns the input rules of a tempo and of the moves that there are, as explore.py takes them."""
    turns = (turn != Pad.NONE for turn in keys.turns)
    return np.array((tempo.period, tempo.das, *turns, keys.hard_drop != Pad.NONE), dtype=np.int64)


def timed(
    grid: Grid,
    shapes: Shapes,
    start: Piece,
    fall: Fall,
    timer: int,
    tempo: Tempo,
    input_state: InputState,
    buttons: Buttons,
) -> Flight:
    """Returns all placements that taps can reach, tucks under overhangs and floor kicks included.

    `start` is the piece before the first planned frame, `timer` the frames until it falls (1: in that frame),
    `input_state` the inputs before that frame; the tempo's reaction is in `input_state.rest`. The order in a frame is
    turn, shift, fall; the piece locks when it should fall and cannot. A tempo with DAS is played with taps too, with
    separate clocks for directions and turns. A start outside the grid has no locks. Raises ValueError if the piece has
    no such orientation.
    """
    return Flight(grid, shapes, start, fall, timer, tempo, input_state, keys_of(buttons))


def compile_once() -> None:
    """Compile (or load) the kernels of motion."""
    shapes = Shapes(
        np.zeros((1, 1, 2), dtype=np.int8), np.full((2, 1, 1, 3), -1, dtype=np.int8), np.zeros(1, dtype=np.int64)
    )
    tempo = Tempo(0, 2, das=False, name="any")
    keys = Keys(Pad.LEFT, Pad.RIGHT, (Pad.A, Pad.B), Pad.NONE, Pad.NONE)
    Flight(Grid(np.zeros((2, 2), dtype=np.uint8), 0, 0), shapes, Piece(0, 0, 0), Fall(1), 1, tempo, InputState(), keys)
