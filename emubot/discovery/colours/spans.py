"""Plays a colour game at random, and keeps of each piece what tells how it is held in memory; knows no kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.landings import Image, Landing
from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.discovery.lab import History
from emubot.pad import Pad

_TURNS: Final = 4
_LOWEST: Final = 3  # columns, of those that are filled least, into which a piece is dropped
_FREE: Final = 3  # rows that a piece may fall while it is moved aside, or fewer: one that locks then tells nothing
_SAMPLES: Final = 12  # frames that are kept of a piece under control
_STALE: Final = 40  # frames of waiting after which a game may go on otherwise
_GAMES: Final = 8


@dataclass(frozen=True, slots=True)
class Span:
    """A piece. `before` is memory when it was first seen, `held` while it was moved no more, `last` before it locked.

    `after` is memory when the next piece obeyed, `locked` the cells that it filled with their numbers.
    """

    button: Pad
    times: int
    before: Image
    held: History
    last: Image
    after: Image
    locked: Mapping[Cell, int]
    state: bytes


def of_landings(landings: Sequence[Landing], area: Area) -> list[Span]:
    """Returns landings as spans."""
    return [_span(Pad.NONE, 0, one.drop, area) for one in landings]


def with_chance(area: Area, spans: Sequence[Span]) -> Area:
    """Returns the area with the bits that vary in cells before pieces locked there: those that were emptied in play."""
    found: list[int] = []
    for span in spans:
        raw, entered = area.raw(span.before[None])[0], area.unturned(span.before)
        found += [int(raw[row, column]) for column, row in span.locked if (column, row) not in entered]
    return area.with_chance(found)


def without_chance(span: Span, area: Area) -> Span:
    """Returns a piece without the cells that became empty ones with other bits of chance when it locked."""
    filled = {cell: code for cell, code in span.locked.items() if code & ~area.chance != area.empty}
    return replace(span, locked=filled)


def games(dropper: Dropper, state: bytes, area: Area, turns: Sequence[Pad], spans: int) -> list[list[Span]]:
    """Returns about so many pieces that were turned and moved at random, a list for each game from a moment on."""
    rng = np.random.default_rng(0)
    found: list[list[Span]] = []
    while sum(map(len, found)) < spans and len(found) < _GAMES:
        dropper.lab.load(state)
        dropper.lab.idle(1 + len(found) * _STALE // _GAMES)
        left = spans - sum(map(len, found))
        found.append(
            [span for span, _ in zip(_game(dropper, dropper.lab.save(), area, turns, rng), range(left), strict=False)]
        )
    return found


def _game(dropper: Dropper, state: bytes, area: Area, turns: Sequence[Pad], rng: np.random.Generator) -> Iterator[Span]:
    here = state
    dropper.lab.load(here)
    image = dropper.lab.idle(1)[-1]
    while True:
        button = turns[int(rng.integers(len(turns)))] if turns else Pad.NONE
        times = int(rng.integers(_TURNS)) if turns else 0
        heights, room = _heights(area, image)
        open_to = _open_to(heights, room, first := min(column for column, _ in area.unturned(image)))
        if not open_to:
            return
        lowest = sorted(open_to, key=lambda one: float(heights[one] + rng.random() / 2))[:_LOWEST]
        shift = lowest[int(rng.integers(len(lowest)))] - first
        aside = dropper.tapped(Pad.RIGHT if shift > 0 else Pad.LEFT, abs(shift))
        try:
            drop = dropper.drop(here, [Pad.NONE, *dropper.tapped(button, times), *aside])
        except GoneAstray:
            return
        yield _span(button, times, drop, area)
        here, image = drop.next_state, drop.rested[0]


def _open_to(heights: NDArray[np.int64], room: int, first: int) -> list[int]:
    """Returns the columns to which a piece can be moved from `first` on, with as many rows to fall in as can be."""
    passed = [heights[min(first, one) : max(first, one) + 2].max() for one in range(len(heights))]
    for free in range(_FREE, 0, -1):
        if found := [one for one, height in enumerate(passed) if height <= room - free]:
            return found
    return []


def _heights(area: Area, image: Image) -> tuple[NDArray[np.int64], int]:
    """Returns how high each column is filled, below the piece in the air, and how many rows there are below it."""
    filled = area.codes(image) != area.empty
    below = max(max(row for _, row in area.unturned(image)) + 1, 0)
    filled[:below] = False
    return np.where(filled.any(0), len(filled) - filled.argmax(0), 0), len(filled) - below


def _span(button: Pad, times: int, drop: Drop, area: Area) -> Span:
    seen = np.concatenate([drop.frames[:1], drop.frames[drop.aside :]])
    locked, at = area.locked(seen, drop.gone - drop.aside + 1)
    is_seen_to_lock = not area.drawn or area.moving is not None
    gone = min(drop.gone, drop.aside + at - (1 if is_seen_to_lock else 0)) if locked else drop.gone
    under = drop.frames[drop.aside : max(gone, drop.aside + 1)]
    held = under[:: max(1, len(under) // _SAMPLES)]
    return Span(button, times, drop.frames[0], held, under[-1], drop.rested[0], locked, drop.next_state)
