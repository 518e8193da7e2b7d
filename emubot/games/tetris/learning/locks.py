"""Compares the fields before and after each lock, with a state between two pieces or without; knows no codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from emubot.games.tetris.learning.words import Cell, locked_cells
from emubot.rammap.cells import Words
from emubot.rammap.grid_layout import GridLayout

FAR: Final = 6  # rows from a piece to cells that it cannot touch
LATE: Final = 20  # frames of the next piece in which the field may still come to show the lock
_ABOVE: Final = 8  # rows above the field in which a piece may be
_BESIDE: Final = 4  # columns beside it in which its pivot may be
_REACH: Final = 6  # rows and columns from a piece's pivot to its cells
_ASIDE: Final = 3  # columns that a turn and a step may move a pivot in one frame
_LIFTED, _TURNED = 2, 5  # rows that a piece rises at most, if it keeps its id or gets another one


class Place(NamedTuple):
    """The piece in the air, by the map's values; a number below 0 is none's."""

    number: int
    x: int
    y: int


NOWHERE: Final = Place(-1, 0, 0)


class SeenLock(NamedTuple):
    """The cells (column, row of the field) that a piece left, with the fields before and after."""

    place: Place
    cells: list[Cell]
    before: Words
    after: Words


class LocksSeen:
    """The locks of one player. A piece that locked was last where it was under control last."""

    def __init__(self, grid: GridLayout) -> None:
        self._rows, self._columns, self._hidden = grid.rows, grid.columns, len(grid.hidden)
        self._shown = grid.shows_piece
        self._drawn = self._shown or not all(kind.solid for kind in grid.cell.kinds.values())
        self.rewind()

    def rewind(self) -> None:
        """Forget all fields and pieces."""
        self.settled: list[Words] = []  # what may be the field before the piece in the air, likeliest first
        self._between: list[Words] = []  # the fields since its lock, each once
        self._lock: Place | None = None
        self._rest: Words | None = None  # if the grid shows the piece: the field in its last frame of play
        self._left = 0  # frames in which the field may still show a lock after which no state came

    @property
    def waits(self) -> bool:
        """Whether the field may still come to show the last lock."""
        return self._left > 0

    def is_near(self, place: Place) -> bool:
        """Returns whether a piece can be here; it is parked elsewhere otherwise."""
        beside = not -_BESIDE <= place.x < self._columns + _BESIDE
        return place.number >= 0 and not beside and -self._hidden - _ABOVE <= place.y < self._rows

    def is_over(self, before: Place, now: Place) -> bool:
        """Returns whether the piece of the frame before is none of play any more: another one came, or it is parked."""
        lifted = _LIFTED if now.number == before.number else _TURNED
        return not self.is_near(now) or now.y < before.y - lifted

    def is_elsewhere(self, before: Place, now: Place) -> bool:
        """Returns whether a piece is too far from the place before to be the same: that one was parked."""
        return abs(now.x - before.x) > _ASIDE

    def fell(self, last: Place, flight: Words, shown: Place | None, aside: int = 0) -> None:
        """A piece is not under control any more. `last` and `flight` are its last place and field of play.

        `shown` is the place in the first frame of a state of its own; it counts if the piece can have come there from
        its last place. `aside` is the column, -1, 0 or 1, that this frame's pad may have moved it by as it locked.
        """
        if self._left:  # the lock before was never seen, so no field is known to have its cells
            self.settled = []
        dropped = (
            shown is not None
            and shown.number == last.number
            and shown.x in (last.x, last.x + aside)
            and last.y <= shown.y < self._rows
        )
        self._lock = shown if dropped else last
        if self._shown:  # the piece and its cells of the same frame
            self._lock, self._rest = last, flight

    def between(self, words: Words) -> None:
        """Note the field in a frame between two pieces."""
        if not self._between or (words != self._between[-1]).any():
            self._between.append(words)

    def jumped(self, seen: bool) -> None:
        """The piece that fell last was over in a frame of play. `seen` is false if its last place says nothing."""
        self._left, self._rest, self._between = LATE, None, []
        if not seen:
            self._lock, self.settled = None, []

    def spawned(self, words: Words, mask: int) -> SeenLock | None:
        """A piece is under control after a state between two pieces; returns the last lock if the fields show it."""
        lock, fields, settled, rest = self._lock, self._between, self.settled, self._rest
        self._lock, self._between, self._rest, self._left = None, [], None, 0
        self.settled = fields[-1:] or [words]
        if rest is not None:  # the next piece may be in the last fields already
            self.settled, fields = [*reversed(fields), rest], [rest]
        if lock is None:
            return None
        for field in reversed(fields):  # lines may be cleared in the later ones
            for before in settled:
                if (cells := locked_cells(before, field, mask)) and self._fits(lock, cells):
                    return SeenLock(lock, cells, before, field)
        if rest is None:  # it may be shown later
            self._lock, self._left = lock, LATE
        return None

    def still_waiting(self, words: Words, now: Place, mask: int) -> SeenLock | None:
        """Look for the lock in a frame of play after it: far below a piece that the field shows, else anywhere."""
        self._left -= 1
        drawn = self._drawn and self.is_near(now)
        lock, top = self._lock, max(now.y + self._hidden + FAR, 0) if drawn else 0
        if lock is None or not self.settled:
            self.settled = [words] if not self.settled else self.settled
            return None
        before = self.settled[0]
        cells = [(column, row + top) for column, row in locked_cells(before[top:], words[top:], mask)]
        own = cells and self._fits(lock, cells) and not (self.is_near(now) and self._fits(now, cells))
        found = SeenLock(lock, cells, before, words) if own else None
        if found is not None or not self._left:
            self._lock, self._left = None, 0
        if cells or (not self._left and not (drawn and self._fits(now, _changed(before, words, mask)))):
            self.settled = [words]
        return found

    def _fits(self, place: Place, cells: Sequence[Sequence[int]]) -> bool:
        """Returns whether all cells (column, row) are near a place; if not, they are of another piece."""
        return all(
            abs(column - place.x) <= _REACH and abs(row - self._hidden - place.y) <= _REACH for column, row in cells
        )


def _changed(before: Words, after: Words, mask: int) -> list[Cell]:
    return [(int(column), int(row)) for row, column in np.argwhere((before ^ after) & mask)]
