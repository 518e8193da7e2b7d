"""The colours of the page: every kind of cell can be told from the field, in both themes."""

from __future__ import annotations

import colorsys
import re
from importlib.resources import files

import pytest

from emubot.arena.catalogue import families
from emubot.looks import NUMBERED, Kind

LEAST = 3.0  # to one: what WCAG 2.2 asks of graphics (1.4.11)
LOOKS = {**{name: game.looks for name, game in families().items()}, "numbered": NUMBERED}


def _light_of(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as WCAG counts it."""
    low, high = sorted((_light_of(one), _light_of(other)))
    return (high + 0.05) / (low + 0.05)


def fields() -> dict[str, str]:
    """The field's colour in each theme, from the page's style."""
    style = files("emubot.arena").joinpath("web/style.css").read_text(encoding="utf-8")
    found = re.findall(r"--cell-field: (#[0-9a-f]{6}).*?--cell-scheme: (light|dark)", style, re.DOTALL)
    return {scheme: colour for colour, scheme in found}


def test_the_style_has_a_field_in_both_themes() -> None:
    assert set(fields()) == {"light", "dark"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("family", LOOKS)
def test_every_kind_can_be_seen(family: str, scheme: str) -> None:
    field = fields()[scheme]
    pale = {
        kind.name: round(contrast(colour, field), 2)
        for kind in (*LOOKS[family].kinds, *LOOKS[family].pieces)
        if (colour := _colour(kind, scheme)) and contrast(colour, field) < LEAST
    }
    assert not pale


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_seven_colours_of_pieces_are_seven_hues(scheme: str) -> None:
    hues = sorted(_hue(_colour(kind, scheme)) for kind in LOOKS["tetris"].pieces)
    apart = [(after - hue) % 1 for hue, after in zip(hues, [*hues[1:], hues[0]], strict=True)]
    assert len(hues) == 7
    assert min(apart) > 1 / 24, "fifteen degrees of a circle"
    assert len({kind.sign for kind in LOOKS["tetris"].pieces}) == 7


def _hue(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return colorsys.rgb_to_hsv(red, green, blue)[0]


def _colour(kind: Kind, scheme: str) -> str:
    return (kind.on_light if scheme == "light" else "") or kind.colour
