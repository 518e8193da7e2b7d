"""Finds the units from a row of the board to the next, by how pieces hang together and where they land on others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery import board
from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.pad import Pad

_FURTHER: Final = 12  # pieces that tell which of several steps from row to row is meant
_NEAR: Final = 6  # rows above the floor that they may reach
_NOISY: Final = 40  # units: where more change, they tell nothing
_LANDED: Final = 3  # pieces that land on others until one lands higher


def stride(dropper: Dropper, found: board.Across, before: NDArray[np.uint8]) -> int | None:
    """Returns the units from a row to the next, in no direction; None if what filled does not hang together as rows.

    `before` has all units of the empty board. One square piece fits several, and one that lies flat none: then further
    pieces tell. Those that landed on it may all be two rows higher than others, or more.
    """
    widest = max(map(len, found.sets))
    steps = board.row_steps(found.right, widest, found.cells)
    found = found.together(max(steps, default=board.MOST_STRIDE))
    empty = int(before[min(found.cells[0])])
    if not steps and all(len(cells) > 1 for cells in found.cells):
        landed = {abs(place) for place in _landed(dropper, found, empty, board.MOST_STRIDE)}
        apart = {place // rows for place in landed for rows in range(1, _NEAR + 1) if place % rows == 0}
        steps = sorted(step for step in apart if board.is_stride(step, found.right, widest))
    if len(steps) < 2:
        return steps[0] if steps else None
    fits = dict.fromkeys(steps, 0)
    for new in _further(dropper, found, empty, max(steps)):
        for step in steps if 0 < len(new) <= _NOISY else ():  # others than cells may look filled, too
            fits[step] += min(len(board.largest(new, step, found.right)), board.MOST_CELLS)
    best = [step for step in steps if fits[step] == max(fits.values())]
    if len(best) == 1:
        return best[0]
    places = _landed(dropper, found, empty, max(steps))
    return max(best, key=lambda step: (sum(place % step == 0 for place in places), -step))


def _landed(dropper: Dropper, found: board.Across, empty: int, widest: int) -> list[int]:
    """Returns the units by which each landing of one piece, on the first one and beside it, is away from one of them.

    They are whole rows: the columns to which it was moved are taken off. Pieces that all landed in one row tell
    nothing; then it is the next one's turn.
    """
    first, places = found.sets[0][min(found.sets[0])], list[int]()
    for _ in range(_LANDED):
        drops = dropper.slow.in_every_column(first.next_state)
        landed = {columns: _new(found, empty, widest, first, drop) for columns, drop in drops.items()}
        times = Counter(cell for new in landed.values() for cell in new)  # what changes wherever it lands is no cell
        own = {columns: {cell for cell in new if times[cell] <= board.MOST_CELLS} for columns, new in landed.items()}
        # Of what looks filled, cells that lie side by side are the piece's.
        rows = {
            columns: board.largest(frozenset(new), found.right, found.right)
            for columns, new in own.items()
            if 0 < len(new) <= _NOISY
        }
        ends = [min(row) - columns * found.right for columns, row in rows.items() if len(row) <= board.MOST_CELLS]
        places = [end - ends[0] for end in ends]
        if any(places):
            break
        first = drops[min(drops)]
    return places


def _further(dropper: Dropper, found: board.Across, empty: int, widest: int) -> Iterator[frozenset[int]]:
    """Yields the cells that further pieces filled, each in another column."""
    before = found.sets[0][0]
    for dropped in _scattered(dropper, before.next_state, sorted(found.sets[0])):
        yield frozenset(_new(found, empty, widest, before, dropped))
        before = dropped


def _scattered(dropper: Dropper, here: bytes, places: Sequence[int]) -> Iterator[Drop]:
    """Yields drops of the next pieces, scattered over the board: `places` are columns from where a piece enters."""
    outwards = [place for pair in zip(places, reversed(places), strict=True) for place in pair][: len(places)]
    for _, aside in zip(range(_FURTHER), cycle(outwards), strict=False):
        way = Pad.LEFT if aside < 0 else Pad.RIGHT
        try:
            dropped = dropper.drop(here, dropper.tapped(way, abs(aside)))
        except GoneAstray:
            return
        yield dropped
        here = dropped.next_state


def _new(found: board.Across, empty: int, widest: int, before: Drop, drop: Drop) -> list[int]:
    """Returns the units near the floor that a piece filled; `widest` is the largest step that is thought of."""
    moved = [
        cell + columns * found.right
        for drops, piece in zip(found.sets, found.cells, strict=True)
        for columns in drops
        for cell in piece
    ]
    first = max(min(moved) - _NEAR * widest, 0)
    window = slice(first, max(moved) + _NEAR * widest + 1)

    was, now = (found.packing.of(images)[0][window] for images in (before.rested, drop.rested))
    new = (was == empty) & (now != empty)
    return [first + int(unit) for unit in np.flatnonzero(new)]
