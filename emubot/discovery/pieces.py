"""Watches many pieces lock: which cells each of them filled, and the frames in which it was under control."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.arriving import TURNING
from emubot.discovery.axes import HALVES, Axis
from emubot.discovery.board import MOST_CELLS, Place
from emubot.discovery.drops import COPIED, Drop, Dropper, GoneAstray
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.pad import Pad

Filled = NDArray[np.bool_]  # (rows, columns), the highest row first

TURN_SHOWS: Final = 12  # frames in which a turn must have come

_TRIES: Final = 3  # places that each piece is dropped at; the game goes on from the best one
_TRIES_MORE: Final = 2  # the same where nothing more is to be seen of a piece
_STALE: Final = 30  # frames of waiting that give another game from the same moment
_EMPTY_HANDED: Final = 3  # games without a lock in a row after which nothing more is expected
_TURNS: Final = 4
_TURN_LIFTS: Final = 4  # rows by which a turn may lift a cell
_TWICE: Final = 2  # times that each turn is seen
_PARKED_FROM: Final = 3  # rows in which pieces lock, that tell a park from falls onto the same ground
_PARKED: Final = 0.9  # of the pieces that seem to fall as they lock
_APART: Final = 2  # frames that a frame of certain control is away from the first and the last one


Wanted = Callable[[bytes], Sequence[Sequence[Pad]]]  # the taps that turn the piece of a moment, for each drop of it


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """A piece from the first frame in which it obeyed to the next piece's.

    `pads` are what was pressed in each of `frames`. `last` is the last frame in which the piece was in its place and
    not yet in the board, `named` the last one in which its name is certainly its own. `cells` are [row, column] with
    row 0 the highest of the board, and None if they are not known, as where the lock cleared a row in the same frame.
    `before` is the board without the piece. So many as `unlooked` of the frames before the next piece was seen to obey
    may be its own already.
    """

    frames: History
    pads: tuple[Pad, ...]
    last: int
    named: int
    cells: tuple[Place, ...] | None
    before: Filled
    unlooked: int = 0

    @property
    def controlled(self) -> History:
        """The frames in which it was certainly under control."""
        return self.frames[_APART : max(self.last - _APART, _APART)]

    @property
    def between(self) -> History:
        """The frames from its lock in which it was certainly not the next piece's turn."""
        return self.frames[self.last + 1 : -_APART - COPIED - self.unlooked]


def watch(
    dropper: Dropper, state: bytes, geometry: Geometry, spans: int, turns: Sequence[Pad]
) -> list[list[PieceSpan]]:
    """Returns so many pieces that were turned with `turns` and moved at random, a list for each game from `state` on.

    In a game each piece is dropped in several places.
    """
    rng = np.random.default_rng(0)
    games: list[list[PieceSpan]] = []
    empty_handed = 0
    while sum(map(len, games)) < spans and empty_handed < _EMPTY_HANDED:
        left = spans - sum(map(len, games))
        game = list(islice(_until_over(dropper, state, geometry, turns, rng, None), left))
        empty_handed = 0 if game else empty_handed + 1
        games.append(game)
    return games


def pieces_of(
    dropper: Dropper, state: bytes, geometry: Geometry, turns: Sequence[Pad], seed: int, wanted: Wanted
) -> Iterator[PieceSpan]:
    """Yields pieces of further games from `state` on, as long as there are some.

    `wanted` returns the ways in which the piece at a moment is to be turned; it is dropped once for each, somewhere, or
    twice if there is none.
    """
    rng = np.random.default_rng(seed)
    empty_handed = 0
    while empty_handed < _EMPTY_HANDED:
        empty_handed += 1
        for span in _until_over(dropper, state, geometry, turns, rng, wanted):
            empty_handed = 0
            yield span


