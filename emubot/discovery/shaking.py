"""Shakes pieces to tell the bytes by which a game moves them from those in which it tries or draws; knows no board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.axes import Axis, sprites
from emubot.discovery.lab import History, Lab, taps
from emubot.discovery.screens import STACK
from emubot.pad import Pad
from emubot.rammap.spaces import address_of

_SHAKES: Final = 12  # taps to the left, and twice as many to the right, against both walls
_TURNS: Final = 3  # taps of each button that may turn a piece
_DOWN: Final = 120  # frames of DOWN after these
_PIECES: Final = 3  # that are shaken, if they come to rest meanwhile
_WHOLE_FALL: Final = 900  # frames in which a piece that nothing drops comes to rest
_TAPPED: Final = 28  # frames in which the taps before it have shown
_FINER: Final = 1.5  # times as many steps: half rows
_PRESS: Final = 4  # frames of a tap, and between two
_SHOWS: Final = 12  # frames in which the effect of a press, or a new piece, has come
_LIFT: Final = 4  # rows that a turn may lift a piece
_NEARLY: Final = 0.95  # of the most frames of agreement
_COMES_BACK: Final = 240  # frames after taps in which a piece falls a row; NES Tetris waits 97 before its first fall
_PAIRS: Final = 6  # of columns and rows that are tried
_APART: Final = 2  # of rows that agree least with the others, tried after them

Bits = NDArray[np.bool_]


def likeliest(lab: Lab, state: bytes, columns: Sequence[Axis], rows: Sequence[Axis]) -> list[tuple[Axis, Axis]]:
    """Returns the columns and rows that the game itself may go by from a moment of play on, the likeliest first.

    While a piece is tapped against a wall, its column moves that way or not at all, and goes from wall to wall: bytes
    in which a game only tries a move go too far and come back, some of them with the next row that the piece falls;
    those that only follow the press come back at once. A turn moves the places of cells, and what a game draws, but
    seldom the piece's own place. What follows that place has the next piece's later, and never moves more often.
    """
    good = _against_walls(lab, state, columns, rows)
    turned = [pad for button in (Pad.A, Pad.B, Pad.UP) for pad in taps(button, _TURNS, _PRESS)]
    aside = [*taps(Pad.LEFT, _SHAKES, _PRESS), *taps(Pad.RIGHT, 2 * _SHAKES, _PRESS)]
    pads = [*turned, *aside, *[Pad.DOWN] * _DOWN] * _PIECES
    images = lab.replay(state, pads)
    came = entered([row.jumps(images, _LIFT) for row in rows], len(pads) // _PIECES, len(turned) + _SHOWS)
    moved = np.array([bool(pad & (Pad.LEFT | Pad.RIGHT)) for pad in pads[1:]], np.bool_)
    alone, falling = ~_near(came | moved), ~_near(came)
    falls = [lab.replay(state, [*taps(way, 2, _PRESS), *[Pad.NONE] * _WHOLE_FALL]) for way in (Pad.LEFT, Pad.RIGHT)]
    # The next piece may enter in the column in which one of these fell.
    next_column = {axis: min(_first(np.diff(fall[:, axis.index]) != 0) for fall in falls) for axis in good}
    next_row = {axis: _first(axis.jumps(falls[0], _LIFT)) for axis in rows}
    steps = {axis: int((np.diff(falls[0][: next_row[axis] + 1, axis.index]) != 0).sum()) for axis in rows}
    across, upwards = dict[Axis, tuple[int, ...]](), dict[Axis, tuple[int, ...]]()
    for axis in good:
        across[axis] = (int((np.diff(images[:, axis.index]) != 0)[alone].sum()), next_column[axis])
    for axis in rows:
        ups = int((np.sign(axis.step) * np.diff(axis.of(images)) < 0)[falling].sum())
        halves = steps[axis] > _FINER * min(steps.values()) and steps[axis] <= 2 * min(steps.values()) + 1
        upwards[axis] = (ups, next_row[axis], not halves)
    shown = sprites(columns, rows)  # a game hides them between two pieces, so that they seem to be early
    agreed = sorted(most_agreed(across, images), key=lambda axis: axis.index in shown)

    def lower(column: Axis) -> list[Axis]:
        return sorted(most_agreed(upwards, images, column.index), key=lambda axis: axis.index in shown)

    best = [(column, row) for column in agreed[:2] for row in lower(column)[:2]]
    others = [(column, lower(column)[0]) for column in agreed[2:]]
    # Sprites that glide agree with each other, and not with the row by which the game goes.
    apart = [(agreed[0], row) for row in lower(agreed[0])[2:]]
    return [*[*best, *others][:_PAIRS], *apart[-_APART:]]


def most_agreed(strays: Mapping[Axis, tuple[int, ...]], images: History, near: int = 0) -> list[Axis]:
    """Returns the axes, those first that stray least, then those with which nearly most others agree in each frame.

    After these come those near the byte `near`; bytes that hold pixels after the others, those of the stack last.
    Copies and sprites agree with the byte that the game itself goes by; scratch bytes do so now and then only.
    """
    moves = {axis: np.sign(axis.step) * np.diff(axis.of(images)) for axis in strays}
    agree = {axis: sum(int((moves[axis] == other).sum()) for other in moves.values()) for axis in strays}
    enough = _NEARLY * max(agree.values())

    def rank(axis: Axis) -> tuple[object, ...]:
        in_stack, less = address_of(axis.index) in STACK, agree[axis] < enough
        return in_stack, strays[axis], abs(axis.step), less, abs(axis.index - near)

    return sorted(strays, key=rank)


def entered(jumps: Sequence[Bits], each: int, turned: int) -> Bits:
    """Returns the frames in which a piece came: a row jumps; in the first `turned` ones of `each` piece all rows do.

    A turn moves some cells as far as a new piece, but not all.
    """
    came: Bits = np.any(jumps, axis=0)
    for start in range(0, len(came), each):
        phase = slice(start, start + turned)
        came[phase] &= all(row[phase].any() for row in jumps)
    return came


def _first(events: Bits) -> int:
    """Returns the first frame with such an event since the taps before a fall have shown; that after all if none."""
    frames = np.flatnonzero(events[_TAPPED:])
    return _TAPPED + int(frames[0]) if frames.size else len(events)


def _against_walls(lab: Lab, state: bytes, columns: Sequence[Axis], rows: Sequence[Axis]) -> list[Axis]:
    """Returns the columns that stray least while a piece is tapped against both walls, and of these the widest."""
    strays: dict[Axis, int] = dict.fromkeys(columns, 0)
    wide: dict[Axis, int] = dict.fromkeys(columns, 0)
    for way, sign in ((Pad.LEFT, -1), (Pad.RIGHT, 1)):
        images = lab.replay(state, [*taps(way, _SHAKES, _PRESS), *[Pad.NONE] * _COMES_BACK])
        gone = np.flatnonzero(np.any([row.jumps(images, _LIFT) for row in rows], axis=0))
        images = images[: gone[0] if gone.size else len(images)]
        for axis in strays:
            moved = sign * axis.since(images, images)
            strays[axis] += int((np.diff(moved) < 0).sum())
            wide[axis] += int(moved[-1])
    least = min(strays.values())
    good = [axis for axis in columns if strays[axis] == least]
    return [axis for axis in good if wide[axis] == max(wide[other] for other in good)]


def _near(events: Bits) -> Bits:
    """Returns the frames in and soon after such an event, and those soon before."""
    spread = np.convolve(events, np.ones(2 * _SHOWS + 1))
    return np.asarray(spread[_SHOWS : _SHOWS + len(events)] > 0, np.bool_)
