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
from emubot.pad import Pad

_MOST: Final = 24  # pieces of a pile
_LAST: Final = 500  # frames in which the last pieces of a game must have locked
_ENTERS: Final = 8  # frames in which a piece must have come when the game seems to obey
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
    button: Pad,
) -> int:
    """Returns the area's highest row that is the field's.

    Rows above those that were filled count if pieces enter there, if nothing else is kept in them, and if no piece was
    seen to lose a cell there.
    """
    stored, lost = Counter[int](), Counter[int]()
    piles = [filled for turns in _piles(cells, button) for filled in _pile(dropper, state, area, turns)]
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
    return top


def _piles(cells: Mapping[int, Sequence[Cell]], button: Pad) -> Iterator[tuple[Pad, Pad]]:
    """Yields what turns the first piece of a pile, and all others: so piles of different heights reach the top."""
    if all(len({column for column, _ in each}) == 1 for each in cells.values()):
        yield Pad.NONE, Pad.NONE
    else:
        yield from product((Pad.NONE, button), repeat=2)


def _pile(dropper: Dropper, state: bytes, area: Area, turns: tuple[Pad, Pad]) -> Iterator[Filled]:
    """Yields what the pieces of a pile fill, to the last one of the game."""
    here = state
    for number in range(_MOST):
        button = turns[number > 0]
        pads = [*[Pad.NONE] * _ENTERS, *(dropper.tapped(button) if button else ())]
        try:
            drop = dropper.drop(here, pads)
        except GoneAstray:
            dropper.lab.load(here)
            yield from _last(area, _to_the_end(dropper, pads, button))
            return
        locked, at = area.locked(drop.frames, drop.gone)
        if locked:
            yield drop.frames[at if area.drawn and area.moving is None else max(at - 1, 0)], locked
        here = drop.next_state


def _to_the_end(dropper: Dropper, pads: Sequence[Pad], button: Pad) -> History:
    """Returns the frames of the last pieces of a game: each is turned when it enters, and then falls by itself."""
    frames, dropping = dropper.lab.play(pads), dropper.hand.dropping()
    for _ in range(_LAST // _CHUNK):
        more = dropper.lab.play([Pad.NONE if button else next(dropping) for _ in range(_CHUNK)])
        both = np.concatenate([frames[-1:], more])
        frames = np.concatenate([frames, more])
        if button and dropper.row.jumps(both).any():
            frames = np.concatenate([frames, dropper.lab.play(dropper.tapped(button))])
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
