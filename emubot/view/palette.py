"""Colours of cells by family and kind, for pictures; the page has the same ones in looks.js and style.css."""

from __future__ import annotations

from typing import Final

_BLOCKS: Final = ("", "#5b95e6", "#e8944a", "#a77be0", "#566078", "#8b93a3", "")
_PAIRS: Final = ("", "#e8615c", "#4fae62", "#5b95e6", "#e3b520", "#a77be0", "#e8944a", "#8b93a3", "#b9c2d3")
_CELLS: Final = ("#e8615c", "#e3b520", "#5b95e6", "#4fae62", "#a77be0", "#e8944a")
_TARGETS: Final = ("#9c3f3b", "#97780f", "#3a639c", "#336f40", "#6d4f94", "#9a5f2d")
_MATCHING: Final = ("", *_CELLS, "#8b93a3", "#b9c2d3", "", "", *_TARGETS)
_PALETTES: Final = {"tetris": _BLOCKS, "matching": _MATCHING}


def colour_of(family: str, kind: int) -> str:
    """Returns the colour of a cell as #rrggbb; empty for one that is not drawn."""
    colours = _PALETTES.get(family, _PAIRS)
    return colours[min(kind, len(colours) - 1)]


def is_round(family: str) -> bool:
    """Returns whether a family's cells are drawn as disks, not as squares."""
    return family not in _PALETTES
