"""What the family cannot play in a map, a sentence each; knows no frame and no search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from emubot.errors import EmubotError
from emubot.games.findings import Finding, KeyPath, refuse
from emubot.games.puyo.decode.codes import COLOR_NAMES, PieceCodes
from emubot.games.puyo.map_rules import rules_of_map, size_of
from emubot.games.puyo.rules import ORIENTATIONS, PROFILES, rules_of
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place

# The values that every map of the family must have for every player; those of the place may be of its cells instead.
HALF_VALUES: Final = ("current_bottom", "current_top", "next_bottom", "next_top")
PLACE_VALUES: Final = ("x", "y", "orientation")
_LEAST_COLORS: Final = 3
_WHERE: Final = ("above", "right of", "below", "left of")
_HALVES: Final = 2


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields what the family cannot read or play. Values that the map marks `learn` may stay open."""
    try:
        rules = rules_of_map(ram_map)
    except EmubotError as wrong:
        yield Finding(_key_of_rules(ram_map), str(wrong))
        return
    cells = names_of_place(ram_map)
    for player in range(ram_map.players):
        reader = ram_map.reader(player)
        missing = [name for name in (*(cells or PLACE_VALUES), *HALF_VALUES) if name not in reader.scalars]
        if missing:
            whose = f" for player {player + 1}" if ram_map.players > 1 else ""
            text = f"The map {ram_map.name} lacks {', '.join(missing)}{whose}: a pairs game needs these values."
            yield Finding(("values",), text)
    if cells and len(cells) != 2 * _HALVES:
        text = f"The place in the map {ram_map.name} has {len(cells) // 2} cells: give two, the bottom half's first."
        yield Finding(("place", "cells"), text)
    unnamed = [name for name in COLOR_NAMES[:_LEAST_COLORS] if name not in ram_map.document.grid.cell.kinds]
    if unnamed:
        text = f"The map {ram_map.name} has no kinds {', '.join(unnamed)}: name the colours of the cells so."
        yield Finding(("grid", "cell", "kinds"), text)
    codes = PieceCodes(ram_map)
    yield from _turning(ram_map, codes)
    if ram_map.learns and cells:
        yield Finding(
            ("place",),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt and gives the pair by its cells: "
            "learning needs x, y and orientation instead.",
        )
    elif ram_map.learns and not (rules.size.has_words and codes.usual):
        yield Finding(
            ("grid",),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt, and pairs learn codes only on a "
            "field of 6 columns with four orientations: state them.",
        )


def check_map(ram_map: RamMap) -> None:
    """Raise MapError, with the first finding, if the family cannot play by this map."""
    refuse(findings(ram_map))


def _key_of_rules(ram_map: RamMap) -> KeyPath:
    """Returns the key of a map whose rules are refused: its profile, a rule, or a grid of another size."""
    if ram_map.profile not in PROFILES:
        return ("profile",)
    try:
        rules_of(ram_map.profile, ram_map.rules, size_of(ram_map))
    except EmubotError:
        return ("rules",)
    return ("grid",)


def _turning(ram_map: RamMap, codes: PieceCodes) -> Iterator[Finding]:
    for odd in codes.odd:
        yield Finding(
            ("pieces", next(place for place, entry in enumerate(ram_map.pieces) if entry.id == odd)),
            f"Orientation {odd} in the map {ram_map.name} is no pair: give the cells of the bottom and of the "
            "top half, side by side or one above the other.",
        )
    if codes.odd:
        return
    if codes.count == _HALVES:
        if len({orientation % 2 for orientation in codes.orientations}) != _HALVES:
            text = f"The map {ram_map.name} has two orientations of one direction: a pair lies flat or stands upright."
            yield Finding(("pieces",), text)
    elif codes.known and codes.missing:
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has no orientation whose other half is {_WHERE[codes.missing[0]]} the pivot: a "
            "pairs game needs all four, or two of them, flat and upright.",
        )
    elif codes.swaps or codes.count > ORIENTATIONS:
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has {codes.count} orientations{' with a cycle' * codes.swaps}: a pair has four, "
            "or two if a turn makes its halves change places.",
        )
