"""Checks that a map has what the Tetris family needs, and says in one sentence what is missing; decodes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from emubot.games.findings import Finding, KeyPath, refuse, unused, unused_timing
from emubot.games.tetris.decode.addresses import FIELDS, PAGE_SIZE
from emubot.games.tetris.decode.piece_tables import OrientationTables, odd_pieces
from emubot.games.tetris.decode.value_names import NEEDED, NES_COUNTERS, PLAIN, PROFILE, RULES, TIMING
from emubot.games.tetris.rules import COLUMNS, HIDDEN_ROWS, PROFILES, ROWS, Profile
from emubot.rammap import RamMap
from emubot.rammap.placing import names_of_place
from emubot.text import did_you_mean

_BLOCKING: Final = ("empty", "mask", "pieces")  # without these no placement can be planned
OWN_ID: Final = "orientation_id"  # on such cartridges, the counter with the map's own id of the piece in the air


def profile_of(ram_map: RamMap) -> Profile | None:
    """Returns the timing of the release that the map names; None if it names none. Raises MapError if it is unknown."""
    refuse(odd_profiles(ram_map))
    name = ram_map.timing.get("profile")
    return None if name is None else PROFILES[name]


def is_open(ram_map: RamMap) -> bool:
    """Returns whether a map leaves open what a plan needs. The map of a release never does: it is refused instead."""
    return _is_plain(ram_map) and any(name in ram_map.learns for name in _BLOCKING)


def is_learnt(ram_map: RamMap) -> bool:
    """Returns whether a map leaves something open that playing or experiments can find out."""
    timed = any(key in ram_map.timing for key in ("gravity", "gravity_value", "velocity"))
    return _is_plain(ram_map) and (bool(ram_map.learns) or not timed)


def _is_plain(ram_map: RamMap) -> bool:
    return ram_map.profile == PLAIN and PROFILE not in ram_map.timing


def check_map(ram_map: RamMap) -> OrientationTables:
    """Returns the map's pieces. Raises MapError if the family cannot play by this map."""
    refuse(findings(ram_map))
    return OrientationTables(ram_map)


def findings(ram_map: RamMap) -> Iterator[Finding]:
    """Yields everything that the family cannot play by this map."""
    odd = list(odd_profiles(ram_map))
    yield from odd
    yield from odd_pieces(ram_map)
    profile = None if odd else profile_of(ram_map)
    if profile is not None and ram_map.pieces:
        what = f"lists pieces of its own beside the timing profile {profile.name}"
        yield refused(ram_map, ("pieces",), what, "leave one out")
    yield from odd_values(ram_map, profile)
    grid = ram_map.document.grid
    most = f"at most {HIDDEN_ROWS}" if profile is None else str(HIDDEN_ROWS)
    hidden = len(grid.hidden)
    if (grid.rows, grid.columns) != (ROWS, COLUMNS) or hidden > HIDDEN_ROWS or (profile and hidden < HIDDEN_ROWS):
        yield refused(
            ram_map,
            ("grid",),
            f"has {grid.rows} rows, {grid.columns} columns and {hidden} hidden rows",
            f"falling blocks have {ROWS}, {COLUMNS} and {most}",
        )
    yield from odd_words(ram_map)


def odd_words(ram_map: RamMap) -> Iterator[Finding]:
    """Yields what a map says and the family does not know, or does not use."""
    for name in ram_map.rules:
        if name not in RULES:
            near = did_you_mean(name, RULES)
            text = f"{ram_map.path}: the tetris family has no rule {name!r}{near}: known are {', '.join(RULES)}."
            yield Finding(("rules", name), text)
    if ram_map.document.piece_codes is not None:
        yield unused(ram_map, ("piece_codes",))
    release = ram_map.timing.get(PROFILE)
    if release is None:
        yield from unused_timing(ram_map, TIMING)
        return
    beside = f"the timing profile {release}"
    yield from unused_timing(ram_map, (PROFILE,), beside)
    if ram_map.document.place is not None:
        yield unused(ram_map, ("place",), beside)
    if ram_map.document.grid.shows_piece:
        yield unused(ram_map, ("grid", "shows_piece"), beside)


def odd_values(ram_map: RamMap, profile: Profile | None) -> Iterator[Finding]:
    """Yields the values and kinds of cells that the map lacks, or leaves to be learnt."""
    keys: dict[str, KeyPath] = {"empty": ("grid", "cell", "empty"), "mask": ("grid", "cell", "mask")}
    for name in ("empty", "mask", "pieces"):
        if name in ram_map.learns:
            what = f"leaves {name} to be learnt"
            yield refused(
                ram_map, keys.get(name, (name,)), what, "state it, for only maps without the timing of a release learn"
            )
    for player in range(ram_map.players):
        reader = ram_map.reader(player)
        needed = (names_of_place(ram_map) or NEEDED) if profile is None else (*NEEDED, "next_piece", *NES_COUNTERS)
        missing = [name for name in needed if name not in reader.names]
        if missing:
            what = f"lacks the values {', '.join(missing)} for player {player + 1}"
            yield refused(ram_map, ("values",), what, "add them")
    if not reader.solid[1 : len(reader.kinds)].any():
        what = "has no solid kind of cell"
        yield refused(ram_map, ("grid", "cell", "kinds"), what, "a kind is solid unless it says solid: false")


def is_replayed(ram_map: RamMap) -> bool:
    """Returns whether the map has all that the replay of a recorded game needs."""
    names = ram_map.reader().names
    known = all(name in names for name in (*FIELDS, "new_buttons", "held_buttons"))
    return known and ram_map.regions.get("page", (0, 0))[1] == PAGE_SIZE


def odd_profiles(ram_map: RamMap) -> Iterator[Finding]:
    """Yields the profiles that the map names and the family does not have."""
    name = ram_map.timing.get("profile")
    named: tuple[tuple[KeyPath, str | None, tuple[str | None, ...]], ...] = (
        (("timing", "profile"), name, (*PROFILES, None)),
        (("profile",), ram_map.profile, (*PROFILES, PLAIN)),
    )
    for key, found, known in named:
        if found not in known:
            listed = ", ".join(filter(None, known))
            yield Finding(key, f"{ram_map.path} names the profile {found!r}; the tetris family has {listed}.")


def refused(ram_map: RamMap, key: KeyPath, what: str, remedy: str) -> Finding:
    """Returns the finding for a map that the family cannot play by: what it does, and what to do about it."""
    return Finding(key, f"{ram_map.path} {what}, and the tetris family cannot play so: {remedy}.")
