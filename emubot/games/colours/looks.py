"""How pairs and matching games look; knows no rule."""

from __future__ import annotations

from typing import Final

from emubot.looks import BLUE, GREEN, GREY, ORANGE, RED, VIOLET, YELLOW, Count, Kind, Looks

_WHITE, _WHITE_ON_LIGHT = "#e9edf5", "#fbfbfd"

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
        Kind("wall", "#5a6579", "bright_black", "#", on_light="#b9c2d3"),
        Kind("clearing item", _WHITE, "bright_cyan", "@", "dot", _WHITE_ON_LIGHT),
        Kind("painting item", _WHITE, "cyan", "&", "ring", _WHITE_ON_LIGHT),
        Kind("popping", _WHITE, "bright_white", "*", "ring", _WHITE_ON_LIGHT),
    ),
    piece="pair",
    figures=("score", "level"),
    count=Count("chain", "chain", longest=True),
    is_round=True,
    falls_apart=True,
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
        Kind("vanishing", "#5a6579", "bright_white", "*", on_light="#b9c2d3"),
        Kind(),
        Kind(),
        Kind("red target", "#9c3f3b", "red", "R", "cross", texture=True),
        Kind("yellow target", "#97780f", "yellow", "Y", "corner", texture=True),
        Kind("blue target", "#3a639c", "blue", "B", "wave", texture=True),
        Kind("green target", "#336f40", "green", "G", "dot", texture=True),
        Kind("purple target", "#6d4f94", "magenta", "P", "bar", texture=True),
        Kind("orange target", "#9a5f2d", "cyan", "O", "ring", texture=True),
        Kind("unknown", GREY, "cyan", "?", texture=True),
    ),
    figures=("score", "targets", "stage"),
    count=Count("chain", "chain", longest=True),
    level="stage",
)
