"""Checks whether the family can read a map: values, grid, kinds, pieces; decodes nothing."""

from __future__ import annotations

from emubot.errors import MapError
from emubot.games.matching.decode.codes import COLOR_NAMES, TARGET_NAMES, PieceCodes
from emubot.games.matching.rules import Rules, rules_of
from emubot.rammap import RamMap


def piece_values(rules: Rules) -> tuple[str, ...]:
    """Returns the values that every map of the family must have for every player, those of the piece's cells last."""
    parts = range(1, rules.piece_cells + 1)
    return ("x", "y", "orientation", *(f"{which}_{part}" for which in ("current", "next") for part in parts))


def check_map(ram_map: RamMap) -> Rules:
    """Returns the rules of a map. Raises MapError if the family cannot read it."""
    rules = rules_of(ram_map.profile, ram_map.rules)
    if ram_map.learns:
        raise MapError(
            f"The map {ram_map.name} leaves {', '.join(ram_map.learns)} open, but this family learns nothing: write "
            "the codes into the map."
        )
    for player in range(ram_map.players):
        missing = [name for name in piece_values(rules) if name not in ram_map.reader(player).scalars]
        if missing:
            whose = f" for player {player + 1}" if ram_map.players > 1 else ""
            raise MapError(f"The map {ram_map.name} lacks {', '.join(missing)}{whose}: this family needs these values.")
    _check_grid(ram_map, rules)
    _check_pieces(ram_map, rules)
    return rules


def _check_grid(ram_map: RamMap, rules: Rules) -> None:
    grid = ram_map.document.grid
    found = (grid.rows, grid.columns, len(grid.hidden))
    wanted = (rules.visible_rows, rules.columns, rules.hidden_rows)
    if found != wanted:
        raise MapError(
            f"The grid of the map {ram_map.name} has {found[0]} rows, {found[1]} columns and {found[2]} hidden rows, "
            f"but its rules {rules.name} have {wanted[0]}, {wanted[1]} and {wanted[2]}: correct the grid or the rules."
        )
    names = COLOR_NAMES[: rules.colors] + (TARGET_NAMES[: rules.colors] if rules.targets else ())
    unnamed = [name for name in names if name not in grid.cell.kinds]
    if unnamed:
        raise MapError(f"The map {ram_map.name} has no kinds {', '.join(unnamed)}: name the cells so.")
    if rules.joined and grid.cell.link is None:
        raise MapError(f"The map {ram_map.name} has no link in its cells: say where a half's other half is.")


def _check_pieces(ram_map: RamMap, rules: Rules) -> None:
    codes = PieceCodes(ram_map, rules)
    uncoded = [name for number, name in enumerate(COLOR_NAMES, start=1) if number not in codes.colors][: rules.colors]
    uncoded = [name for name in uncoded if name in COLOR_NAMES[: rules.colors]]
    if uncoded:
        raise MapError(f"The map {ram_map.name} has no piece_codes for {', '.join(uncoded)}: add them.")
    if codes.odd:
        raise MapError(
            f"Orientation {codes.odd[0]} in the map {ram_map.name} is none of this family's: give the cells of half 1, "
            "half 2 and so on, side by side or one above the other."
        )
    if codes.missing:
        cells = ", ".join(map(str, rules.shapes[codes.missing[0]]))
        raise MapError(
            f"The map {ram_map.name} has no orientation with the cells {cells}: this family needs "
            f"{len(rules.shapes)} of them."
        )
