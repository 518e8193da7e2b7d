"""Watches many pieces lock: which cells each of them filled, and the frames in which it was under control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.board import MOST_CELLS, Place
from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.discovery.geometry import Geometry
from emubot.discovery.lab import History
from emubot.discovery.pads import DropKind
from emubot.pad import Pad

Filled = NDArray[np.bool_]  # (rows, columns), the highest row first

_TRIES: Final = 3  # places that each piece is dropped at; the game goes on from the best one
_STALE: Final = 30  # frames of waiting that give another game from the same moment
_EMPTY_HANDED: Final = 3  # games without a lock in a row after which nothing more is expected
_TURNS: Final = 4
_HEIGHTS: Final = 4  # rows in which pieces of a game must have been seen to land
_APART: Final = 2  # frames that a frame of certain control is away from the first and the last one


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """A piece from the first frame in which it obeyed to the next piece's.

    `pads` are what was pressed in each of `frames`. `last` is the last frame in which the piece was in its place and
    not yet in the board; `cells` are [row, column] with row 0 the highest of the board, and None if they are not known,
    as where the lock cleared a row in the same frame. `before` is the board without the piece.
    """

    frames: History
    pads: tuple[Pad, ...]
    last: int
    cells: tuple[Place, ...] | None
    before: Filled

    @property
    def controlled(self) -> History:
        """The frames in which it was certainly under control."""
        return self.frames[_APART : max(self.last - _APART, _APART)]

    @property
    def between(self) -> History:
        """The frames from its lock to the next piece."""
        return self.frames[self.last + 1 : -_APART]


def watch(
    dropper: Dropper, state: bytes, geometry: Geometry, spans: int, turns: Sequence[Pad]
) -> list[list[PieceSpan]]:
    """Returns so many pieces that were turned with `turns` and moved at random, a list for each game from `state` on.

    In a game each piece is dropped in several places, drawn at random with a fixed seed. Where pieces drop at once and
    are not seen on the ground they fall by themselves.
    """
    if dropper.hand.kind is DropKind.AT_ONCE:
        games = _games(dropper, state, geometry, spans, turns)
        rows = {int(geometry.row.of(span.frames[span.last : span.last + 1])[0]) for game in games for span in game}
        if len(rows) >= _HEIGHTS:
            return games
    return _games(dropper.slow, state, geometry, spans, turns)


def _games(
    dropper: Dropper, state: bytes, geometry: Geometry, spans: int, turns: Sequence[Pad]
) -> list[list[PieceSpan]]:
    rng = np.random.default_rng(0)
    games: list[list[PieceSpan]] = []
    empty_handed = 0
    while sum(map(len, games)) < spans and empty_handed < _EMPTY_HANDED:
        dropper.lab.load(state)
        waited = dropper.lab.idle(1 + int(rng.integers(_STALE)))
        game = list(_until_over(dropper, waited, geometry, spans - sum(map(len, games)), turns, rng))
        empty_handed = 0 if game else empty_handed + 1
        games.append(game)
    return games


def _until_over(
    dropper: Dropper,
    start: History,
    geometry: Geometry,
    spans: int,
    turns: Sequence[Pad],
    rng: np.random.Generator,
) -> Iterator[PieceSpan]:
    board = geometry.lattice.cells(geometry.rows)
    stack = np.zeros(board.shape, np.bool_)
    here, count = dropper.lab.save(), 0
    if not dropper.obeys(here):
        return
    while count < spans:
        tried: list[tuple[PieceSpan, Filled, Drop]] = []
        for _ in range(_TRIES):
            pads = _random_pads(dropper, board.shape[1], turns, rng)
            try:
                dropped = dropper.drop(here, pads)
                span, after = _span(dropper, dropped, pads, geometry, stack)
            except GoneAstray:
                continue
            tried.append((span, after, dropped))
            count += 1
            yield span
        if not tried:
            return
        _, stack, dropped = min(tried, key=lambda each: _height(each[1]))
        here = dropped.next_state


def _random_pads(dropper: Dropper, columns: int, turns: Sequence[Pad], rng: np.random.Generator) -> list[Pad]:
    pads: list[Pad] = []
    if turns:
        pads += dropper.tapped(turns[int(rng.integers(len(turns)))], int(rng.integers(_TURNS)))
    way = Pad.LEFT if rng.integers(2) else Pad.RIGHT
    return [*pads, *dropper.tapped(way, int(rng.integers(columns // 2 + 2)))]


def _height(stack: Filled) -> int:
    """Returns how bad a board is: its filled rows and the empty cells under others."""
    covered = np.maximum.accumulate(stack, axis=0)
    return 3 * int(covered.any(1).sum()) + int((covered & ~stack).sum()) * 2 + int(covered.sum(0).max(initial=0))


def _span(
    dropper: Dropper, dropped: Drop, pads: Sequence[Pad], geometry: Geometry, stack: Filled
) -> tuple[PieceSpan, Filled]:
    """Returns a piece, and the board after it. Raises GoneAstray if no piece can have filled what was filled."""
    frames = dropped.frames
    filled = geometry.filled(frames)
    at_once = dropper.hand.kind is DropKind.AT_ONCE  # then it is on the ground in the frame in which its row jumps
    last = dropped.gone if at_once else dropped.gone - 1
    if geometry.drawn:
        new = filled[last] & ~stack
        after = _without_full_rows(stack | new)
        if (after & ~filled[-1]).any() or not 0 < (filled[-1] & ~after).sum() <= MOST_CELLS:
            raise GoneAstray
        cells = new if (new.any() and not (stack & ~filled[last]).any()) else None
    else:
        after = filled[-1]
        gains, losses = (filled & ~stack).any((1, 2)), (~filled & stack).any((1, 2))
        at = int(gains.argmax()) if gains.any() else len(filled)
        lost = int(losses.argmax()) if losses.any() else len(filled)
        last = last if at_once else min(last, at - 1)
        cells = filled[lost - 1] & ~stack if at < lost else None
    places = None if cells is None else tuple((int(row), int(column)) for row, column in np.argwhere(cells))
    if places is not None and not 0 < len(places) <= MOST_CELLS:
        places = None
    held = (*pads, *[Pad.DOWN] * (len(frames) - len(pads)))
    return PieceSpan(frames, held, max(last, 0), places, stack), after


def _without_full_rows(board: Filled) -> Filled:
    kept = board[~board.all(1)]
    return np.concatenate([np.zeros((len(board) - len(kept), board.shape[1]), np.bool_), kept])
