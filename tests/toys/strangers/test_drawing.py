"""What is drawn: the same for the same seed, every value of every switch, and nothing that cannot work together."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from emubot.pad import Pad
from tests.toys.strangers import Stranger, build, stranger, truth
from tests.toys.strangers.__main__ import main
from tests.toys.strangers.drawing import problem
from tests.toys.strangers.memory import addresses, board_of
from tests.toys.strangers.properties import properties

STRANGERS = [stranger(seed) for seed in range(300)]
VALUES: dict[str, tuple[object, ...]] = {
    "columns": tuple(range(6, 13)),
    "rows": tuple(range(12, 23)),
    "hidden": (0, 1, 2),
    "piece_set": ("seven", "some", "others"),
    "orientations": ("different", "four", "two", "one", "mixed"),
    "cells": ("byte", "half", "bit"),
    "pointers": ("none", "interleaved", "split", "numbers"),
    "column_stride": (1, 2),
    "named": ("byte", "dense", "two", "pointer", "cells"),
    "y_kind": ("cells", "pixels", "halves", "up"),
    "parks": (0, 0xF0, 0xFF),
    "between": ("lock", "clear", "both", "nothing", "silent"),
    "poll": (1, 2, 3, 4),
    "down": ("hold", "press", "drop"),
    "turning": ("both", "swapped", "A", "B", "UP", "nothing"),
    "level_format": ("none", "binary", "bcd", "digits"),
    "lines_format": ("none", "binary", "bcd", "digits"),
    "score_format": ("none", "binary", "bcd", "digits"),
    "title": (Pad.START, Pad.A, Pad.B, Pad.SELECT, Pad.A | Pad.B, Pad.UP, Pad.DOWN, Pad.LEFT, Pad.RIGHT),
    "over": ("title", "again", "wait"),
    "variables": ("zero page", "page", "scattered"),
}
SIZES = ("columns", "rows", "hidden")
OPTIONAL = tuple(
    name for name, field in Stranger.__dataclass_fields__.items() if field.type == "bool" and name != "drifts"
)


def test_a_seed_is_always_the_same_stranger() -> None:
    for seed in (0, 7, 100_000):
        assert stranger(seed) == stranger(seed)
        assert truth(stranger(seed)) == truth(stranger(seed))
    assert stranger(0) != replace(stranger(1), seed=0)


@pytest.mark.parametrize("name", VALUES)
def test_every_value_occurs(name: str) -> None:
    found = [getattr(drawn, name) for drawn in STRANGERS]
    assert {*found} == {*VALUES[name]}
    least = 1 if name in (*SIZES, "title") else 0.07 * len(found)
    assert min(map(found.count, VALUES[name])) >= least


@pytest.mark.parametrize("name", OPTIONAL)
def test_every_switch_is_on_and_off(name: str) -> None:
    on = sum(getattr(drawn, name) for drawn in STRANGERS)
    assert 0.07 * len(STRANGERS) <= on <= 0.93 * len(STRANGERS)


def test_nothing_is_drawn_that_cannot_work_together() -> None:
    assert not any(problem(drawn) for drawn in STRANGERS)
    assert problem(replace(stranger(0), cells="bit", empty=3)) == "a bit has two codes"


def test_no_two_things_share_a_byte() -> None:
    for drawn in STRANGERS:
        at = addresses(drawn)
        board = board_of(drawn, at["board"])
        cells = {row + byte for row in board.row_starts for byte in board.row_bytes}
        assert cells <= {*range(board.at, board.at + board.size)}
        single = [
            at[name]
            for name in ("pos_x", "pos_y", "piece", "state", "timer", "rng", "draw_row", "last", "row_table")
            if name in at
        ]
        assert len({*single}) == len(single)
        assert not cells & {*single}


def test_every_stranger_says_its_properties() -> None:
    assert len({name for drawn in STRANGERS for name in properties(drawn)}) > 100


def test_the_command_writes_a_cartridge_and_its_truth(tmp_path: Path) -> None:
    main(
        [
            "3",
            "--out",
            str(tmp_path),
            "--set",
            "title=A+B",
            "--set",
            "gravity=20,12",
            "--set",
            "level_format=bcd",
            "--set",
            "screens=level",
        ]
    )
    data = (tmp_path / "stranger_3.nes").read_bytes()
    told = json.loads((tmp_path / "stranger_3.json").read_text(encoding="ascii"))
    assert len(data) == 16 + 0x4000 + 0x2000
    assert told["truth"]["menus"]["title"] == "A+B"
    assert told["switches"]["gravity"] == [20, 12]
    build(stranger(3), tmp_path)
    assert (tmp_path / "stranger_3.nes").read_bytes() != data


def test_the_command_says_what_does_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["3", "--out", str(tmp_path), "--set", "cells=bit", "--set", "empty=3"])
    assert "a bit has two codes" in capsys.readouterr().err
