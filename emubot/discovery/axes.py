"""Finds the bytes that follow a piece: its column by LEFT and RIGHT, its row by gravity and DOWN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.lab import History, Lab
from emubot.pad import Pad

_PRESSES: Final = (2, 4, 1, 8)  # frames of a tap, tried in this order
_AFTER: Final = 6  # frames from the end of a tap to its effect, at most
_STEADY: Final = 6  # frames for which the effect must stay
_SHORT: Final = max(_PRESSES) + _AFTER + _STEADY
_SLOWEST: Final = 240  # frames in which a piece must fall by itself; NES Tetris waits 97 before its first fall
_DROP: Final = 360  # frames with DOWN
_ON: Final = 6  # frames of each press of DOWN, and between two
_LEAST: Final = 60  # frames in which a row does nothing but fall
_FALLS: Final = 2  # by itself in that time, at least: a byte that goes on once may count anything
_WHOLE: Final = 1000  # frames in which a piece that nothing drops comes to rest
_ROWS_FALLEN: Final = 4  # by itself until then, at least
_NEAR: Final = 3  # frames between the next piece's row and its column
_FASTEST: Final = 4  # rows a frame
_JUMP: Final = 15  # what a row's byte may grow by in a frame, or two rows; a piece that moves more is another one
_FAR: Final = 3  # rows in one frame that only a drop at once falls
_TAP: Final = 4  # frames of a tap, and between two
_AGAINST: Final = 24  # taps to one side: a piece comes to a wall, if it does not lock before
_STEPS: Final = (1, 2, 4, 8, 16)  # of a row: rows, halves of them, pixels
HALVES: Final = 2  # step of half rows
_PIXELS: Final = 16  # most that a column or row is apart in bytes that hold pixels


@dataclass(frozen=True, slots=True)
class Axis:
    """A byte that follows the piece: `step` is what a column to the right, or a row downwards, adds to it."""

    index: int
    step: int

    def since(self, first: History, images: History) -> NDArray[np.int64]:
        """Returns how many columns or rows each image is away from the first one, from -128 / step on."""
        moved = (images[:, self.index].astype(np.int64) - int(first[0, self.index]) + 128) % 256 - 128
        return moved // self.step if self.step > 0 else -(moved // -self.step)

    def path(self, images: History) -> NDArray[np.int64]:
        """Returns how many columns or rows each image is away from the first one, where none is far from the next."""
        steps = np.diff(images[:, self.index]).view(np.int8).astype(np.int64)
        moved = np.concatenate([np.zeros(1, np.int64), np.cumsum(steps)])
        return moved // self.step if self.step > 0 else -(moved // -self.step)

    @property
    def signed(self) -> bool:
        """Whether the byte is a signed number: above the board it is negative. Pixels of a board need all 256."""
        return abs(self.step) <= HALVES

    def of(self, images: History) -> NDArray[np.int64]:
        """Returns the byte of each image, divided by the step: by that of half rows or pixels."""
        numbers = images[:, self.index]
        return (numbers.view(np.int8) if self.signed else numbers).astype(np.int64) // abs(self.step)

    def jumps(self, images: History, back: int = 0) -> NDArray[np.bool_]:
        """Returns for each image but the first whether it is neither where the one before was nor a little further.

        `back` are steps by which it may go back, as where a turn lifts a piece.
        """
        numbers = images[:, self.index].astype(np.int64) * (1 if self.step > 0 else -1)
        lifted = back * abs(self.step)
        moved: NDArray[np.int64] = (numbers[1:] - numbers[:-1] + lifted) % 256
        return moved > max(_JUMP, 2 * abs(self.step)) + lifted

    def falls_far(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image but the first whether it is some rows further than the one before."""
        return np.asarray(self._falls(images) >= _FAR * abs(self.step), np.bool_)

    def leaps(self, images: History) -> NDArray[np.bool_]:
        """Returns for each image but the first whether it is further than a piece falls that no drop at once moved."""
        return np.asarray(self._falls(images) > _FASTEST * abs(self.step), np.bool_)

    def _falls(self, images: History) -> NDArray[np.int64]:
        way = 1 if self.step > 0 else -1
        return way * np.diff(images[:, self.index]).view(np.int8).astype(np.int64)


