"""Which maps are played by their own board and pieces, and what such a map needs; decodes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from emubot.games.findings import Finding, refuse
from emubot.games.tetris.anyboard.clocking import is_fine
from emubot.games.tetris.anyboard.pieces import Pieces, is_tetromino, odd_pieces
from emubot.games.tetris.decode.map_checks import odd_profiles, odd_values, odd_words, refused
from emubot.games.tetris.decode.value_names import HELD, PREVIEWS
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, ROWS
from emubot.rammap import RamMap

COLUMN_RANGE: Final = (4, 16)
ROW_RANGE: Final = (6, 30)


def has_own_board(ram_map: RamMap) -> bool:
    """Returns whether a map's board or pieces are not those of rules.py, or its clock or previews more than usual.

    A release's map never has its own.
    """
    grid = ram_map.document.grid
    if ram_map.timing.get("profile") is not None:
        return False
    usual = (grid.rows, grid.columns) == (ROWS, COLUMNS) and len(grid.hidden) <= HIDDEN_ROWS
    document = ram_map.document
    if is_fine(ram_map.timing) or document.kicks or document.buttons.hold or PREVIEWS[1] in document.values:
        return True
    return not usual or not all(is_tetromino(one.cells) for one in ram_map.pieces)


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot play by a map with its own board or pieces."""
    yield from odd_profiles(ram_map)
    yield from odd_values(ram_map, None)
    grid = ram_map.document.grid
    (fewest, widest), (lowest, highest) = COLUMN_RANGE, ROW_RANGE
    if not (fewest <= grid.columns <= widest and lowest <= grid.rows <= highest):
        yield refused(
            ram_map,
            ("grid",),
            f"has {grid.rows} rows, {grid.columns} columns and {len(grid.hidden)} hidden rows",
            f"falling blocks have {ROWS}, {COLUMNS} and any number, or {lowest} to {highest} rows and {fewest} to "
            f"{widest} columns",
        )
    if ram_map.buttons.hold and HELD not in ram_map.document.values:
        what = f"has a hold button and lacks the value {HELD}"
        yield refused(ram_map, ("buttons", "hold"), what, "add it, or leave the button out")
    yield from odd_pieces(ram_map)
    yield from odd_words(ram_map)


def checked_pieces(ram_map: RamMap) -> Pieces:
    """Returns the map's pieces. Raises MapError if the family cannot play by this map."""
    refuse(findings(ram_map))
    return Pieces(ram_map)
