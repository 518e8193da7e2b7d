"""The words of this family's maps, each with its meaning, for docs/maps.md; knows no map, no frame and no search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from emubot.games.colours.decode.codes import COLOR_NAMES, HALF_NAMES, KIND_NAMES
from emubot.games.colours.decode.decode import COUNTERS
from emubot.games.colours.decode.map_checks import HALF_VALUES, PLACE_VALUES
from emubot.games.colours.field_rules import MOST_POWER, names_of
from emubot.games.colours.rules import FAMICOM_1991, LIMITS, OTHER_LIMITS, PROFILES, TSU, Rules
from emubot.games.colours.simulator.ram_writer import PER_PLAYER, SHARED
from emubot.games.colours.simulator.ram_writer import REPLAYED as REPLAYED_VALUES
from emubot.games.colours.timing import DEMO, USED
from emubot.games.map_words import (
    BY_CELLS,
    DROP_TIMER,
    GENERATOR,
    NO,
    PAD,
    PIVOT,
    REPLAYED,
    YES,
    MapWords,
    RuleWord,
    TimingWord,
    ValueWord,
    whole,
    wholes,
    worded,
    written,
)
from emubot.games.outcome import MEANINGS as OUTCOME
from emubot.games.rows import PADS
from emubot.snapshot import Piece

_VALUES: Final = {
    **PIVOT,
    "current_bottom": "the code of the bottom half of the pair in the air, by `piece_codes`",
    "current_top": "the code of its top half",
    "next_bottom": "the code of the bottom half of the next pair",
    "next_top": "the code of its top half",
    **DROP_TIMER,
    "level": "the level; `gravity` is by level",
    "score": "the points; the opponent's attacks are inferred from theirs",
    "pending": "nuisance that will fall on this player; without it it is inferred from the opponent's `score`",
    "colors": "the number of colours in play",
    "mode": "2: a game for two, in which both fields count; 0: a game for one",
    **OUTCOME,
    **PAD,
    "game_state": "0 title, 1 menu, 2 play, 3 paused, 4 over, 5 a screen is drawn",
    "play_state": "0 none, 1 control, 2 settle, 3 pop, 4 nuisance, 5 spawn delay, 6 lost",
    "spawn_delay": "frames until the wait between two pairs ends",
    "spawn_flag": "1 in a frame in which a pair enters",
    "chain": "steps of the running chain",
    "chain_points": "points of the running chain",
    "pop_points": "points of the cells that are popping",
    "blocks": "cells that popped so far, nuisance too",
    "pairs": "pairs that entered so far; mark it `hidden_from_search`",
    "all_clears": "how often the field became empty",
    "best_chain": "steps of the longest chain",
    "spawned": "1 in a frame in which this player's pair enters",
    "items": "of the menus: whether items come",
    "start_level": "of the menus: the level at the start",
    "frame_counter": "one more for every vertical blank",
    "game_counter": "one more for every frame in which the game advances",
    "generator": GENERATOR.format("the pairs"),
    "nuisance_generator": GENERATOR.format("the columns of nuisance"),
}
_RULES: Final = {
    "visible_rows": "rows of the field",
    "hidden_rows": "rows above them that are in memory",
    "ghost_rows": "rows above those; for the record, nothing reads it",
    "colors": "colours in play, if no value `colors` says it",
    "group_size": "cells of one colour that pop together",
    "hidden_pops": "whether groups reach into the hidden row and pop there",
    "death_cells": "the game ends if one of these is filled when a pair enters",
    "spawn": "where a pair enters; orientation 0 has its other half above the pivot, 1 right, 2 below, 3 left",
    "chain_power": "points factor by step of the chain, from the first",
    "color_bonus": "points factor by number of colours that pop at once, from 1",
    "group_bonus": "points factor by size of a group, from 4",
    "least_multiplier": "the least sum of these factors",
    "most_multiplier": "the most",
    "quick_turn": "whether a pair between two walls turns upside down",
    "wall_kick": "whether a turn at a wall moves the pair away from it",
    "floor_kick": "whether a turn on the floor moves the pair up",
    "nuisance_points": "points for one nuisance puyo",
    "nuisance_cap": "most nuisance of one attack and of one fall",
    "keeps_excess": "whether nuisance above the cap waits for the next fall",
    "offset": "whether an attack first cancels the player's own pending nuisance",
    "all_clear_points": "points that an empty field adds to the next attack",
    "margin_frames": "frames until nuisance becomes cheaper; 0: never",
    "previews": "next pairs that are shown, in measured games; in play it is one",
    "item_every": "one pair in so many is an item; 0: none",
    "columns": "columns of the field",
}
_KINDS: Final = {
    **{name: f"a colour{', needed' if number <= 3 else ''}" for number, name in enumerate(COLOR_NAMES, start=1)},
    "nuisance": "nuisance; the simulator needs it",
    "wall": "a wall, which never pops",
    "popping": "a cell that is shown popping; the simulator needs it",
}
_HALVES: Final = {
    **dict.fromkeys(COLOR_NAMES, "a colour"),
    "big": "an item of two by two cells",
    "carbuncle": "an item of one cell",
}


@cache
def words() -> MapWords:
    """Returns the words of the family."""
    values = worded((*HALF_VALUES, *PLACE_VALUES, *COUNTERS, *OUTCOME, *SHARED, *PER_PLAYER, *PADS), _VALUES)
    known = worded(names_of(Rules), _RULES)
    return MapWords(
        profiles={
            FAMICOM_1991.name: "Puyo Puyo for the Famicom, 1991 and 1993",
            TSU.name: "the rules of the series from 1994 on, with offset and two previews",
        },
        values={name: ValueWord(meaning, _need(name)) for name, meaning in values.items()},
        rules={name: RuleWord(meaning, _may_be(name), _defaults(name)) for name, meaning in known.items()},
        kinds=worded(KIND_NAMES, _KINDS),
        piece_codes=worded(HALF_NAMES, _HALVES),
        timing={name: TimingWord(default=written(getattr(DEMO, name))) for name in USED},
        regions={},
        choices={
            "level": "`--level`; `maps learn --probe` measures the fall at each",
            "colors": "`--colors`",
            "items": "`--items`; `maps learn --probe` chooses 0: no items",
            "mode": "`--mode`, `AIvsAI`",
        },
        notes=(
            "Any other kind of cell is an obstacle, or empty with `solid: false`.",
            "Times that a map does not state are those of the demo cartridge. Without `gravity` one input is sent at a "
            "time.",
            "A range in brackets is that of fields that are searched two pairs deep.",
        ),
    )


def _need(name: str) -> str:
    if name in PLACE_VALUES:
        return BY_CELLS
    if name in HALF_VALUES:
        return YES
    return REPLAYED if name in (*REPLAYED_VALUES, *PADS) else NO


def _may_be(name: str) -> str:
    example = getattr(FAMICOM_1991, name)
    if isinstance(example, bool):
        return "`true` or `false`"
    if isinstance(example, Piece):
        return "[orientation, column, row]"
    if name == "death_cells":
        return "[column, row, column, row, ...]"
    if isinstance(example, tuple):
        return wholes(0, MOST_POWER)
    most = whole(*LIMITS[name])
    return most if OTHER_LIMITS[name] == LIMITS[name] else f"{most} ({' to '.join(map(str, OTHER_LIMITS[name]))})"


def _defaults(name: str) -> Mapping[str, object]:
    return {profile: written(_listed(getattr(rules, name))) for profile, rules in PROFILES.items()}


def _listed(value: Any) -> Any:
    return (value.orientation, value.column, value.row) if isinstance(value, Piece) else value
