"""`emubot doctor`: one line for each thing, the remedy where something is missing, and its exit code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from emubot.cli import doctor, main
from emubot.demos import image
from emubot.extras import command_for
from tests.bridges.cores import require_core
from tests.conftest import MakeCartridge


def findings(capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, dict[str, Any]]:
    assert main(["doctor", "--json"]) == code
    said = capsys.readouterr()
    assert said.err == ""
    told = json.loads(said.out)
    assert told["ok"] is (code == 0)
    return {finding["name"]: finding for finding in told["findings"]}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch, user_config: Path) -> None:
    """No cartridges, and no emulator but where a test says so."""
    monkeypatch.delenv("EMUBOT_ROMS", raising=False)
    monkeypatch.setattr(doctor, "bridge_findings", lambda *_, **__: [])


@pytest.mark.usefixtures("no_core")
def test_one_cartridge_is_no_cartridges(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {(line[2], *line[-2:]) for line in lines if line[1] == "map"} == {
        ("demo_capsules:", "1", "cartridge"),
        ("demo_pairs:", "1", "cartridge"),
        ("dr_mario_usa:", "2", "cartridges"),
        ("famicom_puyo:", "1", "cartridge"),
        ("nes_tetris_europe:", "1", "cartridge"),
        ("nes_tetris_usa:", "2", "cartridges"),
        ("simulated_columns:", "0", "cartridges"),
        ("simulated_pairs_tsu:", "0", "cartridges"),
        ("tengen_tetris:", "1", "cartridge"),
        ("tetris_gym:", "0", "cartridges"),
    }


@pytest.mark.usefixtures("no_core")
def test_a_machine_without_a_core_can_play_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(capsys)
    assert found["core"]["good"] is None
    assert 'Run "emubot core install"' in found["core"]["text"]
    assert found["demo"] == {"name": "demo", "good": True, "text": "capsules: known to the map demo_capsules"}
    assert found["map"]["text"].endswith(" cartridges")
    assert "meatfighter" in found["weights"]["text"]
    assert found["cartridges"]["good"] is None


@pytest.mark.usefixtures("no_core")
def test_for_people_and_quietly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line[:4] for line in lines} <= {"ok  ", "note"}
    assert main(["doctor", "-q"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.core("fceumm")
def test_a_core_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    core = require_core("fceumm")
    monkeypatch.setenv("EMUBOT_CORES", str(core.parent))
    assert findings(capsys)["core"]["good"] is True


def test_a_broken_core_map_and_package_are_bad_and_end_with_1(
    no_core: Path, user_config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from emubot.systems.cores import suffix

    no_core.mkdir(parents=True)
    (no_core / f"fceumm_libretro{suffix()}").write_text("no core", encoding="utf-8")
    (user_config / "ram_maps").mkdir()
    (user_config / "ram_maps" / "mine.yaml").write_text("title: Mine\n", encoding="utf-8")
    (user_config / "weights").mkdir()
    (user_config / "weights" / "mine.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(doctor, "_PACKAGES", ("numpy", "emubot-no-such-package"))
    found = findings(capsys, code=1)
    bad = {name: finding["text"] for name, finding in found.items() if finding["good"] is False}
    assert bad.keys() >= {"core", "map", "weights", "emubot-no-such-package"}
    assert "it is a text file" in bad["core"]
    assert "mine.yaml" in bad["map"]
    assert "mine.json" in bad["weights"]
    assert bad["emubot-no-such-package"] == f"is missing; run: {command_for(['emubot-no-such-package'])}"
    assert main(["doctor", "--quiet"]) == 1
    assert all(line.startswith("BAD ") for line in capsys.readouterr().out.splitlines())


@pytest.mark.usefixtures("no_core")
def test_own_cartridges_are_looked_at(
    tmp_path: Path, make_cartridge: MakeCartridge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "roms"
    folder.mkdir()
    monkeypatch.setenv("EMUBOT_ROMS", str(folder))
    assert "holds no .nes or .zip file" in findings(capsys)["cartridges"]["text"]
    shutil.copy(image("tetris"), folder / "a.nes")
    assert findings(capsys)["cartridge"]["text"] == "a.nes: emubot demo, falling blocks"
    make_cartridge().rename(folder / "b.nes")
    assert "b.nes is not known" in findings(capsys)["cartridge"]["text"]
    monkeypatch.setenv("EMUBOT_ROMS", str(tmp_path / "none"))
    assert "which is no folder" in findings(capsys, code=1)["cartridges"]["text"]


@pytest.mark.usefixtures("no_core")
def test_a_cache_that_cannot_be_written_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(tmp_path / "deep" / "cache"))
    assert findings(capsys)["cache"]["good"] is True
    assert not (tmp_path / "deep").exists(), "looking changes nothing"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert "set EMUBOT_CACHE_DIR to a folder" in findings(capsys)["cache"]["text"]
