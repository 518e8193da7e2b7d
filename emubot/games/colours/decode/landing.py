"""Where a piece of kinds locked, by the fields before and after: its cells may have fallen on; knows no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.edition import LockJudge
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot

Look = Callable[[Snapshot, Piece], Sequence[Cell]]

_ORIENTATIONS: Final = 4  # at most, of pairs and of columns of three
_LIFTED: Final = 2  # rows that a turn may lift a pivot
_ASIDE: Final = 2  # columns that a turn and a step may move it in one frame


class FieldJudge(LockJudge):
    """Says where pieces locked, by fields if these show it, else by the map's phases.

    A frame of phase locked need not show the cells yet. Nothing else tells of a lock in frames of play.
    """

    def __init__(self, look: Look) -> None:
        """`look` returns the cells, with their kinds, of the piece of a frame at a place."""
        self._look = look

    def place(self, before: Snapshot, after: Snapshot, meant: Placement | None) -> Piece | None:
        """Returns where the piece of `before` locked; `meant` is tried first, then the places near its last one.

        In the field of `after` its cells are where it locked, or lower in the same columns, and nothing else is new.
        """
        last = before.current
        if last is None:
            return None
        if (change := _change(before, after)) is not None:
            for place in _places(last, meant):
                if _is_below(last, place) and change.explained_by(self._look(before, place)):
                    return place
        if after.phase is not Phase.LOCKED:
            return None
        there = after.current
        near = there is not None and abs(there.column - last.column) <= _ASIDE and _is_below(last, there)
        return there if near else last

    def is_free(self, snapshot: Snapshot) -> bool:
        """Returns whether no cell of the piece in the air is filled."""
        piece, field = snapshot.current, snapshot.playfield
        cells = () if piece is None else self._look(snapshot, piece)
        rows, columns = field.shape
        inside = [cell for cell in cells if 0 <= cell.row < rows and 0 <= cell.column < columns]
        return not any(field[cell.row, cell.column] for cell in inside)

    def is_same(self, before: Piece, now: Piece) -> bool:
        """Returns whether the pivot moved no further than by a turn and a step; the kinds are not looked at."""
        return abs(now.column - before.column) <= _ASIDE


class _Change(NamedTuple):
    """The stored field before a lock, hidden rows on top, and the cells that are filled since: (column, row, kind)."""

    field: NDArray[Any]
    hidden: int
    gained: list[tuple[int, int, int]]

    def explained_by(self, cells: Sequence[Cell]) -> bool:
        """Returns whether a piece that rests with these cells fills those that are filled."""
        field, left = self.field, [*self.gained]
        rows, columns = field.shape
        rests = False
        for cell in sorted(cells, key=lambda cell: -cell.row):
            row = cell.row + self.hidden
            if not 0 <= cell.column < columns or row >= rows or (row >= 0 and field[row, cell.column]):
                return False
            rests |= row + 1 == rows or (row >= -1 and bool(field[row + 1, cell.column]))
            own = [one for one in left if one[0] == cell.column and one[2] == cell.kind and one[1] >= row]
            if own:
                left.remove(max(own, key=lambda one: one[1]))
            elif row >= 0:
                return False
        return rests and not left


def _change(before: Snapshot, after: Snapshot) -> _Change | None:
    """Returns what was filled between two fields; None if nothing was, or if something vanished."""
    if after.playfield is before.playfield and after.hidden is before.hidden:
        return None
    if after.playfield.shape != before.playfield.shape or after.hidden.shape != before.hidden.shape:
        return None
    old, new = (np.concatenate((one.hidden[::-1], one.playfield)) for one in (before, after))
    places = np.argwhere(old != new)
    if not len(places) or old[old != new].any():
        return None
    gained = [(int(column), int(row), int(new[row, column])) for row, column in places]
    return _Change(old, len(before.hidden), gained)


def _places(last: Piece, meant: Placement | None) -> Iterator[Piece]:
    """Yields the places to try."""
    if meant is not None:
        yield Piece(meant.orientation, meant.column, meant.row)
    turned = [last.orientation, *(number for number in range(_ORIENTATIONS) if number != last.orientation)]
    for orientation in turned:
        for column in sorted(range(last.column - 16, last.column + 17), key=lambda column: abs(column - last.column)):
            yield from (Piece(orientation, column, row) for row in range(last.row + 32, last.row - _LIFTED - 1, -1))


def _is_below(last: Piece, place: Piece) -> bool:
    """Returns whether a piece can have come from its last place to this one; a turn may lift its pivot."""
    return place.row >= last.row - (0 if place.orientation == last.orientation else _LIFTED)
