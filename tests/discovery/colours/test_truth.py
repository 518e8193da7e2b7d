"""The judge of maps of colour games: a map made from the truth has no wrong line, and each wrong line is noticed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from emubot.rammap import parse_map
from tests.bridges.cores import require_core
from tests.discovery.colours.truth import played, wrong_in, wrong_rules
from tests.toys.strangers.colours import build, colour_stranger, map_text

pytestmark = [pytest.mark.core("fceumm"), pytest.mark.jit]
SEED = 1  # targets, joined halves, a pause
SEEDS = [SEED, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 3, 8, 13, 20, 22))]


def frames_of(seed: int, folder: Path) -> tuple[list[bytes], list[str]]:
    stranger = colour_stranger(seed)
    ram_map = parse_map(map_text(stranger), stranger.name)
    return played(ram_map, stranger, build(stranger, folder), str(require_core("fceumm")))


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Sequence[bytes]:
    return frames_of(SEED, tmp_path_factory.mktemp("played"))[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_wrong_in_the_map_of_the_truth(seed: int, tmp_path: Path) -> None:
    stranger = colour_stranger(seed)
    ram_map = parse_map(map_text(stranger), stranger.name)
    frames, faults = frames_of(seed, tmp_path)
    assert faults == wrong_rules(ram_map, stranger) == wrong_in(ram_map, stranger, frames) == []


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        (r"match: lines", "match: diagonals", "rules.match"),
        (r"match_size: 4", "match_size: 3", "rules.match_size"),
        (r"kick_left: [Tt]rue", "kick_left: false", "rules.kick_left"),
        (r"targets: \[5", "targets: [4", "rules.targets"),
        (r"target_rows: \[7", "target_rows: [8", "rules.target_rows"),
        (r"spawn: \[0, 4", "spawn: [0, 3", "rules.spawn"),
        (r"  x: 0xF9", "  x: { at: 0xF9, offset: -1 }", "values.x, y, orientation and current"),
        (r"  current_1: 0xF8", "  current_1: { at: 0xF2, overlaps: [next_1] }", "values.x, y, orientation and current"),
        (r"  next_1: 0xF2", "  next_1: { at: 0xF8, overlaps: [current_1] }", "values.next"),
        (r"at: 0x0540", "at: 0x0542", "grid"),
        (r"color_1: 0x15, color_2: 0x16", "color_1: 0x16, color_2: 0x15", "values.x, y, orientation and current"),
        (r"rotate_clockwise: A", "rotate_clockwise: UP", "buttons.rotate_clockwise"),
        (r"soft_drop: DOWN", "hard_drop: DOWN", "buttons.hard_drop"),
        (r"phase: over", "phase: playing", "phases (over)"),
    ],
)
def test_each_wrong_line_is_noticed(right: str, wrong: str, key: str, frames: Sequence[bytes]) -> None:
    stranger = colour_stranger(SEED)
    text, changes = re.subn(right, wrong, map_text(stranger), count=1)
    assert changes
    ram_map = parse_map(text, "changed")
    said = [*wrong_rules(ram_map, stranger), *wrong_in(ram_map, stranger, frames)]
    assert key in {line.split(":")[0] for line in said}
