"""How pairs and matching games look, and which of their cells look like one body; knows no rule."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.looks import BLUE, GREEN, GREY, ORANGE, RED, VIOLET, YELLOW, Count, Kind, Looks
from emubot.snapshot import JOINED_DOWN, JOINED_LEFT, JOINED_RIGHT, JOINED_UP

_COLORS: Final = 6  # kinds 1 to 6 are colours
_BY_LINK: Final = np.array([0, JOINED_LEFT, JOINED_RIGHT, JOINED_UP, JOINED_DOWN], dtype=np.uint8)

_WHITE, _WHITE_ON_LIGHT = "#e9edf5", "#178a94"
_SLATE, _SLATE_ON_LIGHT = "#5a6579", "#566078"

PAIRS: Final = Looks(
    (
        Kind(),
        Kind("red", RED, "bright_red", "R", "dot"),
        Kind("green", GREEN, "bright_green", "G", "cross"),
        Kind("blue", BLUE, "bright_blue", "B", "bar"),
        Kind("yellow", YELLOW, "bright_yellow", "Y", "ring"),
        Kind("purple", VIOLET, "bright_magenta", "P", "corner"),
        Kind("orange", ORANGE, "yellow", "O", "wave"),
        Kind("nuisance", GREY, "white", "N"),
        Kind("wall", _SLATE, "bright_black", "#", on_light=_SLATE_ON_LIGHT, shape="block"),
        Kind("clearing item", _WHITE, "bright_cyan", "@", "dot", _WHITE_ON_LIGHT),
        Kind("painting item", _WHITE, "cyan", "&", "ring", _WHITE_ON_LIGHT),
        Kind("popping", _WHITE, "bright_white", "*", "ring", _WHITE_ON_LIGHT),
    ),
    piece="pair",
    figures=("score", "level"),
    count=Count("chain", "chain", longest=True),
    is_round=True,
    bridge=0.62,
    falls_apart=True,
    vanishing=(8, 11),  # a map without a code of its own for them writes walls
)
MATCHING: Final = Looks(
    (
        Kind(),
        Kind("red", RED, "bright_red", "r", "dot"),
        Kind("yellow", YELLOW, "bright_yellow", "y", "bar"),
        Kind("blue", BLUE, "bright_blue", "b", "ring"),
        Kind("green", GREEN, "bright_green", "g", "cross"),
        Kind("purple", VIOLET, "bright_magenta", "p", "corner"),
        Kind("orange", ORANGE, "bright_cyan", "o", "wave"),
        Kind("wall", GREY, "white", "#", shape="block"),
        Kind("vanishing", _SLATE, "bright_white", "*", on_light=_SLATE_ON_LIGHT),
        Kind(),
        Kind(),
        Kind("red target", "#b33e39", "red", "R", "cross", "#9c3f3b", texture=True, shape="facet"),
        Kind("yellow target", "#97780f", "yellow", "Y", "corner", "#785d04", texture=True, shape="facet"),
        Kind("blue target", "#3667ad", "blue", "B", "wave", texture=True, shape="facet"),
        Kind("green target", "#2e743d", "green", "G", "dot", texture=True, shape="facet"),
        Kind("purple target", "#7b55ad", "magenta", "P", "bar", "#6d4f94", texture=True, shape="facet"),
        Kind("orange target", "#9a5f2d", "cyan", "O", "ring", "#8e5320", texture=True, shape="facet"),
        Kind("unknown", GREY, "cyan", "?", texture=True, shape="facet"),
    ),
    figures=("score", "targets", "stage"),
    is_round=True,
    count=Count("chain", "chain", longest=True),
    level="stage",
    vanishing=(8,),
)


def joined_alike(field: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the sides on which each cell of a field is joined: neighbours of one colour are."""
    joins = np.zeros_like(field)
    colour = np.where(field <= _COLORS, field, 0)
    beside = (colour[:, 1:] == colour[:, :-1]) & (colour[:, 1:] > 0)
    below = (colour[1:] == colour[:-1]) & (colour[1:] > 0)
    joins[:, :-1][beside] |= JOINED_RIGHT
    joins[:, 1:][beside] |= JOINED_LEFT
    joins[:-1][below] |= JOINED_DOWN
    joins[1:][below] |= JOINED_UP
    return joins


def joined_by_links(links: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the sides on which each cell of a field is joined with its other half."""
    joins: NDArray[np.uint8] = _BY_LINK[links]
    return joins
