"""Colours and letters of cells by family and kind; the page has the same colours in looks.js and style.css."""

from __future__ import annotations

from typing import Final

_BLOCKS: Final = ("", "#5b95e6", "#e8944a", "#a77be0", "#566078", "#8b93a3", "")
_PAIRS: Final = ("", "#e8615c", "#4fae62", "#5b95e6", "#e3b520", "#a77be0", "#e8944a", "#8b93a3", "#b9c2d3")
_CELLS: Final = ("#e8615c", "#e3b520", "#5b95e6", "#4fae62", "#a77be0", "#e8944a")
_TARGETS: Final = ("#9c3f3b", "#97780f", "#3a639c", "#336f40", "#6d4f94", "#9a5f2d")
_MATCHING: Final = ("", *_CELLS, "#8b93a3", "#b9c2d3", "", "", *_TARGETS)
_PALETTES: Final = {"tetris": _BLOCKS, "matching": _MATCHING}

# The same hues as names of a terminal's own 16 colours, which every terminal that has colours can show.
_BRIGHT: Final = ("bright_red", "bright_yellow", "bright_blue", "bright_green", "bright_magenta", "bright_cyan")
_DARK: Final = ("red", "yellow", "blue", "green", "magenta", "cyan")
_TERMINAL: Final = {
    "tetris": ("", "bright_blue", "yellow", "bright_magenta", "bright_black", "white"),
    "matching": ("", *_BRIGHT, "white", "bright_white", "white", "white", *_DARK),
    "puyo": (
        *("", "bright_red", "bright_green", "bright_blue", "bright_yellow", "bright_magenta", "yellow"),
        *("white", "bright_black", "bright_cyan", "cyan", "bright_white"),
    ),
}
_ANY_FAMILY: Final = ("", *_BRIGHT, "white", *_DARK, "bright_black")
# A letter or sign for each kind, for terminals without colours. Those of pairs are the ones of `emubot explain`.
# Targets are capital letters, the cells of their colours small ones.
_MARKS: Final = {
    "tetris": " #OX-+*",
    "matching": " rybgpo#*  RYBGPO?",
    "puyo": " RGBYPON#@&*",
}
_ANY_MARKS: Final = " 123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ?"


def colour_of(family: str, kind: int) -> str:
    """Returns the colour of a cell as #rrggbb; empty for one that is not drawn."""
    colours = _PALETTES.get(family, _PAIRS)
    return colours[min(kind, len(colours) - 1)]


def terminal_colour_of(family: str, kind: int) -> str:
    """Returns the name of the terminal's colour for a cell; `family` may be "" for kinds that no family numbers."""
    colours = _TERMINAL.get(family, _ANY_FAMILY)
    return colours[min(kind, len(colours) - 1)]


def mark_of(family: str, kind: int) -> str:
    """Returns the ASCII character for a cell where there are no colours."""
    marks = _MARKS.get(family, _ANY_MARKS)
    return marks[min(kind, len(marks) - 1)]


def is_round(family: str) -> bool:
    """Returns whether a family's cells are drawn as disks, not as squares."""
    return family not in _PALETTES
