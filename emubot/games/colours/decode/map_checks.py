"""What pairs and matching games cannot play in a map, a sentence each; knows no frame and no search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from emubot.errors import EmubotError
from emubot.games.colours import matching_rules
from emubot.games.colours.decode import matching_codes
from emubot.games.colours.decode.codes import COLOR_NAMES, PieceCodes
from emubot.games.colours.decode.matching_codes import TARGET_NAMES, turns_in
from emubot.games.colours.decode.matching_values import piece_values
from emubot.games.colours.map_rules import rules_of_map, size_fault, size_of
from emubot.games.colours.rules import ORIENTATIONS, PROFILES, rules_of
from emubot.games.colours.timing import MatchingTiming, PuyoTiming
from emubot.games.findings import Finding, KeyPath, refuse, unused, unused_timing
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place

# The values that every map of the family must have for every player; those of the place may be of its cells instead.
HALF_VALUES: Final = ("current_bottom", "current_top", "next_bottom", "next_top")
PLACE_VALUES: Final = ("x", "y", "orientation")
_LEAST_COLORS: Final = 3
_WHERE: Final = ("above", "right of", "below", "left of")
_HALVES: Final = 2


def check_pairs(ram_map: RamMap) -> None:
    """Raise MapError if the family cannot read this map. Values that the map marks `learn` may stay open."""
    refuse(pair_findings(ram_map))


def is_learnt(ram_map: RamMap) -> bool:
    """Returns whether a map leaves something open that a learner can find out."""
    by_cells = ram_map.document.place is not None  # it reads x, y and orientation
    shown = ram_map.document.grid.shows_piece  # it takes what is in the grid for what landed
    return not by_cells and not shown and (bool(ram_map.learns) or "gravity" not in ram_map.timing)


def pair_findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot read or play. Values that the map marks `learn` may stay open."""
    try:
        rules_of_map(ram_map)
    except EmubotError as wrong:
        yield Finding(_key_of_rules(ram_map), str(wrong))
    cells = names_of_place(ram_map)
    yield from _lacking(ram_map, (*(cells or PLACE_VALUES), *HALF_VALUES), "a pairs game")
    if cells and len(cells) != 2 * _HALVES:
        text = f"The place in the map {ram_map.name} has {len(cells) // 2} cells: give two, the bottom half's first."
        yield Finding(("place", "cells"), text)
    yield from _unnamed(ram_map, COLOR_NAMES[:_LEAST_COLORS], "name the colours of the cells so")
    codes = PieceCodes(ram_map)
    yield from _turning(ram_map, codes)
    if ram_map.learns and cells:
        yield Finding(
            ("place",),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt and gives the pair by its cells: "
            "learning needs x, y and orientation instead.",
        )
    elif ram_map.learns and ram_map.document.grid.shows_piece:
        yield Finding(
            ("grid", "shows_piece"),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} to be learnt and its grid shows the pair in "
            "the air: pairs learn codes only of what landed, so state them.",
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
    beside = "side by side or one above the other"
    yield from _odd(ram_map, codes.odd, f"no pair: give the cells of the bottom and of the top half, {beside}.")
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


def check_matching(ram_map: RamMap) -> matching_rules.Rules:
    """Returns the rules of a map. Raises MapError, with the first finding, if the family cannot read it."""
    refuse(matching_findings(ram_map))
    rules = turns_in(ram_map, matching_rules.rules_of(ram_map.profile, ram_map.rules))
    assert rules is not None, "a map of other turns is refused"
    return rules


def matching_findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot read in a map, and what it does not use."""
    yield from _unreadable(ram_map)
    yield from unused_timing(ram_map, MatchingTiming.names())
    if ram_map.document.place is not None:
        yield unused(ram_map, ("place",))


def _unreadable(ram_map: RamMap) -> Iterator[Finding]:
    try:
        rules = matching_rules.rules_of(ram_map.profile, ram_map.rules)
    except EmubotError as wrong:
        yield Finding(("rules",) if ram_map.profile in matching_rules.PROFILES else ("profile",), str(wrong))
        return
    if ram_map.learns:
        yield Finding(
            (),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} open, but this family learns nothing: write "
            "the codes into the map.",
        )
    yield from _lacking(ram_map, piece_values(rules), "this family")
    yield from _grid(ram_map, rules)
    turned = turns_in(ram_map, rules)
    if turned is None:
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has two orientations whose turns are none of a piece of two: one lies flat and "
            "one stands upright, and if halves change places, then by two turns.",
        )
    yield from _pieces(ram_map, turned or rules)


def _grid(ram_map: RamMap, rules: matching_rules.Rules) -> Iterator[Finding]:
    if fault := size_fault(ram_map, rules):
        yield Finding(("grid",), fault)
    names = COLOR_NAMES[: rules.colors] + (TARGET_NAMES[: rules.colors] if rules.targets else ())
    yield from _unnamed(ram_map, names, "name the cells so")
    if rules.joined and ram_map.document.grid.cell.link is None:
        text = f"The map {ram_map.name} has no link in its cells: say where a half's other half is."
        yield Finding(("grid", "cell"), text)


def _pieces(ram_map: RamMap, rules: matching_rules.Rules) -> Iterator[Finding]:
    codes = matching_codes.PieceCodes(ram_map, rules)
    uncoded = [name for number, name in enumerate(COLOR_NAMES[: rules.colors], start=1) if number not in codes.kinds]
    if uncoded:
        text = f"The map {ram_map.name} has no piece_codes for {', '.join(uncoded)}: add them."
        yield Finding(("piece_codes",), text)
    yield from _odd(
        ram_map,
        codes.odd,
        "none of this family's: give the cells of half 1, half 2 and so on, side by side or one above the other.",
    )
    if codes.missing and not codes.odd:
        cells = ", ".join(map(str, rules.shapes[codes.missing[0]]))
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has no orientation with the cells {cells}: this family needs "
            f"{len(rules.orientations)} of them, or of a piece of two one flat and one upright.",
        )


def _lacking(ram_map: RamMap, names: Sequence[str], who: str) -> Iterator[Finding]:
    """Yields which of the values of each player a map lacks; `who` needs them."""
    for player in range(ram_map.players):
        known = ram_map.reader(player).scalars
        missing = [name for name in names if name not in known]
        if missing:
            whose = f" for player {player + 1}" if ram_map.players > 1 else ""
            text = f"The map {ram_map.name} lacks {', '.join(missing)}{whose}: {who} needs these values."
            yield Finding(("values",), text)


def _unnamed(ram_map: RamMap, names: Iterable[str], remedy: str) -> Iterator[Finding]:
    """Yields which kinds of cells a map does not name."""
    unnamed = [name for name in names if name not in ram_map.document.grid.cell.kinds]
    if unnamed:
        text = f"The map {ram_map.name} has no kinds {', '.join(unnamed)}: {remedy}."
        yield Finding(("grid", "cell", "kinds"), text)


def _odd(ram_map: RamMap, numbers: Iterable[int], what: str) -> Iterator[Finding]:
    """Yields the orientations, by their ids, that are no orientation of the family's pieces."""
    for odd in numbers:
        place = next(place for place, entry in enumerate(ram_map.pieces) if entry.id == odd)
        yield Finding(("pieces", place), f"Orientation {odd} in the map {ram_map.name} is {what}")
