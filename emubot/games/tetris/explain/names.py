"""Pieces and placements in words for people; knows no search and no value."""

from __future__ import annotations

from typing import Final

from emubot.games.tetris.rules import DX, DY, PIECE_NAMES, PIECE_OF, ROWS

# By orientation id: where the bump of a T points, the long end of J and L; O has no name of its own.
_TURNS: Final = (
    *("up", "right", "down", "left"),
    *("left", "up", "right", "down"),
    *("horizontal", "vertical"),
    "",
    *("horizontal", "vertical"),
    *("right", "down", "left", "up"),
    *("vertical", "horizontal"),
)


def piece_name(orientation: int) -> str:
    """Returns the letter of an orientation's piece."""
    return PIECE_NAMES[PIECE_OF[orientation]]


def placement_name(orientation: int, column: int, row: int) -> str:
    """Returns a placement in words: columns count from the left, rows from the floor, both from 1."""
    left, right = column + int(DX[orientation].min()) + 1, column + int(DX[orientation].max()) + 1
    high, low = ROWS - row - int(DY[orientation].min()), ROWS - row - int(DY[orientation].max())
    turned = f"{piece_name(orientation)} {_TURNS[orientation]}".rstrip()
    return f"{turned}, {_range('column', left, right)}, {_range('row', low, high)}"


def _range(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what}s {first}-{last}"
