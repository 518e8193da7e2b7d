"""The main job on the capsules cartridge in each real core: stage after stage, and against itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emubot.cli import main
from emubot.trace import read_trace
from tests.bridges.cores import in_each_core, require_core
from tests.families import default_edition


def played(capsys: pytest.CaptureFixture[str], name: str, words: str, record: Path) -> dict[str, Any]:
    core = ["--core", str(require_core(name)), "--record", str(record)]
    command = ["play", *words.split(), "--demo", "capsules", "--emu-speed", "max", "--view", "none", "--json", *core]
    assert main(command) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["bridge"], told["result"]) == ("libretro", "pieces")
    assert (told["misplaced"], told["replans"], told["lag_frames"]) == (0, 0, 0)
    for path in told["recorded"]:
        assert default_edition("matching").recorder.verify(read_trace(Path(path))) == (0, -1)
    return told


@pytest.mark.jit
@in_each_core("name", quick="fceumm")
@pytest.mark.parametrize("pieces", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_stage_after_stage(name: str, pieces: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = played(capsys, name, f"10 --pieces {pieces} --level 0 --pace medium", tmp_path / "game.npz")
    assert told["pieces"] == pieces
    assert told["stages"] >= pieces // 200, "stages were won"


@pytest.mark.jit
@in_each_core("name", quick="nestopia")
@pytest.mark.parametrize("pieces", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_against_itself(name: str, pieces: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = played(capsys, name, f"10 AIvsAI --pieces {pieces} --level 1 --pace fast", tmp_path / "game.npz")
    assert min(player["pieces"] for player in told["players"]) >= pieces
    assert told["games"] == 2 * told["wins"], "each game has one winner"
