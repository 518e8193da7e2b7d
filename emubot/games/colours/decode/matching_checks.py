"""Checks whether the family can read a map: values, grid, kinds, pieces; decodes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from emubot.errors import EmubotError
from emubot.games.colours.decode.matching_codes import COLOR_NAMES, TARGET_NAMES, PieceCodes, turns_in
from emubot.games.colours.decode.matching_values import piece_values
from emubot.games.colours.matching_rules import PROFILES, Rules, rules_of
from emubot.games.colours.timing import MatchingTiming
from emubot.games.findings import Finding, refuse, unused, unused_timing
from emubot.rammap import RamMap


def check_map(ram_map: RamMap) -> Rules:
    """Returns the rules of a map. Raises MapError, with the first finding, if the family cannot read it."""
    refuse(findings(ram_map))
    rules = turns_in(ram_map, rules_of(ram_map.profile, ram_map.rules))
    assert rules is not None, "a map of other turns is refused"
    return rules


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot read in a map, and what it does not use."""
    yield from _unreadable(ram_map)
    yield from unused_timing(ram_map, MatchingTiming.names())
    if ram_map.document.place is not None:
        yield unused(ram_map, ("place",))


def _unreadable(ram_map: RamMap) -> Iterator[Finding]:
    try:
        rules = rules_of(ram_map.profile, ram_map.rules)
    except EmubotError as wrong:
        yield Finding(("rules",) if ram_map.profile in PROFILES else ("profile",), str(wrong))
        return
    if ram_map.learns:
        yield Finding(
            (),
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} open, but this family learns nothing: write "
            "the codes into the map.",
        )
    for player in range(ram_map.players):
        missing = [name for name in piece_values(rules) if name not in ram_map.reader(player).scalars]
        if missing:
            whose = f" for player {player + 1}" if ram_map.players > 1 else ""
            text = f"The map {ram_map.name} lacks {', '.join(missing)}{whose}: this family needs these values."
            yield Finding(("values",), text)
    yield from _grid(ram_map, rules)
    turned = turns_in(ram_map, rules)
    if turned is None:
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has two orientations whose turns are none of a piece of two: one lies flat and "
            "one stands upright, and if halves change places, then by two turns.",
        )
    yield from _pieces(ram_map, turned or rules)


def _grid(ram_map: RamMap, rules: Rules) -> Iterator[Finding]:
    grid = ram_map.document.grid
    found = (grid.rows, grid.columns, len(grid.hidden))
    wanted = (rules.visible_rows, rules.columns, rules.hidden_rows)
    if found != wanted:
        yield Finding(
            ("grid",),
            f"The grid of the map {ram_map.name} has {found[0]} rows, {found[1]} columns and {found[2]} hidden rows, "
            f"but its rules {rules.name} have {wanted[0]}, {wanted[1]} and {wanted[2]}: correct the grid or the rules.",
        )
    names = COLOR_NAMES[: rules.colors] + (TARGET_NAMES[: rules.colors] if rules.targets else ())
    unnamed = [name for name in names if name not in grid.cell.kinds]
    if unnamed:
        text = f"The map {ram_map.name} has no kinds {', '.join(unnamed)}: name the cells so."
        yield Finding(("grid", "cell", "kinds"), text)
    if rules.joined and grid.cell.link is None:
        text = f"The map {ram_map.name} has no link in its cells: say where a half's other half is."
        yield Finding(("grid", "cell"), text)


def _pieces(ram_map: RamMap, rules: Rules) -> Iterator[Finding]:
    codes = PieceCodes(ram_map, rules)
    uncoded = [name for number, name in enumerate(COLOR_NAMES[: rules.colors], start=1) if number not in codes.colors]
    if uncoded:
        text = f"The map {ram_map.name} has no piece_codes for {', '.join(uncoded)}: add them."
        yield Finding(("piece_codes",), text)
    for odd in codes.odd:
        yield Finding(
            ("pieces", next(place for place, entry in enumerate(ram_map.pieces) if entry.id == odd)),
            f"Orientation {odd} in the map {ram_map.name} is none of this family's: give the cells of half 1, half 2 "
            "and so on, side by side or one above the other.",
        )
    if codes.missing and not codes.odd:
        cells = ", ".join(map(str, rules.shapes[codes.missing[0]]))
        yield Finding(
            ("pieces",),
            f"The map {ram_map.name} has no orientation with the cells {cells}: this family needs "
            f"{len(rules.orientations)} of them, or of a piece of two one flat and one upright.",
        )
