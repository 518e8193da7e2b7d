"""Drops pieces as they come, in every column and on each other; knows no field and no parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.pad import Pad

_PILE: Final = 3  # pieces that are dropped on one
_WIDEST: Final = 2  # columns of a piece
_MOST_SHIFTS: Final = 16  # columns to one side

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Landing:
    """A piece that was moved aside and dropped: its columns to the right and rows downwards in steps of the bytes.

    `number` is the same for one piece that was dropped in several places. `before` is memory before it was moved,
    `after` memory when the next piece obeyed.
    """

    number: int
    across: int
    down: int
    before: Image
    after: Image
    drop: Drop


def landings(dropper: Dropper, state: bytes) -> list[Landing]:
    """Returns the landings of one piece in every column, and of some that fell onto it. Raises GoneAstray."""
    slow = dropper.slow
    found = []
    shifts = dict(sorted(_in_every_column(slow, state)))
    for drop in shifts.values():
        found.append(_landing(slow, 0, drop))
    here = shifts[min(shifts)].next_state
    # Where pieces on one pile lie over those on another one, their halves fall further.
    middle = (0,) if min(-min(shifts), max(shifts)) >= _WIDEST else ()
    piles = [shift for shift in dict.fromkeys((min(shifts), *middle, max(shifts))) for _ in range(_PILE)]
    for number, shift in enumerate(piles, start=1):
        try:
            drop = slow.drop(here, _aside(slow, shift))
        except GoneAstray:
            break
        found.append(_landing(slow, number, drop))
        here = drop.next_state
    return found


def _in_every_column(dropper: Dropper, state: bytes) -> Iterator[tuple[int, Drop]]:
    middle = dropper.drop(state)
    yield 0, middle
    for sign in (-1, 1):
        for times in range(1, _MOST_SHIFTS + 1):
            moved = dropper.drop(state, _aside(dropper, sign * times))
            if dropper.column.since(middle.moved, moved.moved)[0] != sign * times:
                break
            yield sign * times, moved


def _aside(dropper: Dropper, shift: int) -> list[Pad]:
    return [Pad.NONE, *dropper.tapped(Pad.RIGHT if shift > 0 else Pad.LEFT, abs(shift))]


def _landing(dropper: Dropper, number: int, drop: Drop) -> Landing:
    first = drop.frames[:1]
    return Landing(
        number,
        int(dropper.column.of(drop.moved)[0] * np.sign(dropper.column.step)),
        int(drop.last[0, dropper.row.index]),
        first[0],
        drop.rested[0],
        drop,
    )
