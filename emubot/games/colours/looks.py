"""How pairs and matching games look; knows no rule."""

from __future__ import annotations

from typing import Final

from emubot.looks import BLUE, GREEN, GREY, ORANGE, RED, VIOLET, YELLOW, Count, Kind, Looks

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
        Kind("wall", _SLATE, "bright_black", "#", on_light=_SLATE_ON_LIGHT),
        Kind("clearing item", _WHITE, "bright_cyan", "@", "dot", _WHITE_ON_LIGHT),
        Kind("painting item", _WHITE, "cyan", "&", "ring", _WHITE_ON_LIGHT),
        Kind("popping", _WHITE, "bright_white", "*", "ring", _WHITE_ON_LIGHT),
    ),
    piece="pair",
    figures=("score", "level"),
    count=Count("chain", "chain", longest=True),
    is_round=True,
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
        Kind("wall", GREY, "white", "#"),
        Kind("vanishing", _SLATE, "bright_white", "*", on_light=_SLATE_ON_LIGHT),
        Kind(),
        Kind(),
        Kind("red target", "#b33e39", "red", "R", "cross", "#9c3f3b", texture=True),
        Kind("yellow target", "#97780f", "yellow", "Y", "corner", "#785d04", texture=True),
        Kind("blue target", "#3667ad", "blue", "B", "wave", texture=True),
        Kind("green target", "#2e743d", "green", "G", "dot", texture=True),
        Kind("purple target", "#7b55ad", "magenta", "P", "bar", "#6d4f94", texture=True),
        Kind("orange target", "#9a5f2d", "cyan", "O", "ring", "#8e5320", texture=True),
        Kind("unknown", GREY, "cyan", "?", texture=True),
    ),
    figures=("score", "targets", "stage"),
    count=Count("chain", "chain", longest=True),
    level="stage",
    vanishing=(8,),
)
