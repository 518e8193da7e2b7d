"""The demo cartridge: its image is what its sources say, and its header is plain."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from emubot import demos
from emubot.errors import UsageError
from tests.programs import require_cc65

SOURCES = Path(demos.__file__).parent


def test_known_names_have_an_image() -> None:
    assert all(demos.image(name).is_file() for name in demos.IMAGES)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="known: capsules, puyo, tetris"):
        demos.image("chess")


def test_header_is_plain_nrom() -> None:
    image = demos.image("tetris").read_bytes()
    assert image[:4] == b"NES\x1a"
    prg, chr_banks, flags6, flags7 = image[4:8]
    assert (flags6 & 0xF2, flags7) == (0, 0), "mapper 0, no battery, not NES 2.0"
    assert image[8:16] == bytes(8)
    assert len(image) == 16 + prg * 0x4000 + chr_banks * 0x2000


def test_vectors_point_into_the_program() -> None:
    image = demos.image("tetris").read_bytes()
    end_of_prg = 16 + image[4] * 0x4000
    for at in (end_of_prg - 6, end_of_prg - 4, end_of_prg - 2):
        assert int.from_bytes(image[at : at + 2], "little") >= 0x8000


def test_image_is_what_the_sources_assemble_to(tmp_path: Path) -> None:
    require_cc65()
    built = tmp_path / "blocks.nes"
    subprocess.run(["ca65", "blocks.s", "-o", tmp_path / "blocks.o"], cwd=SOURCES, check=True)
    subprocess.run(["ld65", "-C", "blocks.cfg", "-o", built, tmp_path / "blocks.o"], cwd=SOURCES, check=True)
    assert built.read_bytes() == demos.image("tetris").read_bytes(), "reassemble: emubot/demos/README.md says how"


def test_no_screen_says_a_trade_mark() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("screens.s")).lower()
    assert "tetris" not in words
    assert "nintendo" not in words
