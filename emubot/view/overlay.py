"""The marks over an emulator's own picture: plan, next placement, a line of figures."""

from __future__ import annotations

from typing import Final

from emubot.bridges.protocol import Mark
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.appearance import Appearance, next_planned_cells, planned_cells

# Left, top of the visible playfield and width, height of a cell, in pixels of the console's full picture.
Screen = tuple[int, int, int, int]

# Every outline is a light one inside a dark one, so that it shows on any colour.
DARK: Final = 0x000000
PLANNED: Final = 0xFFFFFF
NEXT: Final = 0xFFD59A
_NEXT_INSET: Final = 6  # the next piece's squares are smaller, by this part of a cell on each side
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
    marks = [Mark(*FIGURES_AT, 0, 0, PLANNED, figures)] if figures else []
    if screen is None or chosen is None or snapshot.phase is not Phase.PLAYING:
        return marks
    planned = planned_cells(look, snapshot, chosen)
    following = next_planned_cells(look, snapshot, planned, preview)
    squares = [(_square(screen, cell), PLANNED) for cell in planned if cell.row >= 0]
    squares += [(_square(screen, cell, screen[2] // _NEXT_INSET), NEXT) for cell in following if cell.row >= 0]
    marks += [Mark(*square, DARK) for square, _ in squares]
    return marks + [Mark(x + 1, y + 1, width - 2, height - 2, rgb) for (x, y, width, height), rgb in squares]


def _square(screen: Screen, cell: Cell, inset: int = 0) -> tuple[int, int, int, int]:
    """Returns a cell's left, top, width and height on the picture, all smaller by `inset` pixels on each side."""
    left, top, width, height = screen
    x, y = left + cell.column * width, top + cell.row * height
    return x + inset, y + inset, width - 2 * inset, height - 2 * inset
