"""Remembers which piece each cell of a field came from, where a game's cells do not tell; knows no family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.edition import Depiction
from emubot.looks import OWN
from emubot.snapshot import Cell, Phase, Snapshot

_MOST_CLEARED: Final = 5  # rows that can go between two frames
Kinds = NDArray[np.uint8]


class Origins:
    """Looks at every frame of a side, in order. What it cannot follow keeps the kind that the game shows."""

    def __init__(self, look: Depiction) -> None:
        self._look = look
        self._field: Kinds | None = None
        self._own: Kinds = np.zeros((0, 0), dtype=np.uint8)  # of each cell the piece that it came from; 0: not known
        self._air: tuple[int, Sequence[Cell]] = (0, ())

    def see(self, snapshot: Snapshot) -> None:
        """Look at the next frame."""
        field = snapshot.playfield
        if self._field is None or field.shape != self._field.shape:
            self._own = np.zeros_like(field)
        elif field is not self._field and not np.array_equal(field, self._field):
            over = snapshot.phase is Phase.OVER  # a curtain comes down over the cells
            kept = np.where(field == self._field, self._own, 0).astype(np.uint8)
            self._own = kept if over else self._followed(self._field, field)
        self._field = field
        if snapshot.current is not None:
            number = self._look.piece_number(snapshot, snapshot.current.orientation)
            self._air = (0 if number is None else OWN + number, self._look.cells(snapshot, snapshot.current))

    def cells(self) -> bytes:
        """Returns the kinds of the last field; those of its piece where it is known."""
        assert self._field is not None
        return np.where(self._own > 0, self._own, self._field).tobytes()

    def own(self, cells: Sequence[Cell], number: int | None) -> Sequence[Cell]:
        """Returns the cells of a piece with this number in its own kind."""
        return cells if number is None else [replace(cell, kind=OWN + number) for cell in cells]

    def _followed(self, old: Kinds, new: Kinds) -> Kinds:
        """Returns the pieces of the cells of `new`: rows may have gone or come from below, a piece may have locked."""
        merged, own = old.copy(), self._own.copy()
        for cell in self._air[1]:
            if 0 <= cell.row < len(old) and 0 <= cell.column < old.shape[1] and not old[cell.row, cell.column]:
                merged[cell.row, cell.column], own[cell.row, cell.column] = cell.kind, self._air[0]
        if np.array_equal(merged, new):
            return own
        for field, pieces in ((old, self._own), (merged, own)):
            for rows in _cleared(field):
                kept = [row for row in range(len(field)) if row not in rows]
                if np.array_equal(field[kept], new[len(rows) :]):
                    return np.vstack((np.zeros_like(pieces[: len(rows)]), pieces[kept]))
        if (locked := self._locked(old, new)) is not None:
            return locked
        for field, pieces in ((old, self._own), (merged, own)):
            for risen in range(1, len(field)):
                if np.array_equal(field[risen:], new[:-risen]):
                    return np.vstack((pieces[risen:], np.zeros_like(pieces[:risen])))
        return np.zeros_like(own)

    def _locked(self, old: Kinds, new: Kinds) -> Kinds | None:
        """Returns the same where no row has moved: cells of the piece have come, others may have gone. None if not."""
        came, stayed = (old == 0) & (new > 0), (old > 0) & (new > 0)
        piece, cells = self._air
        if (old[stayed] != new[stayed]).any() or came.sum() > len(cells):
            return None
        if not np.isin(new[came], [cell.kind for cell in cells]).all():
            return None
        own: Kinds = np.where(came, piece, np.where(stayed, self._own, 0)).astype(np.uint8)
        return own


def _cleared(field: Kinds) -> Iterator[tuple[int, ...]]:
    """Yields which rows may go at once: those that are full, and those that are empty below others."""
    filled = (field > 0).sum(axis=1)
    top = int((filled > 0).argmax())
    rows = [row for row in range(top, len(field)) if filled[row] in (0, field.shape[1])][:_MOST_CLEARED]
    yield from chain.from_iterable(combinations(rows, count) for count in range(1, len(rows) + 1))
