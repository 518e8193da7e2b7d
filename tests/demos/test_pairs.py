"""The pairs demo: its image is what its sources say, seed 0 is what the map says, other seeds are what they claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from emubot.demos import image
from emubot.rammap import load_map
from tests.demos.pairs_builder import SOURCES, Build, build, cell_codes, chain_power, gravity, true_map

pytestmark = pytest.mark.xdist_group("builds")  # assembled once for all
SEEDS = range(1, 21)


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Build]:
    folder = tmp_path_factory.mktemp("builds")
    return [build(seed, folder) for seed in SEEDS]


def test_image_is_what_the_sources_assemble_to(tmp_path: Path) -> None:
    built = build(0, tmp_path)
    assert built.path.read_bytes() == image("puyo").read_bytes(), "reassemble: emubot/demos/README.md says how"


def test_header_is_plain_nrom_and_vectors_point_into_the_program() -> None:
    data = image("puyo").read_bytes()
    assert data[:16] == b"NES\x1a\x01\x01" + bytes(10)
    assert len(data) == 16 + 0x4000 + 0x2000
    vectors = np.frombuffer(data[16 + 0x4000 - 6 : 16 + 0x4000], dtype="<u2")
    assert (vectors >= 0xC000).all()


def test_no_screen_says_a_trade_mark() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.s") if path.name != "pairs.s").lower()
    assert not re.search("puyo|nintendo|compile|sega|tetris", words)


def test_seed_0_is_what_the_shipped_map_says(tmp_path: Path) -> None:
    shipped, true = load_map("demo_pairs"), true_map(build(0, tmp_path))
    assert shipped.codes.keys() - true.codes.keys() == {"wall"}
    assert {kind: shipped.codes[kind] for kind in true.codes} == true.codes
    assert (shipped.pieces, shipped.piece_codes) == (true.pieces, true.piece_codes)
    assert shipped.timing == true.timing


@pytest.mark.slow
def test_a_seed_gives_the_same_build_again(builds: list[Build], tmp_path: Path) -> None:
    assert build(1, tmp_path).path.read_bytes() == builds[0].path.read_bytes()


@pytest.mark.slow
def test_the_codes_of_a_build_are_distinct_and_not_the_border(builds: list[Build]) -> None:
    for built in builds:
        codes = cell_codes(built.true)
        assert len(set(codes)) == len(codes)
        assert all(code & built.true["MASK"] == code and code != 0x08 for code in codes)
        halves = [value for name, value in built.true.items() if name.startswith("PIECE_")]
        assert len(set(halves)) == len(halves) == 8
        assert 0 not in halves, "0 says that there is no pair"


def test_pairs_of_a_build_enter_within_the_stored_rows(builds: list[Build]) -> None:
    for built in builds:
        x, y, direction = (built.true[name] for name in ("SPAWN_X", "SPAWN_Y", "SPAWN_DIRECTION"))
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[direction]
        assert x in (3, 4)
        assert y in (0, 1, 2)
        assert 1 <= x + dx <= 6
        assert 0 <= y + dy <= 13


def test_tables_of_a_build_are_in_their_bounds(builds: list[Build]) -> None:
    for built in builds:
        frames = gravity(built.true)
        assert frames == sorted(frames, reverse=True)
        assert 40 >= frames[0] > frames[-1] == 2
        power = chain_power(built.true)
        assert power[0] == 0
        assert power == sorted(power)
        assert power[-1] <= 999
        assert built.true["SETTLE"] >= 4, "groups are looked for in one of the first two frames"


def values(builds: list[Build], name: str) -> Iterator[int]:
    return (built.true[name] for built in builds)


def test_twenty_seeds_show_every_choice(builds: list[Build]) -> None:
    for name, choices in {
        "KIND_BYTE": {0, 1},
        "CODE_LAYOUT": {0, 1, 2},
        "POP_CODES": {1, 2},
        "PIVOT": {0, 1},
        "ORIENTATION_ORIGIN": {0, 1, 2, 3},
        "SPAWN_X": {3, 4},
        "SPAWN_Y": {0, 1, 2},
        "SPAWN_DIRECTION": {0, 1, 2, 3},
        "CHAIN_TABLE": {0, 1, 2},
    }.items():
        assert set(values(builds, name)) == choices, name
    assert 0 < sum(code == 0 for code in values(builds, "CODE_EMPTY")) < len(SEEDS) // 2
    assert len({tuple(gravity(built.true)) for built in builds}) == len(SEEDS)