def _until_over(
    dropper: Dropper,
    state: bytes,
    geometry: Geometry,
    turns: Sequence[Pad],
    rng: np.random.Generator,
    wanted: Wanted | None,
) -> Iterator[PieceSpan]:
    board = geometry.lattice.cells(geometry.rows)
    stack = np.zeros(board.shape, np.bool_)
    dropper.lab.load(state)
    waited = dropper.lab.idle(1 + int(rng.integers(_STALE)))
    if not geometry.drawn:
        stack = geometry.filled(waited[-1:])[0]
    here = dropper.lab.save()
    if not dropper.obeys(here):
        return
    while True:
        tried: list[tuple[PieceSpan, Filled, Drop]] = []
        ways: Sequence[Sequence[Pad] | None] = (
            [None] * _TRIES if wanted is None else [*wanted(here)] or [()] * _TRIES_MORE
        )
        for turned in ways:
            pads = random_pads(dropper, board.shape[1], turns, rng, turned)
            try:
                dropped = dropper.drop(here, pads)
                if _are_two(dropped.frames[: dropped.gone], pads, dropper):
                    continue
                span, after = _span(dropped, pads, geometry, stack)
            except GoneAstray:
                continue
            tried.append((span, after, dropped))
            yield span
        if not tried:
            return
        _, stack, dropped = min(tried, key=lambda each: height(each[1]))
        here = dropped.next_state


def _are_two(frames: History, pads: Sequence[Pad], dropper: Dropper) -> bool:
    """Returns whether a piece is aside of where it was with no press that moved it so far: it is the next one.

    The one before locked where pieces enter, above what is known of the board. What falls no further is a parked piece.
    """
    column = dropper.column
    aside = np.abs(np.diff(frames[:, column.index]).view(np.int8).astype(np.int64)) > abs(column.step)
    held = (*pads, *[Pad.NONE] * len(frames))[1 : len(frames)]
    turning = np.array([any(pad & button for button in TURNING) for pad in held], np.bool_)
    lately = np.convolve(turning, np.ones(TURN_SHOWS))[: len(turning)] > 0
    jumps = np.flatnonzero(aside & ~lately) + 1
    return bool(jumps.size) and len(np.unique(frames[jumps[0] :, dropper.row.index])) > 1


def turned(dropper: Dropper, state: bytes, turns: Sequence[Pad]) -> Iterator[PieceSpan]:
    """Yields the piece of a moment, turned with each of these buttons again and again; where it locks is not known."""
    for button in turns:
        pads = [Pad.NONE, *dropper.tapped(button, _TURNS), *[Pad.NONE] * TURN_SHOWS]
        for begin in range(_TWICE):
            waits = [*[Pad.NONE] * begin, *pads]
            frames = dropper.lab.replay(state, waits)
            gone = np.flatnonzero(dropper.row.jumps(frames, _TURN_LIFTS))
            last = int(gone[0]) if gone.size else len(frames) - 1
            yield PieceSpan(frames, tuple(waits), last, last, None, np.zeros((1, 1), np.bool_))


