"""Moves a falling piece by given pads, frame by frame; plans nothing and knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emubot.games.motion.shapes import Fall, Grid, Keys, Places, Shapes, Spot, keys_of, places
from emubot.pad import HORIZONTAL, Pad
from emubot.rammap.schema import Buttons
from emubot.snapshot import Piece


@dataclass(frozen=True, slots=True)
class Air:
    """A piece after some frames: its orientation in the tables, its pivot, frames until it falls, whether it locked."""

    orientation: int
    column: int
    row: int
    timer: int
    locked: bool


def moved(
    grid: Grid,
    shapes: Shapes,
    start: Piece,
    fall: Fall,
    timer: int,
    held: Pad,
    pads: Sequence[Pad],
    buttons: Buttons,
) -> Air:
    """Returns where a piece is after these pads, by the model of motion.timed; `held` is the pad of the frame before.

    A held direction does not repeat, because taps never hold one. Nothing moves after the lock.
    """
    room, keys = places(grid, shapes, start.row), keys_of(buttons)
    spot = (shapes.index(start.orientation), start.column, start.row)
    timer, locked = max(timer, 1), False
    for pad in pads:
        new = pad & ~held
        held = pad
        orientation, column, row = pressed(room, shapes, keys, spot, new)
        if new & keys.hard_drop:
            locked = True
            while room.free(orientation, column, row + 1):
                row += 1
        elif fall.soft_drop and pad & keys.soft_drop and not pad & HORIZONTAL:
            timer = min(timer, fall.soft_drop)
        timer -= 1
        if timer == 0 and not locked:
            locked, timer = not room.free(orientation, column, row + 1), fall.gravity
            row += not locked
        spot = (orientation, column, row)
        if locked:
            break
    return Air(*spot, timer, locked)


def pressed(room: Places, shapes: Shapes, keys: Keys, spot: Spot, new: Pad) -> Spot:
    """Returns where a piece is after the buttons pressed in a frame: first a turn, then a shift."""
    for direction, button in enumerate(keys.turns):
        if new & button:
            spot = room.turned(shapes, direction, spot)
            break
    for button, shift in ((keys.left, -1), (keys.right, 1)):
        if new & button and room.free(spot[0], spot[1] + shift, spot[2]):
            spot = (spot[0], spot[1] + shift, spot[2])
    return spot
