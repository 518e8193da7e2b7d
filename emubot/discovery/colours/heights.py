"""Finds the highest row of a colour game's field that memory keeps: what stays where pieces are piled up to the top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np

from emubot.discovery.colours.areas import Area, Cell
from emubot.discovery.colours.landings import Image
from emubot.discovery.colours.spans import Span
from emubot.discovery.drops import Dropper, GoneAstray
from emubot.discovery.lab import History
from emubot.discovery.pads import Hand
from emubot.pad import Pad

_MOST: Final = 24  # pieces of a pile
_LAST: Final = 500  # frames in which the last pieces of a game must have locked
_ENTERS: Final = 8  # frames in which a piece must have come when the game seems to obey
_MOST_HIDDEN: Final = 2  # rows above those that a piece reaches
_CHUNK: Final = 4  # frames that are played before they are looked at
_SAMPLES: Final = 40  # frames of them that are looked at

Filled = tuple[Image, Mapping[Cell, int]]  # memory before a lock, and the cells that it filled


def highest(
    dropper: Dropper,
    state: bytes,
    area: Area,
    spans: Sequence[Span],
    cells: Mapping[int, Sequence[Cell]],
    turn: int,
    sequences: Mapping[Pad, Sequence[int]],
) -> int:
    """Returns the area's highest row that is the field's.

    Rows above those that were filled count if pieces enter there, if nothing else is kept in them, and if no piece was
    seen to lose a cell there. So do rows that are always empty, if what is above them is not.
    """
    stored, lost = Counter[int](), Counter[int]()
    pads = _upright(dropper.hand, cells, sequences)
    ways = ([], pads) if pads else ([],)
    piles = [filled for turns in product(ways, ways) for filled in _pile(dropper, state, area, turns)]
    for image, locked in [*((span.last, span.locked) for span in spans), *piles]:
        x, y = area.place(image)
        for column, row in cells.get(int(image[turn]), ()):
            if (column + x, row + y) in locked:
                stored[row + y] += 1
            elif (column + x, row + y + 1) in locked:  # nothing falls from there: it is on another part
                lost[row + y] += 1
    entered = min(row for span in spans for _, row in area.unturned(span.after))
    top = min(stored)
    codes = [area.codes(image) for span in spans for image in (span.before, span.after)]
    known = {area.empty, *(int(code) for each in codes for code in np.unique(each[top:]))}
    for row in reversed(range(max(entered, 0), top)):
        if lost[row] or not all(np.isin(each[row], list(known)).all() for each in codes):
            break
        top = row
    return top - _empty_above(area, spans, top)


def _empty_above(area: Area, spans: Sequence[Span], top: int) -> int:
    """Returns how many rows of empty cells end above a row; 0 if they seem to go on without an end."""
    images = np.array([image for span in spans for image in (span.before, span.after)])
    rows, down = area.units, area.units[1] - area.units[0]
    for count in range(min(top, _MOST_HIDDEN) + 1):
        above = rows[top - count - 1] if top > count else rows[0] - down
        if (above < 0).any():
            return 0
        codes = area.packing.of(images)[:, above] & (0xFF - area.chance)
        if (codes != area.empty).any():
            return count if (codes != area.empty).all() else 0
    return 0


def _upright(hand: Hand, cells: Mapping[int, Sequence[Cell]], sequences: Mapping[Pad, Sequence[int]]) -> list[Pad]:
    """Returns the pads that turn a piece so that a cell is as high as can be; none if all orientations lie alike."""
    highest = {number: min(row for _, row in cells[number]) for sequence in sequences.values() for number in sequence}
    ways = [
        (highest[number], times, button)
        for button, sequence in sequences.items()
        for times, number in enumerate(sequence)
    ]
    _, times, button = min(ways, key=lambda way: way[:2])
    if not times and len({*highest.values()}) > 1:  # it enters so: then piles of other heights come from the other way
        _, times, button = max(ways, key=lambda way: (way[0], -way[1]))
    return [*hand.taps(button, times)]


def _pile(dropper: Dropper, state: bytes, area: Area, turns: Sequence[Sequence[Pad]]) -> Iterator[Filled]:
    """Yields what the pieces of a pile fill, to the last one of the game; the first one and the others are turned so.

    So piles of different heights reach the top.
    """
    here = state
    for number in range(_MOST):
        pads = [*[Pad.NONE] * _ENTERS, *turns[number > 0]]
        try:
            drop = dropper.drop(here, pads)
        except GoneAstray:
            dropper.lab.load(here)
            yield from _last(area, _to_the_end(dropper, pads, turns[number > 0]))
            return
        locked, at = area.locked(drop.frames, drop.gone)
        if locked:
            yield drop.frames[at if area.drawn and area.moving is None else max(at - 1, 0)], locked
        here = drop.next_state


def _to_the_end(dropper: Dropper, pads: Sequence[Pad], turn: Sequence[Pad]) -> History:
    """Returns the frames of the last pieces of a game: each is turned when it enters, and then falls by itself."""
    frames, dropping = dropper.lab.play(pads), dropper.hand.dropping()
    for _ in range(_LAST // _CHUNK):
        more = dropper.lab.play([Pad.NONE if turn else next(dropping) for _ in range(_CHUNK)])
        both = np.concatenate([frames[-1:], more])
        frames = np.concatenate([frames, more])
        if turn and dropper.row.jumps(both).any():
            frames = np.concatenate([frames, dropper.lab.play(turn)])
    return frames


def _last(area: Area, frames: History) -> Iterator[Filled]:
    """Yields what the last pieces of a game fill, which lock near where they enter; a drawn piece fills where it is."""
    if area.drawn and area.moving is None:
        for image in frames[:: len(frames) // _SAMPLES]:
            codes = area.codes(image)
            yield image, {(int(x), int(y)): int(codes[y, x]) for y, x in np.argwhere(codes != area.empty)}
        return
    start = 0
    while start < len(frames) - 1:
        locked, at = area.locked(frames[start:], len(frames) - start)
        if not locked:
            return
        yield frames[start + max(at - 1, 0)], locked
        start += max(at, 1)
