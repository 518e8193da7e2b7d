"""What the family cannot play in a map, a sentence each; knows no frame and no search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from emubot.errors import EmubotError
from emubot.games.colours.decode.codes import COLOR_NAMES, PieceCodes
from emubot.games.colours.map_rules import rules_of_map, size_of
from emubot.games.colours.rules import ORIENTATIONS, PROFILES, rules_of
from emubot.games.colours.timing import PuyoTiming
from emubot.games.findings import Finding, KeyPath, refuse, unused_timing
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place

# The values that every map of the family must have for every player; those of the place may be of its cells instead.
HALF_VALUES: Final = ("current_bottom", "current_top", "next_bottom", "next_top")
PLACE_VALUES: Final = ("x", "y", "orientation")
_LEAST_COLORS: Final = 3
_WHERE: Final = ("above", "right of", "below", "left of")
_HALVES: Final = 2


def check_map(ram_map: RamMap) -> None:
    """Raise MapError if the family cannot read this map. Values that the map marks `learn` may stay open."""
    refuse(findings(ram_map))


def is_learnt(ram_map: RamMap) -> bool:
    """Returns whether a map leaves something open that a learner can find out."""
    by_cells = ram_map.document.place is not None  # it reads x, y and orientation
    return not by_cells and (bool(ram_map.learns) or "gravity" not in ram_map.timing)


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot read or play. Values that the map marks `learn` may stay open."""
    try:
        rules_of_map(ram_map)
    except EmubotError as wrong:
        yield Finding(_key_of_rules(ram_map), str(wrong))
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
    elif ram_map.learns and not codes.usual:
        yield Finding(
            (),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt, and pairs learn codes only of "
            "pairs with four orientations: state them.",
        )
    yield from unused_timing(ram_map, PuyoTiming.names())


def _key_of_rules(ram_map: RamMap) -> KeyPath:
    """Returns the key of the map at which its rules are wrong."""
    if ram_map.profile not in PROFILES:
        return ("profile",)
    size = size_of(ram_map)
    try:
        rules_of(ram_map.profile, {}, size)
    except EmubotError:
        return ("grid",)  # nothing is played on this size
    try:
        rules_of(ram_map.profile, ram_map.rules, size)
    except EmubotError:
        return ("rules",)
    return ("grid",)  # the rules have another size


def _turning(ram_map: RamMap, codes: PieceCodes) -> Iterator[Finding]:
    for odd in codes.odd:
        yield Finding(
            ("pieces", next(place for place, entry in enumerate(ram_map.pieces) if entry.id == odd)),
            f"Orientation {odd} in the map {ram_map.name} is no pair: give the cells of the bottom and of the "
            "top half, side by side or one above the other.",
        )
    if codes.odd:
        return
    text = ""
    if codes.count == _HALVES:
        if len({orientation % 2 for orientation in codes.orientations}) != _HALVES:
            text = "has two orientations of one direction: a pair lies flat or stands upright."
    elif codes.known and codes.missing:
        text = (
            f"has no orientation whose other half is {_WHERE[codes.missing[0]]} the pivot: a pairs game needs all "
            "four, or two of them, flat and upright."
        )
    elif codes.swaps or codes.count > ORIENTATIONS:
        text = (
            f"has {codes.count} orientations{' with a cycle' * codes.swaps}: a pair has four, or two if a turn makes "
            "its halves change places."
        )
    if text:
        yield Finding(("pieces",), f"The map {ram_map.name} {text}")
