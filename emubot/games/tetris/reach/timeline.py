"""Plans the pads that carry a piece to one lock, frame by frame, with soft drop; knows no evaluation.

First a way without soft drop is found (taps.py, das.py). Then soft drop is put into idle frames: after the last input,
and before an input if the piece still reaches the same lock. The model of motion plays each attempt frame by frame. An
attempt counts only if it reaches the lock, keeps to the tempo and is faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emubot.errors import UsageError
from emubot.games.tetris.board.board import LANE, LANE_OF, LANES, ORIENTATION_OF_LANE, Rows, Words, fill_fits
from emubot.games.tetris.reach import das, das_trace, motion, taps
from emubot.games.tetris.reach.softdrop import NEXT_AT, OFF, OPENED_AT, in_tempo, soften, table_of
from emubot.games.tetris.reach.start import Start, fill_locks, history, input_rules_of, scratch
from emubot.games.tetris.rules import PIECE_OF, ROWS, Profile
from emubot.pad import PADS, Pad
from emubot.snapshot import Piece, Placement, Step, steps_of
from emubot.tempo import Tempo

_DELAYS = 24  # beginnings of the soft drop that are tried, at most
_TURN_PAD = np.array([motion.B, 0, motion.A], dtype=np.int64)  # by turn + 1
_SHIFT_PAD = np.array([motion.LEFT, 0, motion.RIGHT], dtype=np.int64)  # by shift + 1
_SHIFTS, _TURNS = motion.LEFT | motion.RIGHT, motion.A | motion.B
_HELD_PAD = np.array([0, motion.LEFT, motion.RIGHT], dtype=np.int64)  # by das.NEUTRAL, LEFT, RIGHT


@dataclass(frozen=True, slots=True)
class Route:
    """A placement with its timeline, and the pad to hold before the piece spawns (DAS, `free_hold`)."""

    placement: Placement
    hold: Pad = Pad.NONE


def timeline(
    rows: Rows,
    start: Start,
    target: Piece,
    gravity: int,
    tempo: Tempo,
    profile: Profile,
    soft_drop: bool = True,
    value: float = 0.0,
) -> Route:
    """Returns the way to `target`, a lock of `start`'s piece, from the first frame to that in which its drop fails.

    Edges come as early as possible. Each Step has the place of the piece after that frame; in the last frame this is
    the lock. Raises UsageError if the target cannot be reached.
    """
    if not start.on_board:
        raise UsageError(f"nothing can be reached from {start}: it is not on the board")
    flight = _Flight(rows, start, gravity, tempo, profile)
    pads, plan_rows, hold = flight.plan(target)
    if soft_drop:
        pads = flight.soften(pads, plan_rows, hold)
    placement = Placement(target.orientation, target.column, target.row, flight.steps(pads, hold), value)
    return Route(placement, hold)


def underway(rows: Rows, start: Start, steps: Sequence[Step], gravity: int, tempo: Tempo, profile: Profile) -> Start:
    """Returns the piece and the pad after these steps, the first of a timeline that begins at `start`."""
    return _Flight(rows, start, gravity, tempo, profile).after(
        np.array([int(step.pad) for step in steps], dtype=np.int64)
    )


def timelines(rows: Rows, start: Start, target: Piece, gravity: int, tempo: Tempo, profile: Profile) -> list[Placement]:
    """Returns ways to `target` that lock in different frames, soonest first.

    They differ in soft drop alone: after the last input it begins later and later. Raises UsageError like `timeline`.
    """
    flight = _Flight(rows, start, gravity, tempo, profile)
    pads, plan_rows, hold = flight.plan(target)
    ways = {len(way): way for way in (pads, flight.soften(pads, plan_rows, hold), *flight.delayed(pads, hold))}
    return [Placement(target.orientation, target.column, target.row, flight.steps(ways[n], hold)) for n in sorted(ways)]


class _Flight:
    """One piece on one board under one tempo."""

    def __init__(self, rows: Rows, start: Start, gravity: int, tempo: Tempo, profile: Profile) -> None:
        self.start, self.gravity, self.tempo = start, gravity, tempo
        self.lanes = int(LANES[start.piece])
        self.input_rules, self.begin = input_rules_of(tempo, profile), start.begin(tempo)
        self.fits = np.zeros(ROWS + 1, dtype=np.int64)
        fill_fits(rows, start.piece, self.fits)

    def plan(self, target: Piece) -> tuple[Words, Words, Pad]:
        """Returns the pads (frames,) without soft drop, the piece's row before each, and the pad before the first."""
        # A row takes at most `gravity` frames. The first takes also the rest of the wait and of a signed byte.
        most = self.begin.wait + self.gravity * (ROWS - self.start.row) + 256
        seen = history(most, self.tempo.period, self.tempo.das)
        locks, work = np.zeros(ROWS, dtype=np.int64), scratch()
        fill_locks(self.fits, self.lanes, self.begin, self.gravity, self.input_rules, work, locks, seen)
        rows = seen.rows
        # As a whole number of Python it would not lose its highest bits where kernels are not compiled.
        bit = np.int64(1 << (LANE * int(LANE_OF[target.orientation]) + target.column))
        own = PIECE_OF[target.orientation] == self.start.piece and 0 <= target.row < ROWS
        if not own or not int(locks[target.row]) & bit:
            raise UsageError(f"{target} cannot be reached from {self.start} at {self.tempo.name}")
        # A piece that falls two rows in a frame may lock in the second of them.
        last = int(np.flatnonzero((rows >= 0) & (rows <= target.row))[-1])
        first_bit = np.int64(1 << (LANE * self.begin.lane + self.start.column))
        shifts, turns = np.zeros(last + 1, dtype=np.int64), np.zeros(last + 1, dtype=np.int64)
        if not self.tempo.das:
            limiter, period = self.begin.limiter, self.tempo.period
            taps.trace_taps(
                self.fits, self.lanes, first_bit, bit, last, limiter, period, seen.taps, rows, shifts, turns
            )
            return _SHIFT_PAD[shifts + 1] | _TURN_PAD[turns + 1], rows[: last + 1], Pad.NONE
        initial, reset = self.input_rules.das_initial, self.input_rules.das_reset
        direction, charge = self.begin.direction, self.begin.charge
        work.das[:] = 0
        das.seed(work.das[0], first_bit, direction, charge, self.start.free_hold)
        held = das_trace.trace_das(
            self.fits, self.lanes, work.das[0], bit, last, initial, reset, seen.das, rows, shifts, turns
        )
        return _HELD_PAD[shifts] | _TURN_PAD[turns + 1], rows[: last + 1], Pad(int(_HELD_PAD[held]))

    def soften(self, pads: Words, plan_rows: Words, hold: Pad) -> Words:
        """Returns the pads with soft drop where this makes the way shorter; tries the gaps from last to first."""
        table = table_of(pads, plan_rows)
        goal = tuple(self._follow(pads, hold)[-1])
        limiter, turn_limiter = self.begin.limiter, self.begin.turn_limiter
        stale = self.start.held & Pad.DOWN and not 0 < self.start.autorepeat_y < 128
        first = max(limiter, 1 if stale else 0)
        best, left, softened = pads, np.full(ROWS, OFF, dtype=np.int64), np.zeros_like(pads)
        gaps = {(int(table[OPENED_AT, row]), int(table[NEXT_AT, row])) for row in plan_rows}
        for opened, following in sorted(gaps, reverse=True):
            for rest in range(1 if following == ROWS else following - opened):
                left[opened] = rest
                body = self._body(hold)
                frames = soften(
                    self.fits, self.lanes, body, pads, table, left, first, self.gravity, self.input_rules, softened
                )
                arrives = (body[motion.LANE_AT], body[motion.COLUMN_AT], body[motion.ROW_AT]) == goal
                held = int(self._body(hold)[motion.HELD_AT])
                in_time = in_tempo(softened, frames, held, limiter, turn_limiter, self.input_rules)
                if 0 < frames < len(best) and arrives and in_time:
                    best = softened[:frames].copy()
                    break
                left[opened] = OFF
        return best

    def delayed(self, pads: Words, hold: Pad) -> Iterator[Words]:
        """Yields the pads with soft drop from some frame after the last input to the lock, which stays the same."""
        goal = tuple(self._follow(pads, hold)[-1])
        inputs = np.flatnonzero(pads)
        first = max(int(inputs[-1]) + 1 if len(inputs) else 0, self.begin.limiter)
        steps = np.zeros((len(pads), 3), dtype=np.int64)
        initial, reset = self.input_rules.das_initial, self.input_rules.das_reset
        for begin in range(first, len(pads), 1 + len(pads) // _DELAYS):
            way = pads.copy()
            way[begin:] = motion.DOWN
            frames = motion.follow(self.fits, self.lanes, self._body(hold), way, self.gravity, initial, reset, steps)
            if frames and tuple(steps[frames - 1]) == goal:
                yield way[:frames]

    def steps(self, pads: Words, hold: Pad) -> tuple[Step, ...]:
        """Returns the pads, each with the place of the piece after it."""
        lanes, columns, rows = self._follow(pads, hold).T
        orientations = ORIENTATION_OF_LANE[self.start.piece, lanes].tolist()
        held = [PADS[pad] for pad in pads.tolist()]
        return steps_of(zip(held, orientations, columns.tolist(), rows.tolist(), strict=True))

    def after(self, pads: Words) -> Start:
        """Returns the start of a search after these pads, which do not lock the piece."""
        body = self._body(Pad.NONE)
        initial, reset = self.input_rules.das_initial, self.input_rules.das_reset
        steps = np.zeros((len(pads), 3), dtype=np.int64)
        motion.follow(self.fits, self.lanes, body, pads, self.gravity, initial, reset, steps)
        rest, turn_rest, held = self.start.limiter, self.start.turn_limiter, int(self.start.held)
        for pad in map(int, pads):
            shifted, turned = (bool(pad & ~held & buttons) for buttons in (_SHIFTS, _TURNS))
            if not self.tempo.das:  # taps: shifts and rotations share one limit
                shifted = turned = shifted or turned
            rest = self.tempo.period - 1 if shifted else max(rest - 1, 0)
            turn_rest = self.tempo.period - 1 if turned else max(turn_rest - 1, 0)
            held = pad
        return Start(
            orientation=int(ORIENTATION_OF_LANE[self.start.piece, body[motion.LANE_AT]]),
            column=int(body[motion.COLUMN_AT]),
            row=int(body[motion.ROW_AT]),
            fall_timer=int(body[motion.FALL_TIMER_AT]),
            autorepeat_y=int(body[motion.AUTOREPEAT_AT]),
            das=int(body[motion.DAS_AT]),
            held=Pad(held),
            limiter=rest,
            turn_limiter=turn_rest,
        )

    def _body(self, hold: Pad) -> Words:
        body = np.zeros(motion.BODY_SIZE, dtype=np.int64)
        body[motion.LANE_AT] = self.begin.lane
        body[motion.COLUMN_AT], body[motion.ROW_AT] = self.start.column, self.start.row
        body[motion.FALL_TIMER_AT], body[motion.DAS_AT] = self.start.fall_timer, self.start.das
        body[motion.AUTOREPEAT_AT] = self.start.autorepeat_y
        body[motion.HELD_AT] = int(hold if self.start.free_hold else self.start.held)
        return body

    def _follow(self, pads: Words, hold: Pad) -> Words:
        steps = np.zeros((len(pads), 3), dtype=np.int64)
        initial, reset = self.input_rules.das_initial, self.input_rules.das_reset
        frames = motion.follow(self.fits, self.lanes, self._body(hold), pads, self.gravity, initial, reset, steps)
        assert frames == len(pads), "the search and the model of motion disagree"
        return steps
