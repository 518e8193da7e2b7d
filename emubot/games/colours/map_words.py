"""The words of maps of pairs and matching games, with their meanings, for docs/reference/maps.md; knows no map."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from emubot.games.colours import matching_rules
from emubot.games.colours.decode import codes, matching_codes
from emubot.games.colours.decode.decode import COUNTERS as PAIR_COUNTERS
from emubot.games.colours.decode.map_checks import HALF_VALUES, PLACE_VALUES
from emubot.games.colours.decode.matching_values import COUNTERS, GARBAGE, SHARED, per_player, piece_values, replayed
from emubot.games.colours.field_rules import MOST_POWER, FieldRules, names_of
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, MATCHES
from emubot.games.colours.rules import FAMICOM_1991, LIMITS, OTHER_LIMITS, PROFILES, TSU
from emubot.games.colours.simulator import ram_writer
from emubot.games.colours.timing import MATCHING, PAIRS, Timing
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

_PAIR_VALUES: Final = {
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
_PAIR_RULES: Final = {
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
_PAIR_KINDS: Final = {
    **{name: f"a colour{', needed' if number <= 3 else ''}" for number, name in enumerate(codes.COLOR_NAMES, start=1)},
    "nuisance": "nuisance; the simulator needs it",
    "wall": "a wall, which never pops",
    "popping": "a cell that is shown popping; the simulator needs it",
}
_PAIR_HALVES: Final = {
    **dict.fromkeys(codes.COLOR_NAMES, "a colour"),
    "big": "an item of two by two cells",
    "carbuncle": "an item of one cell",
}
_MATCHING_VALUES: Final = {
    **PIVOT,
    **{f"current_{part}": "the code of a cell of the piece in the air, by `piece_codes`" for part in (1, 2, 3)},
    **{f"next_{part}": "the same of the next piece" for part in (1, 2, 3)},
    **DROP_TIMER,
    "pace": "which entry of `paces` holds; without it the first",
    "pieces": "pieces that entered in this stage: `gravity` quickens with them",
    "stage": "the stage, from 0",
    "stages": "stages won in this game",
    "targets": "targets that are left in the field",
    "score": "the points",
    "mode": "0 a game for one, 2 for two",
    **OUTCOME,
    "pending": "cells of garbage that will fall on this player",
    **PAD,
    "game_state": "0 title, 1 menu, 2 play, 3 paused, 4 over, 5 a screen is drawn, 6 a stage is won",
    "play_state": "0 none, 1 control, 2 settle, 3 vanish, 4 fall, 5 spawn delay, 6 targets appear, 7 won, 8 lost",
    "wait": "frames until the wait between two pieces ends",
    "chain": "steps of this move's chain",
    "lines": "lines of this move",
    "spawned": "1 in a frame in which this player's piece enters",
    "start_stage": "of the menus: the stage at the start",
    "frame_counter": "one more for every vertical blank",
    "game_counter": "one more for every frame in which the game advances",
    "generator": GENERATOR.format("targets and pieces"),
    "garbage_generator": GENERATOR.format("the columns of garbage"),
    **dict.fromkeys(GARBAGE["line"], "the colours of this move's lines; as many as the rule `most_garbage`"),
    **dict.fromkeys(GARBAGE["pending"], "the colours of the pending garbage; as many as the rule `most_garbage`"),
}
_MATCHING_RULES: Final = {
    "columns": "columns of the field",
    "visible_rows": "rows of the field",
    "hidden_rows": "rows above them that are in memory",
    "colors": "colours in play",
    "piece_cells": "cells of a piece",
    "joined": "whether the halves of a piece of two stay joined",
    "match": "how cells match: in rows and columns, in diagonals too, or in groups that touch",
    "match_size": "cells in a line, or that touch, that vanish",
    "spawn": "where a piece enters; orientation 0 of two cells is flat, with half 1 on the left",
    "kick_left": "whether a blocked turn to flat is tried one column to the left",
    "targets": "targets at the start of each stage, the last for all above; []: there are no stages",
    "target_rows": "the lowest rows that may hold targets, by stage",
    "pieces_per_speed_up": "after so many pieces the index into `gravity` rises by one",
    "garbage_from": "lines of one move that send garbage",
    "most_garbage": "cells of garbage that one move sends at most; 0: none",
    "previews": "next pieces that are shown, in measured games; in play it is one",
}
_MATCHING_KINDS: Final = {
    **dict.fromkeys(codes.COLOR_NAMES, "a colour; as many as the rule `colors`"),
    **dict.fromkeys(matching_codes.TARGET_NAMES, "a target of this colour, needed with the rule `targets`"),
    "wall": "a wall, which never vanishes",
    "vanishing": "a cell that is shown vanishing; it counts as filled",
}


@cache
def pair_words() -> MapWords:
    """Returns the words of pairs."""
    values = worded(
        (*HALF_VALUES, *PLACE_VALUES, *PAIR_COUNTERS, *OUTCOME, *ram_writer.SHARED, *ram_writer.PER_PLAYER, *PADS),
        _PAIR_VALUES,
    )
    return MapWords(
        profiles={
            FAMICOM_1991.name: "Puyo Puyo for the Famicom, 1991 and 1993",
            TSU.name: "the rules of the series from 1994 on, with offset and two previews",
        },
        values={name: ValueWord(meaning, _need_of_pairs(name)) for name, meaning in values.items()},
        rules=_rule_words(_PAIR_RULES, PROFILES, _pair_number),
        kinds=worded(codes.KIND_NAMES, _PAIR_KINDS),
        piece_codes=worded(codes.HALF_NAMES, _PAIR_HALVES),
        timing=_timing_words(PAIRS),
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


@cache
def matching_words() -> MapWords:
    """Returns the words of matching games."""
    most = dataclasses.replace(
        COLUMNS, most_garbage=matching_rules.LIMITS["most_garbage"][1]
    )  # has all names that rules can have
    values = worded((*COUNTERS, *OUTCOME, *SHARED, *per_player(most), *PADS), _MATCHING_VALUES)
    return MapWords(
        profiles={
            CAPSULES.name: "joined halves, targets and stages: Dr. Mario and its kind",
            COLUMNS.name: "columns of three, whose button changes their order",
        },
        values={name: ValueWord(meaning, _need_of_matching(name)) for name, meaning in values.items()},
        rules=_rule_words(_MATCHING_RULES, matching_rules.PROFILES, _matching_number),
        kinds=worded(matching_codes.KIND_NAMES, _MATCHING_KINDS),
        piece_codes=dict.fromkeys(codes.COLOR_NAMES, "a colour; as many as the rule `colors`"),
        timing=_timing_words(MATCHING),
        regions={},
        choices={
            "level": "`--level`: the stage",
            "pace": "`--pace`: 0 slow, 1 medium, 2 fast",
            "mode": "`--mode`, `AIvsAI`",
        },
        notes=(
            "Any other kind of cell is an obstacle, or empty with `solid: false`. With the rule `joined` a cell needs "
            "`link`.",
            "Times that a map does not state are those of the demo cartridge. Without `gravity` one input is sent at a "
            "time.",
            "Nothing can be `learn`, and `place` is refused.",
        ),
    )


def _need_of_pairs(name: str) -> str:
    if name in PLACE_VALUES:
        return BY_CELLS
    if name in HALF_VALUES:
        return YES
    return REPLAYED if name in (*ram_writer.REPLAYED, *PADS) else NO


def _need_of_matching(name: str) -> str:
    if name in piece_values(CAPSULES):
        return YES
    if name in piece_values(COLUMNS):
        return f"{YES}, for pieces of three"
    return REPLAYED if name in (*replayed(COLUMNS), *PADS, *GARBAGE["line"], *GARBAGE["pending"]) else NO


def _timing_words(demo: Timing) -> Mapping[str, TimingWord]:
    return {name: TimingWord(default=written(getattr(demo, name))) for name in demo.names()}


def _rule_words(
    meanings: Mapping[str, str],
    profiles: Mapping[str, FieldRules],
    number: Callable[[str, bool], str],
) -> Mapping[str, RuleWord]:
    """Returns the words of the rules; `number` returns what a rule that is a number, or a list of them, may be."""
    example = next(iter(profiles.values()))
    return {
        name: RuleWord(
            meaning,
            _may_be(name, getattr(example, name), number),
            {profile: written(_as_in_map(name, getattr(rules, name))) for profile, rules in profiles.items()},
        )
        for name, meaning in worded(names_of(type(example)), meanings).items()
    }


def _may_be(name: str, example: Any, number: Callable[[str, bool], str]) -> str:
    if name == "match":
        return ", ".join(f"`{word}`" for word in MATCHES)
    if name == "death_cells":
        return "[column, row, column, row, ...]"
    if isinstance(example, bool):
        return "`true` or `false`"
    return "[orientation, column, row]" if isinstance(example, Piece) else number(name, isinstance(example, tuple))


def _pair_number(name: str, is_list: bool) -> str:
    if is_list:
        return wholes(0, MOST_POWER)
    most = whole(*LIMITS[name])
    return most if OTHER_LIMITS[name] == LIMITS[name] else f"{most} ({' to '.join(map(str, OTHER_LIMITS[name]))})"


def _matching_number(name: str, is_list: bool) -> str:
    return (wholes if is_list else whole)(*matching_rules.LIMITS[name])


def _as_in_map(name: str, value: Any) -> Any:
    if isinstance(value, Piece):
        return value.orientation, value.column, value.row
    return MATCHES[value] if name == "match" else value
