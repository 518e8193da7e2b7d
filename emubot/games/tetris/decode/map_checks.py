"""Checks that a map has what the Tetris family needs, and says in one sentence what is missing; decodes nothing."""

from __future__ import annotations

from typing import Final

from emubot.errors import MapError
from emubot.games.tetris.decode.addresses import FIELDS, PAGE_SIZE
from emubot.games.tetris.decode.piece_tables import Tables
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, PROFILES, ROWS, Profile
from emubot.rammap import RamMap

# The values that search, steering and reports may use: no generator state and no counts of draws.
NES_COUNTERS: Final = (
    "level",
    "lines",
    "score",
    "fall_timer",
    "das",
    "autorepeat_y",
    "hold_down_points",
    "vram_row",
    "play_state",
    "held_buttons",
    "game_type",
)
# The same for other cartridges, if the map has them. `fall_timer` may count in any way. `drop_timer` counts down to the
# fall: 1 is the frame before it.
COUNTERS: Final = ("level", "lines", "score", "fall_timer", "drop_timer", "held_buttons")
OWN_ID: Final = "orientation_id"  # on such cartridges, the counter with the map's own id of the piece in the air
PLAIN: Final = "plain"  # the rule profile of games that clear full rows but are not a release that the family knows
NEEDED: Final = ("piece", "x", "y")


def profile_of(ram_map: RamMap) -> Profile | None:
    """Returns the timing of the release that the map names; None if it names none. Raises MapError if it is unknown."""
    name = ram_map.timing.get("profile")
    for found, known in ((name, (*PROFILES, None)), (ram_map.profile, (*PROFILES, PLAIN))):
        if found not in known:
            listed = ", ".join(filter(None, known))
            raise MapError(f"{ram_map.path} names the profile {found!r}; the tetris family has {listed}.")
    return None if name is None else PROFILES[name]


def check_map(ram_map: RamMap) -> Tables:
    """Returns the map's pieces. Raises MapError if the family cannot play by this map."""
    profile, tables = profile_of(ram_map), Tables(ram_map)
    if profile is not None and tables.own:
        raise refused(ram_map, f"lists pieces of its own beside the timing profile {profile.name}", "leave one out")
    check_values(ram_map, profile)
    grid = ram_map.document.grid
    most = f"at most {HIDDEN_ROWS}" if profile is None else str(HIDDEN_ROWS)
    hidden = len(grid.hidden)
    if (grid.rows, grid.columns) != (ROWS, COLUMNS) or hidden > HIDDEN_ROWS or (profile and hidden < HIDDEN_ROWS):
        raise refused(
            ram_map,
            f"has {grid.rows} rows, {grid.columns} columns and {hidden} hidden rows",
            f"falling blocks have {ROWS}, {COLUMNS} and {most}",
        )
    return tables


def check_values(ram_map: RamMap, profile: Profile | None) -> None:
    """Raise MapError if the map lacks values or kinds of cells that the family needs, or leaves them to be learnt."""
    open_ones = [name for name in ("empty", "mask", "pieces") if name in ram_map.learns]
    if open_ones:
        raise refused(
            ram_map, f"leaves {', '.join(open_ones)} to be learnt", "state it, for this family learns nothing"
        )
    for player in range(ram_map.players):
        reader = ram_map.reader(player)
        needed = NEEDED if profile is None else (*NEEDED, "next_piece", *NES_COUNTERS)
        missing = [name for name in needed if name not in reader.names]
        if missing:
            raise refused(ram_map, f"lacks the values {', '.join(missing)} for player {player + 1}", "add them")
        if not reader.solid[1 : len(reader.kinds)].any():
            raise refused(ram_map, "has no solid kind of cell", "a kind is solid unless it says solid: false")


def is_replayed(ram_map: RamMap) -> bool:
    """Returns whether the map has all that the replay of a recorded game needs."""
    names = ram_map.reader().names
    known = all(name in names for name in (*FIELDS, "new_buttons", "held_buttons"))
    return known and ram_map.regions.get("page", (0, 0))[1] == PAGE_SIZE


def refused(ram_map: RamMap, what: str, remedy: str) -> MapError:
    """Returns the error for a map that the family cannot play by: what it does, and what to do about it."""
    return MapError(f"{ram_map.path} {what}, and the tetris family cannot play so: {remedy}.")