def random_pads(
    dropper: Dropper, columns: int, turns: Sequence[Pad], rng: np.random.Generator, turned: Sequence[Pad] | None
) -> list[Pad]:
    """Returns the pads that turn and move a piece at random; `turned` are taps in place of random ones."""
    pads = [Pad.NONE, *(turned or ())]  # the first frame shows the piece before its first turn
    if turns and turned is None:
        pads += dropper.tapped(turns[int(rng.integers(len(turns)))], int(rng.integers(_TURNS + 1)))
    way = Pad.LEFT if rng.integers(2) else Pad.RIGHT
    return [*pads, *dropper.tapped(way, int(rng.integers(columns // 2 + 2)))]


def parked(spans: Sequence[PieceSpan], row: Axis) -> int | None:
    """Returns the number in the row's byte to which pieces seem to fall as they lock, wherever that is; None if none.

    Where rows are counted from the floor, 0xFF looks like one row below it, and a piece parked there like one that
    fell onto near ground in the frame of its lock.
    """
    fell = [span for span in spans if span.cells and _fell_at_last(span, row)]
    if len({max(y for y, _ in span.cells or ()) for span in fell}) < _PARKED_FROM:
        return None
    (number, times), *_ = Counter(int(span.frames[span.last, row.index]) for span in fell).most_common(1)
    return number if times >= _PARKED * len(fell) else None


def unparked(spans: Sequence[PieceSpan], row: Axis, number: int) -> list[PieceSpan]:
    """Returns the pieces with the last frame in which they were in their place, where a park was taken for a fall."""
    return [
        replace(span, last=span.last - 1)
        if _fell_at_last(span, row) and span.frames[span.last, row.index] == number
        else span
        for span in spans
    ]


def _fell_at_last(span: PieceSpan, row: Axis) -> bool:
    here, there = span.frames[span.last - 1 : span.last], span.frames[span.last : span.last + 1]
    return span.last > 0 and bool(row.since(here, there)[0] > 0)


def height(stack: Filled) -> int:
    """Returns how bad a board is: its filled rows and the empty cells under others."""
    covered = np.maximum.accumulate(stack, axis=0)
    return 3 * int(covered.any(1).sum()) + int((covered & ~stack).sum()) * 2 + int(covered.sum(0).max(initial=0))


def _span(dropped: Drop, pads: Sequence[Pad], geometry: Geometry, stack: Filled) -> tuple[PieceSpan, Filled]:
    """Returns a piece, and the board after it. Raises GoneAstray if no piece can have filled what was filled."""
    frames = dropped.frames
    filled = geometry.filled(frames)
    last = dropped.gone if dropped.landed else dropped.gone - 1
    if geometry.drawn:
        gaps = (stack & ~filled[: last + 1]).any((1, 2))
        if gaps.any():  # full rows are shown to vanish
            last = max(int(gaps.argmax()) - 1, 0)
        new = filled[last] & ~stack
        after = _without_full_rows(stack | new)
        if (after & ~filled[-1]).any() or (filled[-1] & ~after).sum() > MOST_CELLS:  # the next may come later
            raise GoneAstray
        # It stands in the cells all the time; in the last change it fell, or became one with the board.
        units = geometry.units(frames[: last + 1])
        changes = np.flatnonzero((units[1:] != units[:-1]).any((1, 2)))
        named = int(changes[-1]) if changes.size else last
        if changes.size and (filled[named] == filled[named + 1]).all():
            last = named
        elif changes.size and _is_recoded(units[named : named + 2], filled[named : named + 2] & ~stack):
            last = named + 1  # it fell onto near ground, and locked in the same frame
        elif changes.size:
            last = min(last, named + 1)  # it may lock at any time from here on, and nothing shows it
        if abs(geometry.row.step) == HALVES:  # drawn in the lower of two rows, it came to it later
            moved = np.flatnonzero(np.diff(frames[: dropped.gone, geometry.row.index])) + 1
            last = max(last, int(moved[-1])) if moved.size else last
        cells = filled[last] & ~stack if not (stack & ~filled[last]).any() else None
    else:
        after = filled[-1]
        gains, losses = (filled & ~stack).any((1, 2)), (~filled & stack).any((1, 2))
        at = int(gains.argmax()) if gains.any() else len(filled)
        lost = int(losses.argmax()) if losses.any() else len(filled)
        change = min(at, lost)  # a piece may fill nothing but rows that vanish in the same frame
        last = named = last if dropped.landed else min(last, change - 1)
        here, there = frames[change - 1 : change], frames[change : change + 1]
        fell = 0 < change < dropped.gone and geometry.row.since(here, there)[0] > 0
        if fell and int(there[0, geometry.row.index]) != geometry.parked:
            last = change  # it fell onto near ground, and locked in the same frame
        cells = filled[lost - 1] & ~stack if at < lost else None
        if cells is not None and 0 < cells.sum() <= MOST_CELLS and (_without_full_rows(stack | cells) != after).any():
            raise GoneAstray  # the game ended meanwhile, and the board is another one's, as that of a demonstration
    places = None if cells is None else tuple((int(row), int(column)) for row, column in np.argwhere(cells))
    if places is not None and not 0 < len(places) <= MOST_CELLS:
        places = None
    held = (*pads, *[Pad.DOWN] * (len(frames) - len(pads)))
    named = max(named - dropped.landed, 0)  # a name may be the next one's in the frame in which a piece drops at once
    return PieceSpan(frames, held, max(last, 0), named, places, stack, dropped.unlooked), after


def _is_recoded(units: NDArray[np.uint8], cells: NDArray[np.bool_]) -> bool:
    """Returns whether these cells of two boards have no code in common."""
    return not np.intersect1d(units[0][cells[0]], units[1][cells[1]]).size


def _without_full_rows(board: Filled) -> Filled:
    kept = board[~board.all(1)]
    return np.concatenate([np.zeros((len(board) - len(kept), board.shape[1]), np.bool_), kept])
