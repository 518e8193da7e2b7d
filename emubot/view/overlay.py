"""The marks over an emulator's own picture: plan, next placement, a line of figures; knows no emulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from emubot.bridges.protocol import Mark
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.appearance import Appearance

# Left, top of the visible playfield and width, height of a cell, in pixels of the console's full picture.
Screen = tuple[int, int, int, int]

PLANNED: Final = 0xFFFFFF
NEXT: Final = 0x909090
FIGURES_AT: Final = (116, 9)  # beside the first text that games show; emulators cut 8 lines at the top and bottom


def marks(
    look: Appearance,
    snapshot: Snapshot,
    screen: Screen | None,
    chosen: Placement | None,
    preview: Piece | None,
    figures: str,
) -> list[Mark]:
    """Returns an outline around each cell of the planned placement and of the next one, and the figures as a line.

    `screen` is None if the map has no position of the playfield; then only the text is returned.
    """
    found = [Mark(*FIGURES_AT, 0, 0, PLANNED, figures)] if figures else []
    if screen is None or chosen is None or snapshot.phase is not Phase.PLAYING:
        return found
    if preview is not None:
        found += _framed(screen, look.next_cells(snapshot, preview), NEXT)
    planned = Piece(chosen.orientation, chosen.column, chosen.row)
    return found + _framed(screen, look.cells(snapshot, planned), PLANNED)


def _framed(screen: Screen, cells: Sequence[Cell], rgb: int) -> list[Mark]:
    left, top, width, height = screen
    return [
        Mark(left + cell.column * width, top + cell.row * height, width, height, rgb) for cell in cells if cell.row >= 0
    ]
