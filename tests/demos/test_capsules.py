"""The capsules demo: its image is what its sources say, and its header and its words are plain."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np

from emubot import demos
from emubot.games.colours.matching_rules import CAPSULES
from emubot.games.colours.timing import MATCHING, timing_of
from emubot.games.declared import demo_family
from emubot.rammap import load_map
from tests.programs import require_cc65

SOURCES = Path(demos.__file__).parent / "capsules"


def test_image_is_what_the_sources_assemble_to(tmp_path: Path) -> None:
    require_cc65()
    built, unlinked = tmp_path / "capsules.nes", tmp_path / "capsules.o"
    subprocess.run(["ca65", "capsules.s", "-o", unlinked], cwd=SOURCES, check=True)
    subprocess.run(["ld65", "-C", "capsules.cfg", "-o", built, unlinked], cwd=SOURCES, check=True)
    assert built.read_bytes() == demos.image("capsules").read_bytes(), "reassemble: emubot/demos/README.md says how"


def test_header_is_plain_nrom_and_vectors_point_into_the_program() -> None:
    data = demos.image("capsules").read_bytes()
    assert data[:16] == b"NES\x1a\x01\x01" + bytes(10)
    assert len(data) == 16 + 0x4000 + 0x2000
    vectors = np.frombuffer(data[16 + 0x4000 - 6 : 16 + 0x4000], dtype="<u2")
    assert (vectors >= 0xC000).all()


def test_no_source_says_a_trade_mark() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in SOURCES.iterdir()).lower()
    assert not re.search("mario|nintendo|virus|vitamin|doctor|sega|tetris|puyo", words)


def test_the_map_states_the_family_s_own_rules_and_timing() -> None:
    ram_map = load_map("demo_capsules")
    assert timing_of(ram_map, MATCHING) == MATCHING
    assert ram_map.timing.keys() >= {"gravity", "paces", "most_speed_ups", "soft_drop", "settle", "vanish", "per_row"}
    assert (ram_map.family, ram_map.profile, dict(ram_map.rules)) == ("matching", CAPSULES.name, {})
    assert demo_family("capsules").name == "matching"
    assert demo_family("puyo").name == "puyo"
