"""The rules as data: complete, sourced, and overridden with a sentence for what cannot be."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from emubot.errors import MapError, UsageError
from emubot.games.colours.rules import COLUMNS, PROFILES, SOURCES, Rules, rules_of
from emubot.games.colours.timing import PAIRS
from emubot.snapshot import Piece

FIELDS = {field.name for field in dataclasses.fields(Rules)}


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_has_a_source_and_a_certainty(name: str) -> None:
    assert set(SOURCES[name]) == FIELDS
    for source, certainty in SOURCES[name].values():
        assert source
        assert certainty in {"stated", "inferred", "unknown"}
    assert PROFILES[name].name == name


def test_the_two_fields() -> None:
    famicom, tsu = PROFILES["famicom-1991"], PROFILES["tsu"]
    assert (famicom.visible_rows, famicom.stored_rows, famicom.ghost_rows) == (13, 14, 0)
    assert (tsu.visible_rows, tsu.stored_rows, tsu.ghost_rows) == (12, 13, 1)


def test_tables_as_published() -> None:
    assert PROFILES["famicom-1991"].chain_power == (0, 8, 16, 32, 64, 128, 256, 512, 999)
    tsu = PROFILES["tsu"].chain_power
    assert len(tsu) == 19
    assert tsu[:6] == (0, 8, 16, 32, 64, 96)
    assert tsu[-1] == 512
    for rules in PROFILES.values():
        assert rules.color_bonus == (0, 3, 6, 12, 24, 48)
        assert rules.group_bonus == (0, 2, 3, 4, 5, 6, 7, 10)


def test_the_clock_never_gets_slower() -> None:
    assert list(PAIRS.gravity) == sorted(PAIRS.gravity, reverse=True)
    assert PAIRS.gravity[-1] >= PAIRS.soft_drop


def test_overrides_replace_and_leave_the_profile_alone() -> None:
    rules = rules_of(
        "tsu",
        {"colors": 5, "death_cells": (2, 0, 3, 0), "spawn": [0, 3, 0], "quick_turn": False, "chain_power": [4, 20]},
    )
    assert rules.colors == 5
    assert rules.death_cells == ((2, 0), (3, 0))
    assert rules.spawn == Piece(0, 3, 0)
    assert rules.quick_turn is False
    assert rules.chain_power == (4, 20)
    assert PROFILES["tsu"].colors == 4
    assert rules_of("tsu", {"death_cells": [[1, 0]]}).death_cells == ((1, 0),)
    assert rules_of("tsu") == PROFILES["tsu"]


def test_an_unknown_profile_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"no rules 'fever': known are famicom-1991, tsu"):
        rules_of("fever")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colours", 4),
        ("name", "mine"),
        ("colors", 7),
        ("colors", 0),
        ("colors", True),
        ("colors", "4"),
        ("offset", 1),
        ("spawn", [0, 2]),
        ("spawn", [4, 2, 0]),
        ("spawn", [0, COLUMNS, 0]),
        ("death_cells", []),
        ("death_cells", [2]),
        ("death_cells", [2, 12]),
        ("chain_power", []),
        ("chain_power", [-1]),
        ("group_bonus", "0 2 3"),
        ("visible_rows", 14),
    ],
)
def test_what_cannot_be_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(MapError):
        rules_of("tsu", {name: value})


def test_more_rows_than_a_board_has_room_for_are_refused() -> None:
    with pytest.raises(MapError, match="at most 14 stored rows, not 15"):
        rules_of("famicom-1991", {"hidden_rows": 2})