def _columns(lab: Lab, state: bytes) -> tuple[tuple[Axis, ...], bytes]:
    """Returns the bytes that follow LEFT and RIGHT as a column does, between walls, and the moment when they do.

    A piece may enter at a wall: then bytes that only follow the press go both ways, its column goes one way, and both
    ways when it is aside.
    """
    found, one_way = _columns_at(lab, state)
    across = _between_walls(lab, state, found)
    if not one_way:
        return across, state
    lab.replay(state, [*[next(iter(one_way.values()))] * _TAP, *[Pad.NONE] * _TAP])
    aside = lab.save()
    further = _between_walls(lab, aside, _columns_at(lab, aside)[0])
    return (across, state) if across and not one_way.keys() & {*further} else (further, aside)


def _columns_at(lab: Lab, state: bytes) -> tuple[tuple[Axis, ...], dict[Axis, Pad]]:
    """Returns the bytes that follow both ways, and those that go one way only, with that way."""
    still, one_way = lab.replay(state, [Pad.NONE] * _SHORT), dict[Axis, Pad]()
    for press in _PRESSES:
        left, right = (
            lab.replay(state, [*[way] * press, *[Pad.NONE] * (_AFTER + _STEADY)]) for way in (Pad.LEFT, Pad.RIGHT)
        )
        alone = still[: len(left)]
        for way, sign, one, other in ((Pad.LEFT, -1, left, right), (Pad.RIGHT, 1, right, left)):
            for axis in _moves_only(alone, one, other, sign):
                one_way.setdefault(axis, way)
        if found := tuple(_aside(alone, left, right)):
            return found, one_way
    return (), one_way


def follows(lab: Lab, state: bytes) -> tuple[tuple[Axis, ...], tuple[Axis, ...]]:
    """Returns the bytes that follow LEFT and RIGHT, and those that fall, and sooner with DOWN, if there are some."""
    across, moment = _columns(lab, state)
    if not across:
        return (), ()
    found = _falling(lab, state, across)
    if moment != state:  # that press may have begun the game: on the screen before, nothing falls that falls in it
        later = {axis.index for axis in _falling(lab, moment, across)}
        found = tuple(axis for axis in found if axis.index in later)
    return across, found


