"""The committed cartridges are what the assembler makes of the committed source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.bridges.cores import ROMS, pad_cartridge
from tests.programs import require_cc65


@pytest.mark.parametrize(("name", "flags"), [("pads", []), ("pads_lag", ["-D", "LAG=1"])])
def test_reassembled_cartridge_is_the_committed_one(name: str, flags: list[str], tmp_path: Path) -> None:
    require_cc65()
    compiled, made = tmp_path / "pads.o", tmp_path / "pads.nes"
    subprocess.run(["ca65", *flags, str(ROMS / "pads.s"), "-o", str(compiled)], check=True)
    subprocess.run(["ld65", "-C", str(ROMS / "nrom.cfg"), str(compiled), "-o", str(made)], check=True)
    assert made.read_bytes() == (ROMS / f"{name}.nes").read_bytes()


@pytest.mark.parametrize("name", ["pads", "pads_lag"])
def test_cartridge_is_small_and_plain(name: str) -> None:
    cartridge = pad_cartridge(name)
    assert (cartridge.mapper, cartridge.prg, cartridge.chr, cartridge.battery) == (0, 0x4000, 0x2000, False)
