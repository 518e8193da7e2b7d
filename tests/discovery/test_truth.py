"""The judge of maps: a map made from the truth has no wrong line, and each wrong line is noticed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from emubot.rammap import parse_map
from tests.bridges.cores import require_core
from tests.discovery.runs import Run, run
from tests.discovery.told_map import map_of, map_text
from tests.discovery.truth import has_early_name, wrong_buttons, wrong_in
from tests.toys.strangers import build, stranger, truth
from tests.toys.strangers.reading import Memory, Reading

pytestmark = pytest.mark.core("fceumm")
SEED = 14  # all counters, a next piece, turns both ways
SEEDS = [SEED, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (5, 9, 13, 15, 20, 23, 25, 27))]


def played(seed: int, folder: Path) -> Run:
    told = truth(stranger(seed))
    return run(map_of(told), told, build(stranger(seed), folder), str(require_core("fceumm")))


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Memory]:
    return played(SEED, tmp_path_factory.mktemp("played")).frames


@pytest.mark.jit
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_wrong_in_the_map_of_the_truth(seed: int, tmp_path: Path) -> None:
    told, seen = truth(stranger(seed)), played(seed, tmp_path)
    assert seen.faults == wrong_buttons(map_of(told), told) == wrong_in(map_of(told), told, seen.frames) == []


@pytest.mark.jit
@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        (r"  lines: { at: \w+", "  lines: { at: 0x01", "values.lines"),
        (r"order: big }\n  level", "order: little }\n  level", "values.score"),
        (r"  level: {", "  level: { offset: 1,", "values.level"),
        (r"(next_piece.* 0x00: )(\d+)(, 0x01: )(\d+)", r"\1\4\3\2", "values.next_piece"),
        (r"  y: { at: \w+", "  y: { at: 0x01", "values.piece, x, y and pieces"),
        (r"  rows: \d+", "  rows: 31", "grid.rows"),
        (r"  rows: \d", "  rows: ", "grid.rows"),
        (r"  columns: (\d+)", r"  columns: 9", "grid.columns"),
        (r"(  at: 0x...)\w", r"\g<1>F", "grid"),
        (r"clockwise: (9|11), counterclockwise: (9|11)", r"clockwise: \2, counterclockwise: \1", "pieces"),
        (r"rotate_clockwise: A", "rotate_clockwise: UP", "buttons.rotate_clockwise"),
        (r"  left: LEFT", "  left: RIGHT", "buttons.left"),
        (r"  soft_drop: DOWN", "  hard_drop: DOWN", "buttons.hard_drop"),
        (r"phase: over", "phase: playing", "phases"),
    ],
)
def test_each_wrong_line_is_noticed(right: str, wrong: str, key: str, frames: Sequence[Memory]) -> None:
    told = truth(stranger(SEED))
    text, changes = re.subn(right, wrong, map_text(told), count=1)
    assert changes
    ram_map = parse_map(text, "changed")
    said = [*wrong_buttons(ram_map, told), *wrong_in(ram_map, told, frames)]
    assert key in {sentence.split(":")[0] for sentence in said}


def test_a_piece_that_locked_may_have_the_next_ones_name(frames: Sequence[Memory]) -> None:
    told = truth(stranger(SEED))
    values = told["state"]["values"]
    reading = Reading({**told, "state": {**told["state"], "values": {**values, "lock": values["play"]}}})
    own = next(memory for memory in frames if reading.state(memory) == values["lock"])
    number, row = reading.piece(own).number, told["place"]["y"]["at"]
    names = {memory[told["piece"]["at"]] for memory in frames if reading.state(memory) == values["play"]}
    early, entered = own.copy(), own.copy()
    early[told["piece"]["at"]] = entered[told["piece"]["at"]] = next(
        name for name in names if reading.named([int(name)])[0] != number
    )
    entered[row] = 0
    assert has_early_name(reading, own, early)
    assert not has_early_name(reading, own, entered)
    assert not has_early_name(reading, own, own)
    assert not has_early_name(Reading(told), own, early)
