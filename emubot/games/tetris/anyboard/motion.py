"""The placements that a map's own pieces can reach, with the way to each; knows no evaluation and no memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from emubot.games.motion import Clock, ClockedFlight, Flight, Grid, clocked, moved, moved_by_clock, straight, timed
from emubot.games.motion.clock import Airborne
from emubot.games.motion.frame import Air
from emubot.games.tetris.anyboard.board import MOST_ROWS
from emubot.games.tetris.anyboard.clocking import fall_of, restarted, ticking_of
from emubot.games.tetris.anyboard.decoder import AnySnapshot
from emubot.games.tetris.anyboard.pieces import Pieces
from emubot.games.tetris.decode.value_names import FRACTION, HELD, HOLD_USED, LOCK_TIMER, TIMER
from emubot.games.tetris.evaluation.features import Stacks
from emubot.games.tetris.reach.mapped import Offer, in_time, is_immediate, sinking, slack_rows, with_piece
from emubot.games.tetris.rules import HIDDEN_ROWS
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Phase, Piece, Placement, Step
from emubot.tempo import InputState, Tempo

_HIGHEST: Final = 4  # rows above the piece in which its pivot may be
_KICKS: Final = 3  # turns that lift it, at most


class HeldFrame(NamedTuple):
    """The frame after a hold: its snapshot, the state of the inputs, and the steps that led there."""

    snapshot: AnySnapshot
    input_state: InputState
    steps: tuple[Step, ...]


class AnyMotion:
    """The motion of one map's pieces under one tempo."""

    def __init__(self, ram_map: RamMap, tempo: Tempo) -> None:
        self._timing, self._buttons, self._tempo = ram_map.timing, ram_map.buttons, tempo
        self._presses, self._press = ram_map.document.plans_frames, ram_map.press
        self._plans_frames = self._presses and is_immediate(ram_map.timing)

    def ahead(self, snapshot: AnySnapshot, pads: Sequence[Pad]) -> AnySnapshot:
        """Returns the snapshot after pads already on their way; unchanged outside play or if the fall is not known."""
        hold = self._buttons.hold or Pad.NONE
        first = next((place for place, pad in enumerate(pads) if pad & hold), None)
        if first is not None:
            before = self.ahead(snapshot, pads[:first])
            return self.ahead(self._swapped(before) or before, pads[first + 1 :])
        piece, counters = snapshot.current, snapshot.counters
        if not pads or piece is None or snapshot.phase is not Phase.PLAYING or not self._presses:
            return snapshot
        shapes, held = snapshot.pieces.shapes(piece.orientation), Pad(counters.get("held_buttons", 0))
        grid, buttons = grid_of(snapshot), self._buttons
        ticking, fall = ticking_of(self._timing, counters), fall_of(self._timing, counters)
        after: Airborne | Air
        if ticking is not None:
            after = moved_by_clock(grid, shapes, piece, ticking.clock, ticking.state, held, pads, buttons)
            changed = _ticked(ticking.clock, after, counters)
        elif fall is not None and TIMER in counters and "lock_delay" not in self._timing:
            after = moved(grid, shapes, piece, fall, counters[TIMER], held, pads, buttons)
            changed = {TIMER: after.timer}
        else:
            return snapshot
        if "held_buttons" in counters:
            changed["held_buttons"] = int(pads[-1])
        placed = Piece(int(shapes.shown[after.orientation]), after.column, after.row)
        return with_piece(snapshot, placed, after.locked, changed)

    def is_fast(self, snapshot: AnySnapshot) -> bool:
        """Returns whether a piece falls half the board before taps can carry it from the middle to a wall."""
        ticking, fall = ticking_of(self._timing, snapshot.counters), fall_of(self._timing, snapshot.counters)
        pieces, tempo = snapshot.pieces, self._tempo
        frames = 0.0 if fall is None else float(fall.gravity)
        if ticking is not None:
            frames = ticking.clock.unit / max(ticking.clock.velocity, 1)
        return frames * pieces.rows / 2 < (pieces.columns // 2 + 2) * tempo.period + tempo.reaction

    def entered(self, snapshot: AnySnapshot, entry: Piece, board: Stacks) -> AnySnapshot | None:
        """Returns the frame in which a piece has just entered on this board; None if it does not fit."""
        rows, hidden = snapshot.pieces.rows, len(snapshot.hidden)
        cells = (board >> np.arange(rows + hidden, dtype=np.int64)[:, None] & 1).astype(np.uint8)
        counters = {**snapshot.counters, **restarted(self._timing, snapshot.counters)}
        playfield = np.ascontiguousarray(cells[:rows][::-1])
        now = replace(snapshot, playfield=playfield, hidden=cells[rows:], current=entry, counters=counters)
        return now if _fits(now, entry) else None

    def after_hold(self, snapshot: AnySnapshot, input_state: InputState) -> HeldFrame | None:
        """Returns the frame in which the hold button has had its effect, pressed as early as the tempo allows.

        None if it cannot be pressed, or if nothing can be planned to the frame.
        """
        hold, now = self._buttons.hold, snapshot
        counts = ticking_of(self._timing, snapshot.counters) is not None or TIMER in snapshot.counters
        if hold is None or not counts or not self._plans_frames:
            return None
        steps: list[Step] = []
        for _ in range(max(input_state.rest, input_state.turn_rest, int(bool(input_state.held & hold)))):
            now = self.ahead(now, [Pad.NONE])
            if now.current is None or now.phase is not Phase.PLAYING:
                return None
            steps.append(Step(Pad.NONE, now.current.orientation, now.current.column, now.current.row))
        swapped = self._swapped(now)
        if swapped is None or swapped.current is None:
            return None
        steps.append(Step(hold, swapped.current.orientation, swapped.current.column, swapped.current.row))
        rest = self._tempo.period - 1
        return HeldFrame(swapped, InputState(hold, rest, rest), tuple(steps))

    def _swapped(self, snapshot: AnySnapshot) -> AnySnapshot | None:
        """Returns the frame after the hold button: the other piece enters, and its clock begins anew.

        None if the button has no effect now, if the other piece is not known, or if it does not fit.
        """
        pieces, counters, shown = snapshot.pieces, snapshot.counters, snapshot.next
        other = counters.get(HELD, -1)
        if other not in pieces.orientations:
            other, shown = (shown[0], shown[1:]) if shown else (-1, ())
        if snapshot.current is None or counters.get(HOLD_USED, 0) or other not in pieces.orientations:
            return None
        spawn = pieces.spawn(other)
        if not _fits(snapshot, spawn):
            return None
        changed = {**counters, **restarted(self._timing, counters), HELD: snapshot.current.orientation, HOLD_USED: 1}
        return replace(snapshot, current=spawn, next=shown, counters=changed)

    def offers(self, snapshot: AnySnapshot, piece: Piece, input_state: InputState) -> Iterator[Offer]:
        """Yields offers, the surest first. If the best placement of one loses the game, look at the next offer."""
        counters, pieces, buttons = snapshot.counters, snapshot.pieces, self._buttons
        shapes, grid = pieces.shapes(piece.orientation), grid_of(snapshot)
        ticking, fall = ticking_of(self._timing, counters), fall_of(self._timing, counters)
        flight: Flight | ClockedFlight | None = None
        if not self._plans_frames:
            pass
        elif ticking is not None:
            flight = clocked(grid, shapes, piece, *ticking, self._tempo, input_state, buttons)
        elif fall is not None and TIMER in counters and "lock_delay" not in self._timing:
            flight = timed(grid, shapes, piece, fall, counters[TIMER], self._tempo, input_state, buttons)
        if flight is not None:
            reached = (Placement(*lock[:3]) for lock in flight.locks)
            yield Offer(tuple(place for place in reached if _on_board(pieces, grid, place)), flight)
            return
        sinks = sinking(input_state.held, buttons, self._press)
        for slack in range(slack_rows(fall, self._tempo, self._press), -1, -1):
            found = straight(grid, shapes, piece, buttons, slack)
            soon = in_time(found, slack, fall, self._tempo, self._press, sinks)
            yield Offer(tuple(place for place in soon if _on_board(pieces, grid, place)))


def _ticked(clock: Clock, after: Airborne, counters: Mapping[str, int]) -> dict[str, int]:
    """Returns the counters of a fine clock after some frames."""
    changed = {FRACTION: after.fraction, LOCK_TIMER: after.left, TIMER: clock.unit - after.fraction}
    return {name: number for name, number in changed.items() if name in counters}


def grid_of(snapshot: AnySnapshot) -> Grid:
    """Returns the cells that a piece collides with, hidden rows on top."""
    cells = np.concatenate([snapshot.hidden[::-1], snapshot.playfield])
    row = 0 if snapshot.current is None else snapshot.current.row
    return Grid(cells, len(snapshot.hidden), row - _HIGHEST - _KICKS * snapshot.pieces.lift)


def _fits(snapshot: AnySnapshot, piece: Piece) -> bool:
    grid = grid_of(snapshot)
    cells = [(row + grid.hidden, column) for column, row in snapshot.pieces.cells(piece)]
    return not any(row >= 0 and grid.solid[row, column] for row, column in cells)


def _on_board(pieces: Pieces, grid: Grid, place: Placement) -> bool:
    """Returns whether every cell of a lock is in the rows that a search holds."""
    highest = min(max(grid.hidden, HIDDEN_ROWS), MOST_ROWS - pieces.rows)
    return place.row + pieces.orientations[place.orientation].top >= -highest
