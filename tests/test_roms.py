"""Cartridges of the user's own: played in each core, and every recorded frame compared with the simulator.

None comes with the project. Those in the folder `EMUBOT_ROMS` are found by their hash, whatever they are called.
"""

from __future__ import annotations

import json
import os
import zipfile
from functools import cache
from pathlib import Path

import pytest

from emubot import games
from emubot.cartridge import load_cartridge
from emubot.cli import main
from emubot.datafiles import shipped
from emubot.demos import image
from emubot.errors import RomError
from emubot.rammap import RamMap, load_map
from tests.bridges.cores import CORES, in_each_core, require_core

PIECES, DEMO_PIECES = 100, 15
LISTED = [
    (ram_map, known)
    for ram_map in (load_map(path) for path in sorted(shipped("ram_maps").glob("*.yaml")))
    for known in ram_map.identities
]
DEMO_SHA1 = load_cartridge(image("tetris")).sha1


@cache
def cartridges(folder: Path) -> dict[str, Path]:
    """SHA-1 of PRG and CHR -> file, of every cartridge in the folder; what is none is passed over."""
    found = {}
    for path in sorted(folder.iterdir() if folder.is_dir() else []):
        try:
            found[load_cartridge(path).sha1] = path
        except RomError:
            continue
    return found


def required_cartridge(title: str, sha1: str) -> Path:
    """The user's file with this hash; without it the test is skipped, saying what was looked for."""
    named = os.environ.get("EMUBOT_ROMS", "")
    found = cartridges(Path(named)).get(sha1) if named else None
    if found is None:
        where = f"in the folder {named}" if named else "but EMUBOT_ROMS names no folder"
        pytest.skip(f"looked for {title}, SHA-1 {sha1} (.nes, or .zip with one), {where}")
    return found


def check(rom: Path, core: Path, pieces: int, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plays the cartridge in the core; every piece lands where it was meant to, every frame is the simulator's."""
    options = (
        f"--rom {rom} --core {core} --pieces {pieces} --level 18 --emu-speed max --view none --json --record {record}"
    )
    assert main(["play", *options.split()]) == 0
    played = json.loads(capsys.readouterr().out)
    assert played["bridge"] == "libretro"
    assert played["pieces"] == pieces
    assert (played["misplaced"], played["replans"]) == (0, 0)
    assert main(["trace", "verify", "--json", *played["recorded"]]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert verified["mismatches"] == 0
    assert verified["frames"] > pieces


@pytest.mark.jit
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("ram_map", "title", "sha1"),
    [
        pytest.param(ram_map, known.title, known.sha1, id=known.title, marks=pytest.mark.rom(known.title))
        for ram_map, known in LISTED
        if known.sha1 != DEMO_SHA1
    ],
)
def test_an_owners_cartridge(
    ram_map: RamMap, title: str, sha1: str, core: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rom = required_cartridge(title, sha1)
    if ram_map.family not in games.names():
        pytest.skip(f"{title} is of the family {ram_map.family}, which is not played yet")
    check(rom, require_core(core), PIECES, tmp_path / "game.npz", capsys)


@pytest.mark.jit
@in_each_core("core", quick="nestopia")
@pytest.mark.parametrize("name", ["renamed.bin", "packed.zip"])
def test_the_same_with_the_demo_as_if_it_were_an_owners(
    name: str, core: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = require_core(core)
    folder = tmp_path / "roms"
    folder.mkdir()
    if name.endswith(".zip"):
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(image("tetris"), "any name.NES")
    else:
        (folder / name).write_bytes(image("tetris").read_bytes())
    (folder / "notes.txt").write_text("no cartridge")
    monkeypatch.setenv("EMUBOT_ROMS", str(folder))
    assert required_cartridge("the demo", DEMO_SHA1) == folder / name
    check(folder / name, path, DEMO_PIECES, tmp_path / "game.npz", capsys)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EMUBOT_ROMS", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match=f"looked for Some Game, SHA-1 0123.*in the folder {tmp_path}"):
        required_cartridge("Some Game", "0123")
    monkeypatch.delenv("EMUBOT_ROMS")
    with pytest.raises(pytest.skip.Exception, match="EMUBOT_ROMS names no folder"):
        required_cartridge("Some Game", "0123")
