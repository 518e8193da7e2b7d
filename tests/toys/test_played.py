"""Every toy is played from its map, no piece misplaced, as image in a core and as its twin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emubot import games
from emubot.bridges.libretro import connect
from emubot.bridges.protocol import Bridge
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.pilot import Goal, Pilot, Skill, Tally
from emubot.rammap import parse_map
from emubot.tempo import tempo_for_speed
from tests.bridges.cores import CORES, require_core
from tests.pieces import PIECES
from tests.programs import require_cc65
from tests.toys.__main__ import main as write_toys
from tests.toys.addresses import LAG_FRAMES
from tests.toys.cartridge import build
from tests.toys.machine import ToyMachine
from tests.toys.maps import map_text
from tests.toys.recount import Recount
from tests.toys.shelf import TOYS

LONG = 200  # pieces


def played(name: str, bridge: Bridge, pieces: int) -> Tally:
    """Plays a toy by its map; the pilot's count of misplaced pieces is that of the toy's own bytes."""
    toy, game = TOYS[name], games.game("tetris")
    ram_map = parse_map(map_text(toy), name)
    pilot = Pilot(bridge, Goal(pieces, games=None), game.open(ram_map), Skill(tempo=tempo_for_speed(10)))
    recount = Recount(pilot, toy)
    tally = pilot.run()
    assert pilot.result == "pieces"
    assert (recount.pieces, recount.misplaced) == (tally.pieces, tally.misplaced)
    return tally


@pytest.mark.few(4)
@pytest.mark.jit
@pytest.mark.parametrize("name", TOYS)
@PIECES
def test_the_twin_is_played_by_its_map(name: str, pieces: int) -> None:
    machine = ToyMachine(TOYS[name])
    tally = played(name, SimulatedBridge(machine), pieces)
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (pieces, 0, 0, 0)


@pytest.mark.jit
@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize(
    ("core", "pieces"),
    [
        pytest.param("nestopia", 20, marks=pytest.mark.core("nestopia")),
        *(pytest.param(core, LONG, marks=[pytest.mark.core(core), pytest.mark.slow]) for core in CORES),
    ],
)
def test_the_image_is_played_in_a_core(name: str, core: str, pieces: int, tmp_path: Path) -> None:
    image = build(TOYS[name], tmp_path)
    with connect(rom=image, core=str(require_core(core)), emu_speed=None) as bridge:
        tally = played(name, bridge, pieces)
        assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (pieces, 0, 0, 0)
        assert int.from_bytes(bridge.read("ram", LAG_FRAMES, 2), "little") == 0


@pytest.mark.jit
@pytest.mark.core("fceumm")
def test_the_commands_take_a_cartridge_and_its_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = str(require_core("fceumm"))
    write_toys([str(tmp_path)])
    assert main(["maps", "check", *(str(tmp_path / f"{name}.yaml") for name in TOYS)]) == 0
    capsys.readouterr()
    files = ["--rom", str(tmp_path / "wide.nes"), "--map", str(tmp_path / "wide.yaml"), "--core", core]
    assert main(["play", "10", *files, "--pieces", "20", "--view", "none", "--emu-speed", "max", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["pieces"], found["misplaced"], found["lag_frames"]) == (20, 0, 0)


def test_toys_are_written_into_a_folder_beside_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_cc65()
    monkeypatch.chdir(tmp_path)
    write_toys(["unknown", "wide"])
    assert {path.name for path in (tmp_path / "unknown").iterdir()} == {"wide.nes", "wide.yaml"}
