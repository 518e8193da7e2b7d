"""A clock finer than frames per row, one frame at a time: velocity, many rows a frame, lock delay; plans nothing.

The order in a frame: turn, shift, fall, lock. The fall clock runs whether or not the piece can fall. A hard drop locks
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emubot.games.motion.frame import pressed
from emubot.games.motion.shapes import Grid, Keys, Places, Shapes, keys_of, places
from emubot.pad import HORIZONTAL, Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece


@dataclass(frozen=True, slots=True)
class Clock:
    """How a piece falls and locks.

    `velocity` is added to a fraction in each frame, and each whole `unit` in it is a row. While soft drop is held the
    velocity is at least `soft_velocity`, and a row is due after at most `soft_frames` frames (0: no such limit).

    With a `lock_delay` of 0 a piece locks when it should fall and cannot. Otherwise it locks after so many frames at
    rest. Falling a row restores them all; with `moves_restore` so does each shift and turn.
    """

    velocity: int
    unit: int
    soft_velocity: int = 0
    soft_frames: int = 0
    lock_delay: int = 0
    moves_restore: bool = False

    def __post_init__(self) -> None:
        if self.velocity < 0 or self.unit < 1 or min(self.soft_velocity, self.soft_frames, self.lock_delay) < 0:
            raise ValueError("a clock has a unit of at least 1, and nothing in it is negative")

    @property
    def softens(self) -> bool:
        """Whether soft drop has an effect."""
        return bool(self.soft_velocity > self.velocity or self.soft_frames)


@dataclass(frozen=True, slots=True)
class Airborne:
    """A piece after some frame: its orientation in the tables, its pivot, the clock's fraction.

    `left` are the frames at rest until it locks, if the clock has a lock delay.
    """

    orientation: int
    column: int
    row: int
    fraction: int
    left: int
    locked: bool = False


def after_frame(
    room: Places, shapes: Shapes, keys: Keys, clock: Clock, piece: Airborne, held: Pad, new: Pad
) -> Airborne:
    """Returns the piece after one frame; `held` is the frame's pad, `new` what was not held in the frame before."""
    spot = (piece.orientation, piece.column, piece.row)
    orientation, column, row = pressed(room, shapes, keys, spot, new)
    moved = spot != (orientation, column, row)
    if new & keys.hard_drop:
        while room.free(orientation, column, row + 1):
            row += 1
        return Airborne(orientation, column, row, piece.fraction, piece.left, locked=True)
    velocity, fraction = clock.velocity, piece.fraction
    if held & keys.soft_drop and not held & HORIZONTAL:
        velocity = max(velocity, clock.soft_velocity)
        if clock.soft_frames:
            fraction = max(fraction, clock.unit - clock.soft_frames * velocity)
    fraction += velocity
    due = max(fraction, 0) // clock.unit
    fraction -= due * clock.unit
    top = row
    while due and room.free(orientation, column, row + 1):
        row, due = row + 1, due - 1
    locked, left = due > 0, piece.left
    if clock.lock_delay:
        left = clock.lock_delay if row > top or (moved and clock.moves_restore) else left
        left -= not room.free(orientation, column, row + 1)
        locked = left <= 0
    return Airborne(orientation, column, row, fraction, left, locked)


def moved_by_clock(
    grid: Grid,
    shapes: Shapes,
    start: Piece,
    clock: Clock,
    state: tuple[int, int],
    held: Pad,
    pads: Sequence[Pad],
    buttons: Buttons,
) -> Airborne:
    """Returns where a piece is after these pads; `state` is its (fraction, left), `held` the pad of the frame before.

    A held direction does not repeat, because taps never hold one. Nothing moves after the lock.
    """
    room, keys = places(grid, shapes, start.row), keys_of(buttons)
    piece = Airborne(shapes.index(start.orientation), start.column, start.row, *state)
    for pad in pads:
        piece = after_frame(room, shapes, keys, clock, piece, pad, pad & ~held)
        held = pad
        if piece.locked:
            break
    return piece
