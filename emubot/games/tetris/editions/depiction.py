"""The cells of pieces to draw, where they are those of rules.py; knows no view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.games.edition import Depiction
from emubot.games.tetris.rules import DX, DY, PIECE_OF
from emubot.snapshot import Cell, Piece, Snapshot

_LOOK: Final = (1, 3, 2, 1, 3, 2, 1)  # the kind of cell that T J Z O S L I leave


class StandardDepiction(Depiction):
    """The pieces of rules.py."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        orientation = piece.orientation
        kind = _LOOK[PIECE_OF[orientation]]
        offsets = zip(DX[orientation].tolist(), DY[orientation].tolist(), strict=True)
        return [Cell(piece.column + dx, piece.row + dy, kind) for dx, dy in offsets]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        return self.cells(snapshot, there or Piece(snapshot.next[0], 0, 0)) if snapshot.next else ()
