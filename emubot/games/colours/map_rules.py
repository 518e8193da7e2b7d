"""The rules that a map's game is played by: its profile, what it says otherwise, its grid; knows no cells and codes."""

from __future__ import annotations

from emubot.errors import MapError
from emubot.games.colours.field_rules import FieldRules
from emubot.games.colours.rules import Rules, Size, rules_of
from emubot.rammap import RamMap


def size_of(ram_map: RamMap) -> Size:
    """Returns the size of the map's grid."""
    grid = ram_map.document.grid
    return Size(grid.columns, grid.rows, len(grid.hidden))


def rules_of_map(ram_map: RamMap) -> Rules:
    """Returns the rules of a map of pairs. Raises as `rules_of`, and MapError if grid and rules differ in size."""
    rules = rules_of(ram_map.profile, ram_map.rules, size_of(ram_map))
    if fault := size_fault(ram_map, rules):
        raise MapError(fault)
    return rules


def size_fault(ram_map: RamMap, rules: FieldRules) -> str | None:
    """Returns what is wrong if grid and rules have different sizes."""
    size, wanted = size_of(ram_map), Size(rules.columns, rules.visible_rows, rules.hidden_rows)
    if size == wanted:
        return None
    return (
        f"The grid of the map {ram_map.name} has {size.visible_rows} rows, {size.columns} columns and "
        f"{size.hidden_rows} hidden rows, but its rules {rules.name} have {wanted.visible_rows}, {wanted.columns} and "
        f"{wanted.hidden_rows}: correct the grid or the rules."
    )
