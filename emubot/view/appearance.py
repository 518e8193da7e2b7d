"""How a family's pieces look, as views need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from emubot.snapshot import Cell, Piece, Placement, Snapshot


class Appearance(Protocol):
    """What draws a piece: what a game offers."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> Sequence[Cell]:
        """Returns the cells of the piece in the air if it were there."""

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> Sequence[Cell]:
        """Returns the cells of the next piece if it were there; empty if it is not known."""


def planned_cells(look: Appearance, snapshot: Snapshot, chosen: Placement) -> Sequence[Cell]:
    """Returns the cells of the piece in the air where it is planned to lock."""
    return look.cells(snapshot, Piece(chosen.orientation, chosen.column, chosen.row))


def next_planned_cells(
    look: Appearance, snapshot: Snapshot, planned: Sequence[Cell], preview: Piece | None
) -> Sequence[Cell]:
    """Returns the cells of the next piece where it is planned to lock; empty if they are not free yet.

    The place is one on the field after the `planned` cells and all that they clear, and the field of now is drawn.
    """
    cells = look.next_cells(snapshot, preview) if preview is not None else ()
    taken = {(cell.column, cell.row) for cell in planned}
    taken |= {(int(column), int(row)) for row, column in zip(*snapshot.playfield.nonzero(), strict=True)}
    return () if any((cell.column, cell.row) in taken for cell in cells) else cells
