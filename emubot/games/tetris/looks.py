"""How falling blocks look; knows no rule."""

from __future__ import annotations

from typing import Final

from emubot.looks import BLUE, CYAN, GREEN, GREY, ORANGE, RED, VIOLET, YELLOW, Kind, Looks

LOOKS: Final = Looks(
    (
        Kind(),
        Kind("blue block", BLUE, "bright_blue", "#", "dot"),  # of T, O and I
        Kind("orange block", ORANGE, "yellow", "O", "bar"),  # of Z and L
        Kind("violet block", VIOLET, "bright_magenta", "X", "ring"),  # of J and S
        Kind("curtain", "#566078", "bright_black", "-", on_light="#3c4454"),
        Kind("garbage", GREY, "white", "+"),
        Kind("hole", terminal="white", mark="*"),
    ),
    clears_rows=True,
    pieces=(
        Kind("T", GREEN, sign="dot", plain=1),
        Kind("J", ORANGE, sign="ring", plain=3),
        Kind("Z", VIOLET, sign="bar", plain=2),
        Kind("O", BLUE, plain=1),
        Kind("S", YELLOW, sign="cross", plain=3),
        Kind("L", CYAN, sign="corner", plain=2),
        Kind("I", RED, sign="wave", plain=1),
    ),
)
