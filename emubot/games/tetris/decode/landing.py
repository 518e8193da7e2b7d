"""Where a falling block came to rest, by the boards before and after its lock; knows no memory and no timing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.edition import LockJudge
from emubot.games.tetris.rules import CLOCKWISE, COUNTERCLOCKWISE, DX, DY, ORIENTATIONS
from emubot.snapshot import Piece, Placement, Snapshot

_ASIDE: Final = 3  # columns that a turn and a step may move a pivot in one frame
_LIFTED: Final = 3  # rows that a turn may lift it
_Words = list[int]  # a board: a word for each row, the highest first, bit c = column c


class Outline(NamedTuple):
    """One orientation: its cells (dx, dy) from the pivot, dy downwards, and the orientations that it turns into."""

    cells: Sequence[tuple[int, int]]
    turns: Sequence[int]


Outlines = Mapping[int, Outline]

USUAL: Final[Outlines] = {
    number: Outline(
        tuple(zip(DX[number].tolist(), DY[number].tolist(), strict=True)),
        (int(CLOCKWISE[number]), int(COUNTERCLOCKWISE[number])),
    )
    for number in range(ORIENTATIONS)
}


class BoardJudge(LockJudge):
    """Says where pieces of these outlines locked."""

    def __init__(self, outlines: Outlines) -> None:
        self._outlines = outlines

    def place(self, before: Snapshot, after: Snapshot, meant: Placement | None) -> Piece | None:
        """Returns where the piece of `before` came to rest; None while the board of `after` shows no place for it.

        The board of `after` is that of `before` and the piece's cells, at rest on the floor or on other cells. Full
        rows are gone, or not yet, or they show something on their way out. Cells above the visible rows are not looked
        at; a piece that has come to where it was meant to rest, all of it above them, locks unseen. `meant` is tried
        first, then the orientation and column of `before`, then the others. A piece does not rise to its lock: a board
        that says so is not the one that the map's piece moves on.
        """
        piece, old, new, outlines = before.current, before.playfield, after.playfield, self._outlines
        if piece is None or piece.orientation not in outlines or new is old or new.shape != old.shape:
            return None
        change = _Change(_words(old), _words(new), old.shape[1], bool(before.hidden.any()))
        if change.before == change.after:
            return piece if self._is_out_of_sight(piece, meant) else None
        if meant is not None and meant.orientation in outlines:
            place = Piece(meant.orientation, meant.column, meant.row)
            if _is_below(piece, place) and change.explained_by(place, outlines[place.orientation].cells):
                return place
        for orientation in _turned(outlines, piece.orientation):
            cells = outlines[orientation].cells
            for column, row in change.pivots(piece.column, cells):
                place = Piece(orientation, column, row)
                if _is_below(piece, place) and change.explained_by(place, cells):
                    return place
        return None

    def _is_out_of_sight(self, piece: Piece, meant: Placement | None) -> bool:
        """Returns whether a piece is where it was meant to lock, above the visible rows."""
        if meant is None or (meant.orientation, meant.column, meant.row) != (
            piece.orientation,
            piece.column,
            piece.row,
        ):
            return False
        return all(piece.row + dy < 0 for _, dy in self._outlines[piece.orientation].cells)

    def is_free(self, snapshot: Snapshot) -> bool:
        """Returns whether no cell of the piece is filled."""
        piece, field = snapshot.current, snapshot.playfield
        outline = None if piece is None else self._outlines.get(piece.orientation)
        if piece is None or outline is None:
            return True
        rows, columns = field.shape
        places = ((piece.row + dy, piece.column + dx) for dx, dy in outline.cells)
        return not any(0 <= row < rows and 0 <= column < columns and field[row, column] for row, column in places)

    def is_settled(self, snapshot: Snapshot) -> bool:
        """Returns whether no row is full."""
        return not (snapshot.playfield != 0).all(axis=1).any()

    def is_same(self, before: Piece, now: Piece) -> bool:
        """Returns whether one turn and one step aside, or a kick, make the one of the other."""
        if abs(now.column - before.column) > _ASIDE:
            return False
        outline = self._outlines.get(before.orientation)
        return outline is None or now.orientation in (before.orientation, *outline.turns)


class _Change(NamedTuple):
    """Two boards. `has_sky` says whether hidden rows hold cells, which may come down as rows vanish."""

    before: _Words
    after: _Words
    columns: int
    has_sky: bool

    def explained_by(self, place: Piece, cells: Sequence[tuple[int, int]]) -> bool:
        """Returns whether a piece that locks there makes the one board from the other."""
        joined = self._joined(place, cells)
        if joined is None:
            return False
        full = (1 << self.columns) - 1
        if all(word in (now, full) for word, now in zip(joined, self.after, strict=True)):
            return True
        rows = [row for row, word in enumerate(joined) if word == full]
        gone = chain.from_iterable(combinations(rows, count) for count in range(len(rows), 0, -1))
        return any(self._is_without(joined, vanished) for vanished in gone)

    def pivots(self, column: int, cells: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yields the columns and rows of the pivot that may explain the change, near `column` first."""
        rows = len(self.before)
        gained = [(row, word & ~self.before[row]) for row, word in enumerate(self.after)]
        if not any(
            word & ~self.after[row] for row, word in enumerate(self.before)
        ):  # no row is gone: it is one of these
            row, word = next((row, word) for row, word in gained if word)
            first = (word & -word).bit_length() - 1
            yield from sorted(((first - dx, row - dy) for dx, dy in cells), key=lambda at: abs(at[0] - column))
            return
        for x in sorted(range(-self.columns, 2 * self.columns), key=lambda x: abs(x - column)):
            if all(0 <= x + dx < self.columns for dx, _ in cells):
                yield from ((x, y) for y in range(rows + 4, -5, -1))

    def _joined(self, place: Piece, cells: Sequence[tuple[int, int]]) -> _Words | None:
        """Returns the board with the piece's cells; None if they do not fit, do not rest, or cannot be seen."""
        joined, rows = [*self.before], len(self.before)
        rests = seen = False
        for dx, dy in cells:
            column, row = place.column + dx, place.row + dy
            if not 0 <= column < self.columns or row >= rows:
                return None
            if row >= 0:
                if self.before[row] >> column & 1:
                    return None
                joined[row] |= 1 << column
                seen = True
            rests |= row + 1 == rows or (row >= -1 and bool(self.before[row + 1] >> column & 1))
        return joined if rests and seen else None

    def _is_without(self, joined: _Words, vanished: Sequence[int]) -> bool:
        """Returns whether the board after is the joined one when these full rows have vanished."""
        count, full = len(vanished), (1 << self.columns) - 1
        kept = [word for row, word in enumerate(joined) if row not in vanished]
        if not self.has_sky and any(self.after[:count]):
            return False
        return all(word in (now, full) for word, now in zip(kept, self.after[count:], strict=True))


def _is_below(last: Piece, place: Piece) -> bool:
    """Returns whether a piece can have come from its last place to this one; a turn may lift its pivot."""
    return place.row >= last.row - (0 if place.orientation == last.orientation else _LIFTED)


def _words(playfield: NDArray[Any]) -> _Words:
    words: _Words = ((playfield != 0) @ (1 << np.arange(playfield.shape[1], dtype=np.int64))).tolist()
    return words


def _turned(outlines: Outlines, orientation: int) -> list[int]:
    """Returns the orientations of the same piece: this one, then those that are the fewest turns away."""
    order = [orientation]
    for seen in order:  # the list grows in the loop
        order += [turned for turned in dict.fromkeys(outlines[seen].turns) if turned not in order]
    return order
