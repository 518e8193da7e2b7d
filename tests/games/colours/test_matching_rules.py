"""The rules and the timing of matching games: overrides, refusals, sources, stages, gravity."""

from __future__ import annotations

from typing import Any

import pytest

from emubot.errors import MapError, UsageError
from emubot.games.colours.field_rules import names_of
from emubot.games.colours.matching_rules import (
    CAPSULES,
    COLUMNS,
    GROUPS,
    PROFILES,
    SOURCES,
    Rules,
    color_of,
    entry_cells,
    rules_of,
)
from emubot.games.colours.timing import MATCHING
from emubot.snapshot import Piece


@pytest.mark.parametrize("name", PROFILES)
def test_each_rule_has_a_source_and_a_certainty(name: str) -> None:
    assert set(SOURCES[name]) == {"name", *names_of(Rules)}
    assert {certainty for _, certainty in SOURCES[name].values()} <= {"stated", "inferred", "unknown"}


def test_a_map_may_override_rules() -> None:
    made = rules_of("columns", {"match": "groups", "match_size": 4, "spawn": [0, 3, 2], "colors": 4})
    assert (made.match, made.match_size, made.spawn, made.colors) == (GROUPS, 4, Piece(0, 3, 2), 4)
    assert rules_of("capsules", {"target_rows": [9]}).target_rows == (9,)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"gravity": 3}, "no rule 'gravity'"),
        ({"columns": 13}, "4 to 12"),
        ({"colors": True}, "2 to 6"),
        ({"match": "knights"}, "lines, diagonals, groups"),
        ({"joined": 1}, "true or false"),
        ({"spawn": [0, 3]}, "orientation, column, row"),
        ({"spawn": [0, 7, 0]}, "outside the field"),
        ({"targets": [0]}, "list of numbers from 1"),
        ({"target_rows": []}, "Targets need rows"),
        ({"piece_cells": 3}, "Only pieces of two"),
        ({"hidden_rows": 4, "visible_rows": 20}, "at most 20"),
    ],
)
def test_rules_that_make_no_sense_are_refused(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(MapError, match=message):
        rules_of("capsules", overrides)


def test_there_are_no_other_profiles() -> None:
    with pytest.raises(UsageError, match="capsules, columns"):
        rules_of("marbles")


def test_stages_have_more_targets_up_to_84() -> None:
    assert [CAPSULES.stage_targets(stage) for stage in (0, 1, 19, 20, 99)] == [4, 8, 80, 84, 84]
    assert [CAPSULES.stage_rows(stage) for stage in (0, 14, 15, 17, 19, 20)] == [10, 10, 11, 12, 13, 13]
    assert COLUMNS.stage_targets(3) == 0


def test_gravity_quickens_every_ten_pieces() -> None:
    fast = [MATCHING.frames_per_row(MATCHING.index(CAPSULES, 2, pieces)) for pieces in (0, 9, 10, 100, 489, 490, 5000)]
    assert fast == [14, 14, 13, 7, 2, 1, 1]
    assert MATCHING.frames_per_row(MATCHING.index(CAPSULES, 0, 0)) == 40


def test_entries_and_colours() -> None:
    assert entry_cells(CAPSULES) == ((3, 0), (4, 0))
    assert entry_cells(COLUMNS) == ((2, 0), (2, 1), (2, 2))
    assert [color_of(kind) for kind in (0, 3, 7, 8, 13)] == [0, 3, 0, 0, 3]
