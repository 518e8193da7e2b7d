"""Measures what a game's pad does: how long a press must last, how a piece is dropped; knows no board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np

from emubot.discovery.axes import Axis
from emubot.discovery.lab import History, Lab
from emubot.pad import Pad

_LONGEST: Final = 8  # frames that a press may have to last
_OFFSETS: Final = 12  # frames at which a press may begin
_SHOWS: Final = 8  # frames after a press in which its effect must have come
_STEADY: Final = 3
_FALL: Final = 700  # frames in which a piece that is dropped must have come to rest
_AT_ONCE: Final = 12  # frames from a press to the lock where a piece drops at once
_NEAR: Final = 2  # rows in one frame, of a drop at once where the ground is near
_HELD_ENOUGH: Final = 1.3  # times as long as taps take: then a held button is a soft drop all the same


class DropKind(Enum):
    """How a piece comes down."""

    HELD = "held"  # faster while the button is held
    STEPS = "steps"  # a row for each press
    AT_ONCE = "at once"
    BY_ITSELF = "by itself"


@dataclass(frozen=True, slots=True)
class Hand:
    """How to press: `press` frames on, as many off. `drop` brings a piece down in the way `kind`.

    `at_once` is another button that drops a piece at once.
    """

    press: int
    drop: Pad = Pad.NONE
    kind: DropKind = DropKind.BY_ITSELF
    at_once: Pad = Pad.NONE

    def taps(self, button: Pad, times: int) -> Iterator[Pad]:
        """Yields the pads that tap a button."""
        for _ in range(times):
            yield from [button] * self.press
            yield from [Pad.NONE] * max(self.press, 2)

    def dropping(self) -> Iterator[Pad]:
        """Yields the pads that bring a piece down, without end."""
        if self.kind is DropKind.AT_ONCE:
            yield from self.taps(self.drop, 1)
        while True:
            if self.kind is DropKind.HELD:
                yield self.drop
            elif self.kind is DropKind.STEPS:
                yield from [*[self.drop] * self.press, *[Pad.NONE] * self.press]
            else:
                yield Pad.NONE


def measure(lab: Lab, state: bytes, column: Axis, row: Axis, rows: Sequence[Axis] = ()) -> tuple[Hand, Axis] | None:
    """Returns how to press, and the column with its true step; None if no press always moves a piece by one column.

    `rows` are further bytes that fall as the row does.
    """
    for press in range(1, _LONGEST + 1):
        moves = {_moved(lab, state, column, way, press) for way in (Pad.LEFT, Pad.RIGHT)} - {0}
        if len(moves) == 1 and None not in moves:
            (step,) = moves
            if step:
                return _with_drop(lab, state, (row, *rows), Hand(press)), replace(column, step=step)
    return None


def _moved(lab: Lab, state: bytes, column: Axis, way: Pad, press: int) -> int | None:
    """Returns what a tap to the right adds to the column whenever it begins; None if it differs, 0 for never any."""
    lab.load(state)
    found = set[int]()
    here = state
    for _ in range(_OFFSETS):
        still = lab.replay(here, [Pad.NONE] * (press + _SHOWS))
        moved = lab.replay(here, [*[way] * press, *[Pad.NONE] * _SHOWS])
        gained = (moved[-_STEADY:, column.index] - still[-_STEADY:, column.index]).view(np.int8)
        found.update(int(number) for number in gained)
        lab.load(here)
        lab.play([Pad.NONE])
        here = lab.save()
    if len(found) > 1:
        return None
    (gained_each,) = found
    return gained_each * (1 if way is Pad.RIGHT else -1)


def _with_drop(lab: Lab, state: bytes, rows: Sequence[Axis], hand: Hand) -> Hand:
    """Returns the hand with the way in which a piece comes down fastest and can still be seen to."""
    at_once, row = [way for way in (Pad.DOWN, Pad.UP) if _lands_at_once(lab, state, rows, hand, way)], rows[0]
    if Pad.DOWN in at_once:
        return replace(hand, drop=Pad.DOWN, kind=DropKind.AT_ONCE)
    hand = replace(hand, at_once=at_once[0] if at_once else Pad.NONE)
    ways = {kind: replace(hand, drop=Pad.DOWN, kind=kind) for kind in (DropKind.HELD, DropKind.STEPS)}
    times = {kind: _until_jump(lab, state, row, way) for kind, way in ways.items()}
    alone = _until_jump(lab, state, row, hand)
    if times[DropKind.HELD] <= _HELD_ENOUGH * times[DropKind.STEPS] and times[DropKind.HELD] < alone:
        return ways[DropKind.HELD]
    return ways[DropKind.STEPS] if times[DropKind.STEPS] < alone else hand


def _lands_at_once(lab: Lab, state: bytes, rows: Sequence[Axis], hand: Hand, way: Pad) -> bool:
    """Returns whether a press drops a piece at once. A turn moves some of its cells as far, but not their pivot."""
    pads = [Pad.NONE, *hand.taps(way, 1), *[Pad.NONE] * _AT_ONCE]  # the first frame shows where it is
    images, still = lab.replay(state, pads), lab.replay(state, [Pad.NONE] * len(pads))
    return all(_falls_far(row, images) for row in rows) and not _falls_far(rows[0], still)


def _falls_far(row: Axis, images: History) -> bool:
    return bool(row.jumps(images).any() or row.falls_far(images).any() or _falls_and_stays(row, images))


def _falls_and_stays(row: Axis, images: History) -> bool:
    """Returns whether a piece falls some rows in one frame and then no more: the ground may be near."""
    rows = row.path(images)
    falls = np.flatnonzero(np.diff(rows))
    return falls.size == 1 and int(rows[-1]) >= _NEAR


def _until_jump(lab: Lab, state: bytes, row: Axis, hand: Hand) -> int:
    """Returns the frames until the piece has come to rest and its row goes elsewhere."""
    dropping = hand.dropping()
    images = lab.replay(state, [next(dropping) for _ in range(_FALL)])
    jumps = np.flatnonzero(row.jumps(images))
    return int(jumps[0]) if jumps.size else _FALL
