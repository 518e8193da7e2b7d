"""The words of this family's maps, each with its meaning, for docs/maps.md; knows no map, no frame and no search."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from emubot.games.colours.decode.matching_codes import COLOR_NAMES, KIND_NAMES, TARGET_NAMES
from emubot.games.colours.decode.matching_values import (
    COUNTERS,
    GARBAGE,
    SHARED,
    per_player,
    piece_values,
    replayed,
)
from emubot.games.colours.field_rules import names_of
from emubot.games.colours.matching_rules import CAPSULES, COLUMNS, LIMITS, MATCHES, PROFILES, Rules
from emubot.games.colours.matching_timing import DEMO, USED
from emubot.games.map_words import (
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
_RULES: Final = {
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
_KINDS: Final = {
    **dict.fromkeys(COLOR_NAMES, "a colour; as many as the rule `colors`"),
    **dict.fromkeys(TARGET_NAMES, "a target of this colour, needed with the rule `targets`"),
    "wall": "a wall, which never vanishes",
    "vanishing": "a cell that is shown vanishing; it counts as filled",
}


@cache
def words() -> MapWords:
    """Returns the words of the family."""
    most = dataclasses.replace(COLUMNS, most_garbage=LIMITS["most_garbage"][1])  # has all names that rules can have
    values = worded((*COUNTERS, *OUTCOME, *SHARED, *per_player(most), *PADS), _VALUES)
    known = worded(names_of(Rules), _RULES)
    return MapWords(
        profiles={
            CAPSULES.name: "joined halves, targets and stages: Dr. Mario and its kind",
            COLUMNS.name: "columns of three, whose button changes their order",
        },
        values={name: ValueWord(meaning, _need(name)) for name, meaning in values.items()},
        rules={name: RuleWord(meaning, _may_be(name), _defaults(name)) for name, meaning in known.items()},
        kinds=worded(KIND_NAMES, _KINDS),
        piece_codes=dict.fromkeys(COLOR_NAMES, "a colour; as many as the rule `colors`"),
        timing={name: TimingWord(default=written(getattr(DEMO, name))) for name in USED},
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


def _need(name: str) -> str:
    if name in piece_values(CAPSULES):
        return YES
    if name in piece_values(COLUMNS):
        return f"{YES}, for pieces of three"
    return REPLAYED if name in (*replayed(COLUMNS), *PADS, *GARBAGE["line"], *GARBAGE["pending"]) else NO


def _may_be(name: str) -> str:
    example = getattr(CAPSULES, name)
    if name == "match":
        return ", ".join(f"`{word}`" for word in MATCHES)
    if isinstance(example, bool):
        return "`true` or `false`"
    if isinstance(example, Piece):
        return "[orientation, column, row]"
    return wholes(*LIMITS[name]) if isinstance(example, tuple) else whole(*LIMITS[name])


def _defaults(name: str) -> Mapping[str, object]:
    return {profile: written(_as_in_map(name, getattr(rules, name))) for profile, rules in PROFILES.items()}


def _as_in_map(name: str, value: Any) -> Any:
    if isinstance(value, Piece):
        return value.orientation, value.column, value.row
    return MATCHES[value] if name == "match" else value