def _falling(lab: Lab, state: bytes, across: Sequence[Axis]) -> tuple[Axis, ...]:
    """Returns the bytes that fall, and sooner with DOWN, if there are some."""
    still = lab.replay(state, [Pad.NONE] * _SLOWEST)
    downs = [Pad.NONE] * _ON + [Pad.DOWN] * _ON  # where the first press drops it, its row is seen before
    dropped = lab.replay(state, downs * (_DROP // len(downs)))
    held = lab.replay(state, [Pad.NONE] * _ON + [Pad.DOWN] * _DROP)
    aside = {axis.index for axis in across}
    downwards = dict.fromkeys(axis for axis in (*_rows(still, dropped), *_rows(still, held)) if axis.index not in aside)
    return tuple(downwards) or tuple(_rows_without_drop(lab, state, across))


def _between_walls(lab: Lab, state: bytes, axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """Returns the columns that do not go on with each tap to a side: a cursor may, and a count of presses does."""
    if not axes:
        return ()
    taps = [[way] * _TAP + [Pad.NONE] * _TAP for way in (Pad.LEFT, Pad.RIGHT)]
    images = np.array([lab.replay(state, tap * _AGAINST)[_TAP - 1 :: 2 * _TAP] for tap in taps])
    moved = {axis: images[:, 1:, axis.index] != images[:, :-1, axis.index] for axis in axes}
    return tuple(axis for axis in axes if not moved[axis].all(1).any())


def sprites(columns: Sequence[Axis], rows: Sequence[Axis]) -> frozenset[int]:
    """Returns the bytes of pages that hold sprites, as the picture's hardware has them.

    A sprite has four bytes, its row in the first one, its column in the last.
    """
    lower = {axis.index for axis in rows}
    pages = {axis.index // 0x100 for axis in columns if axis.index % 4 == 3 and axis.index - 3 in lower}
    return frozenset(byte for page in pages if page for byte in range(page * 0x100, (page + 1) * 0x100))


def _aside(still: History, left: History, right: History) -> Iterator[Axis]:
    """Yields the bytes that a tap to the right adds a number to, and a tap to the left takes the same from."""
    base, lower, higher = (images[-_STEADY:] for images in (still, left, right))
    gained, lost = (higher - base).view(np.int8), (base - lower).view(np.int8)
    steady = (gained == gained[0]).all(0) & (lost == gained).all(0)
    for index in np.flatnonzero(steady & (gained[0] != 0) & (abs(gained[0].astype(np.int16)) <= _PIXELS)):
        yield Axis(int(index), int(gained[0, index]))


def _moves_only(still: History, one: History, other: History, sign: int) -> Iterator[Axis]:
    """Yields the bytes that one tap moves, by `sign` columns, and not the other."""
    base, moved, stays = (images[-_STEADY:] for images in (still, one, other))
    gained = (moved - base).view(np.int8)
    steady = (gained == gained[0]).all(0) & (stays == base).all(0)
    for index in np.flatnonzero(steady & (gained[0] != 0) & (abs(gained[0].astype(np.int16)) <= _PIXELS)):
        yield Axis(int(index), sign * int(gained[0, index]))


def _rows(still: History, dropped: History) -> Iterator[Axis]:
    """Yields the bytes that move by one step now and then, and earlier or further with DOWN."""
    falls, drifts = (np.diff(images, axis=0).view(np.int8) for images in (dropped, still))
    for index in np.flatnonzero((falls != 0).any(0) & (drifts != 0).any(0)):
        alone, sped = drifts[:, index].astype(np.int64), falls[:, index].astype(np.int64)
        step = int(alone[np.flatnonzero(alone)[0]])
        if abs(step) not in _STEPS:
            continue
        until, sooner = _falls_until(alone, step), _falls_until(sped, step)
        counts = until == len(alone) and (alone != 0).all()  # each frame, without an end: no piece falls so far
        if until < _LEAST or not sooner or counts or int((alone[:until] != 0).sum()) < _FALLS:
            continue
        alone_rows, sped_rows = (np.cumsum(moved[:end]) // step for moved, end in ((alone, until), (sped, sooner)))
        both = min(until, sooner)
        # A press of DOWN may begin the wait for the next fall anew: then the piece is a row behind for a while.
        ahead = sped_rows[:both] - alone_rows[:both]
        further = ahead.max(initial=0) > 0 or (sooner < until and sooner < len(sped))
        if further and ahead.min(initial=0) >= -1:
            yield Axis(int(index), step)


def _rows_without_drop(lab: Lab, state: bytes, across: Sequence[Axis]) -> Iterator[Axis]:
    """Yields the bytes that fall by themselves, and begin anew when the column is where it was before a tap.

    So does the row of a game in which DOWN does nothing, when the next piece enters.
    """
    images = lab.replay(state, [Pad.NONE, *[Pad.LEFT] * _TAP, *[Pad.NONE] * _WHOLE])
    aside, enters = images[1 + _TAP + _AFTER], set[int]()
    for axis in across:
        home = images[:, axis.index] == images[0, axis.index]
        back = np.flatnonzero(home[1:] & ~home[:-1]) + 1
        enters |= {int(at) for at in back if aside[axis.index] != images[0, axis.index]}
    near = {at + by for at in enters for by in range(-_NEAR, _NEAR + 1)}
    moved = np.diff(images, axis=0).view(np.int8)
    for index in np.flatnonzero((moved != 0).any(0)) if near else ():
        own = moved[:, index].astype(np.int64)
        step = int(own[np.flatnonzero(own)[0]])
        until = _falls_until(own, step)
        if abs(step) not in _STEPS or int((own[:until] != 0).sum()) < _ROWS_FALLEN:
            continue
        jumps = np.flatnonzero(own * np.sign(step) < 0) + 1
        if near & {*jumps.tolist()}:
            yield Axis(int(index), step)


def _falls_until(moved: NDArray[np.int64], step: int) -> int:
    """Returns the frames in which a byte does nothing but stay or move a little by this step."""
    forward = moved * np.sign(step)
    odd = np.flatnonzero((forward < 0) | (forward > _FASTEST * abs(step)) | (moved % abs(step) != 0))
    return int(odd[0]) if odd.size else len(moved)
