"""Finds all locks of a falling piece under a fine clock, and the pads to each; knows no evaluation and no game."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.motion import explore_clock as ex
from emubot.games.motion.clock import Airborne, Clock, after_frame
from emubot.games.motion.explore import DROPPED, FRAMES, LABEL, NOBODY
from emubot.games.motion.shapes import Grid, Keys, Shapes, keys_of, places
from emubot.games.motion.timed import Lock, rules_for
from emubot.pad import Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece, Step
from emubot.tempo import InputState, Tempo

HORIZON: Final = 400  # frames in which inputs are searched; after them the piece falls straight
_PHASES: Final = 64  # of the clock that are told apart; more are searched a little less widely
_LABELS: Final = 4096  # room in the first attempt; doubled until it is enough


class ClockedFlight:
    """One piece on one grid under a fine clock, like timed.Flight: its `locks`, and the timeline to each of them."""

    def __init__(
        self,
        grid: Grid,
        shapes: Shapes,
        start: Piece,
        clock: Clock,
        state: tuple[int, int],
        tempo: Tempo,
        input_state: InputState,
        keys: Keys,
    ) -> None:
        self._shapes, self._clock, self._tempo, self._keys = shapes, clock, tempo, keys
        self._start = Airborne(shapes.index(start.orientation), start.column, start.row, *state)
        busy = 1 if input_state.held & (keys.left | keys.right | keys.turns[0] | keys.turns[1] | keys.hard_drop) else 0
        # A button that is held when the plan begins is released in the first frame, and nothing is tapped in it.
        self._shift_from = max(input_state.rest, busy)
        self._turn_from = max(input_state.turn_rest, busy) if tempo.das else self._shift_from
        self._held = input_state.held
        self._room = places(grid, shapes, start.row)
        self._log: NDArray[np.int64] = np.empty((0, ex.LABEL_SIZE), dtype=np.int64)
        self._found: dict[tuple[int, int, int], tuple[int, bool]] = {}  # (label, whether dropped) by lock
        self.locks: tuple[Lock, ...] = self._search()

    def timeline(self, orientation: int, column: int, row: int) -> tuple[Step, ...]:
        """Returns the pad of each frame, that of the lock included, with the place of the piece after it.

        After the last input soft drop is held until the piece rests. Raises UsageError if this lock is not among
        `locks`.
        """
        found = self._found.get((orientation, column, row))
        if found is None:
            raise UsageError(f"orientation {orientation} cannot lock at column {column}, row {row} from here")
        label, dropped = found
        return self._play(self._inputs(label), dropped)

    def _search(self) -> tuple[Lock, ...]:
        fits, top, left = self._room.fits, self._room.top, self._room.left
        _, height, width = fits.shape
        start, clock, keys = self._start, self._clock, self._keys
        if not (0 <= start.column - left < width and 0 <= start.row - top < height):
            return ()
        begin = np.array(
            (
                start.orientation,
                start.row - top,
                start.column - left,
                start.left,
                self._shift_from,
                self._turn_from,
                self._room.ceiling - top,
                clock.lock_delay,
                clock.moves_restore,
            ),
            dtype=np.int64,
        )
        rules = rules_for(self._tempo, keys)
        turns = np.ascontiguousarray(self._shapes.turns, dtype=np.int8)
        reached = start.fraction + clock.velocity * np.arange(HORIZON + 1, dtype=np.int64)
        falls = np.diff(np.maximum(reached, 0) // clock.unit)
        step = math.gcd(clock.velocity, clock.unit)
        coarse = max(step, -(-clock.unit // _PHASES))  # as fine as the fractions are, if these are not too many
        phases = np.ascontiguousarray(np.maximum(reached[1:], 0) % clock.unit // coarse)
        locks = np.empty((fits.size, 3), dtype=np.int64)
        size = _LABELS
        while True:
            self._log = np.empty((size, ex.LABEL_SIZE), dtype=np.int64)
            if ex.explore_clock(fits, turns, falls, phases, begin, rules, self._log, locks) >= 0:
                break
            size *= 2
        stuck = not clock.velocity and not (clock.softens and keys.soft_drop)
        best: dict[tuple[int, int, int], Lock] = {}
        for place in np.flatnonzero(locks[:, FRAMES] >= 0).tolist():
            label, frames, dropped = (int(locks[place, column]) for column in (LABEL, FRAMES, DROPPED))
            x, y = place % width + left, place // width % height + top
            shown = (int(self._shapes.shown[place // (width * height)]), x, y)
            if (dropped or not stuck) and (shown not in best or frames < best[shown].frames):
                busy = 0 if label == NOBODY else int(self._log[label, ex.FRAME]) + 1
                best[shown] = Lock(*shown, frames, busy, bool(dropped))
                self._found[shown] = (label, bool(dropped))
        return tuple(best.values())

    def _inputs(self, label: int) -> dict[int, Pad]:
        """Returns the pad of each frame with an input on the way to a label."""
        found = {}
        while label != NOBODY:
            before, frame, action = self._log[label].tolist()
            pad = (Pad.NONE, self._keys.left, self._keys.right)[action % 3]
            found[frame] = pad | (Pad.NONE, *self._keys.turns)[action // 3]
            label = before
        return found

    def _play(self, inputs: dict[int, Pad], dropped: bool) -> tuple[Step, ...]:
        clock, keys, room = self._clock, self._keys, self._room
        last, ready = max(inputs, default=-1), max(self._shift_from, self._turn_from)
        if inputs:
            ready = max(ready, last + self._tempo.period)
        soft = keys.soft_drop if clock.softens else Pad.NONE
        piece, held, frame = self._start, self._held, 0
        shown = self._shapes.shown.tolist()
        steps: list[Step] = []
        while not piece.locked:
            pad = inputs.get(frame, Pad.NONE)
            resting = not room.free(piece.orientation, piece.column, piece.row + 1)
            if frame > last and dropped and frame >= ready:
                pad = keys.hard_drop
            elif frame > last and not dropped and frame >= min(self._shift_from, self._turn_from):
                pad = Pad.NONE if resting and clock.lock_delay else soft
            piece = after_frame(room, self._shapes, keys, clock, piece, pad, pad & ~held)
            steps.append(Step(pad, shown[piece.orientation], piece.column, piece.row))
            held, frame = pad, frame + 1
        return tuple(steps)


def clocked(
    grid: Grid,
    shapes: Shapes,
    start: Piece,
    clock: Clock,
    state: tuple[int, int],
    tempo: Tempo,
    input_state: InputState,
    buttons: Buttons,
) -> ClockedFlight:
    """Returns all placements that taps can reach, as `timed` does, under a fine clock.

    `state` is (fraction, frames at rest left) before the first planned frame. Tucks that begin later than HORIZON
    frames are not found. If nothing but a hard drop moves a piece down, only hard drops are found. Raises ValueError
    if the piece has no such orientation.
    """
    return ClockedFlight(grid, shapes, start, clock, state, tempo, input_state, keys_of(buttons))


def compile_clock() -> None:
    """Compile (or load) the kernel of fine clocks."""
    fits, turns = np.ones((1, 1, 1), dtype=np.uint8), np.full((2, 1, 1, 3), -1, dtype=np.int8)
    log, locks = np.empty((8, ex.LABEL_SIZE), dtype=np.int64), np.empty((1, 3), dtype=np.int64)
    begin, rules = np.zeros(9, dtype=np.int64), np.full(5, 2, dtype=np.int64)
    ex.explore_clock(fits, turns, np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64), begin, rules, log, locks)
