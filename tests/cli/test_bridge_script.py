"""`emubot bridge-script`: what an emulator has to load, as a path, as a copy, as JSON; errors in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emubot.bridges.retroarch.config import config_text
from emubot.bridges.scripted.script import SCRIPTED, script_text
from emubot.cli import main


@pytest.mark.parametrize("emulator", SCRIPTED)
def test_a_script_is_written_and_named(
    emulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert main(["bridge-script", emulator]) == 0
    own = Path(capsys.readouterr().out.strip())
    assert own == tmp_path / "data" / "scripts" / f"emubot-{emulator}.lua"
    copy = tmp_path / "my.lua"
    assert main(["bridge-script", emulator, "--out", str(copy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"emulator": emulator, "file": str(copy)}
    assert own.read_text(encoding="utf-8") == copy.read_text(encoding="utf-8") == script_text(emulator)


def test_a_script_begins_with_how_it_is_loaded_and_has_no_part_twice() -> None:
    for emulator in SCRIPTED:
        text = script_text(emulator)
        assert text.isascii()
        assert text.startswith("-- emubot in ")
        assert text.count("local function conversation(") == 1


def test_the_settings_of_retroarch_are_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge-script", "retroarch"]) == 0
    assert capsys.readouterr().out == config_text()
    file = tmp_path / "emubot.cfg"
    assert main(["bridge-script", "retroarch", "--out", str(file)]) == 0
    assert capsys.readouterr().out.strip() == str(file)
    assert file.read_text(encoding="utf-8") == config_text()
    assert main(["bridge-script", "retroarch", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"] == config_text().rstrip("\n")


@pytest.mark.parametrize("emulator", [*SCRIPTED, "retroarch"])
def test_a_place_that_cannot_be_written(emulator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge-script", emulator, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"emubot: {tmp_path} is a folder; name a file in it.\n"


@pytest.mark.parametrize("emulator", [*SCRIPTED, "retroarch"])
def test_a_file_that_is_there_is_replaced_by_force_alone(
    emulator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine"
    file.write_text("somebody's own", encoding="utf-8")
    assert main(["bridge-script", emulator, "--out", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"emubot: {file} is there already: name another file, or replace it with --force.\n"
    )
    assert file.read_text(encoding="utf-8") == "somebody's own"
    assert main(["bridge-script", emulator, "--out", str(file), "--force"]) == 0
    assert file.read_text(encoding="utf-8") != "somebody's own"


@pytest.mark.parametrize("emulator", [*SCRIPTED, "retroarch"])
def test_a_disk_that_fills_up_keeps_what_was(
    emulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine"
    file.write_text("somebody's own", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert main(["bridge-script", emulator, "--out", str(file), "--force"]) == 4
    assert capsys.readouterr().err == f"emubot: {file} cannot be written: No space left on device.\n"
    assert file.read_text(encoding="utf-8") == "somebody's own"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
