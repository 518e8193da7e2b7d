"""How a family's pieces look, as views need it; knows no family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from emubot.snapshot import Cell, Piece, Snapshot


class Appearance(Protocol):
    """What draws a piece: what a game offers."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """Returns the cells of the piece in the air if it were there."""

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """Returns the cells of the next piece if it were there; empty if it is not known."""
