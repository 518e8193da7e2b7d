"""`emubot core`: what it prints, where, and its exit codes."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from emubot.bridges.libretro import finding, installing
from emubot.cli import main
from emubot.session import making
from emubot.systems import cores
from emubot.systems.cores import suffix
from tests.bridges import fakes
from tests.bridges.cores import require_core


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no core but what is put into this folder, the user's own."""
    monkeypatch.delenv("EMUBOT_CORES", raising=False)
    monkeypatch.setattr(finding, "install_folder", lambda: tmp_path / "data")
    monkeypatch.setattr(finding, "retroarch_folders", lambda: [tmp_path / "retroarch"])
    monkeypatch.setattr(cores, "retroarch_folders", lambda: [tmp_path / "retroarch"])
    monkeypatch.setattr(finding, "_stable_retro_folder", list)
    return tmp_path / "data"


@pytest.mark.usefixtures("data")
def test_while_a_core_is_downloaded_another_process_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], empty_cache: Path
) -> None:
    made = tmp_path / "words"
    code = f"import sys; open({str(made)!r}, 'w').write(' '.join(sys.argv[1:]))"
    monkeypatch.setattr(making, "program", lambda: [sys.executable, "-c", code])
    monkeypatch.setattr(installing, "PIP", fakes.failing(tmp_path, "ERROR: not reached"))
    assert main(["core", "install"]) == 3
    assert "Compiling" not in capsys.readouterr().err, "tests compile nothing ahead"
    monkeypatch.setenv("EMUBOT_COMPILE_AHEAD", "1")
    assert main(["core", "install"]) == 3
    assert capsys.readouterr().err.startswith("Compiling for this machine meanwhile, about 55 s.\nDownloading")
    until = time.monotonic() + 60
    while not made.exists() or not made.read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert made.read_text() == "compile tetris puyo matching -q"


@pytest.mark.core("fceumm")
def test_install_list_and_install_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    core = require_core("fceumm")
    monkeypatch.setattr(finding, "folders", lambda: [data])
    monkeypatch.setattr(finding, "install_folder", lambda: data)
    made = fakes.wheel(tmp_path / "made.whl", core.read_bytes())
    monkeypatch.setattr(installing, "PIP", fakes.pip(tmp_path, made))
    fakes.publish(monkeypatch, made)
    assert main(["core", "install"]) == 0
    said = capsys.readouterr()
    path = data / f"fceumm_libretro{suffix()}"
    assert said.out.startswith("Installed FCEUmm git ")
    assert f"{path} ({core.stat().st_size:,} bytes)." in said.out
    assert "GNU General Public License" in said.out
    assert str(data / "fceumm_libretro.LICENCE.txt") in said.out
    assert said.err.startswith("Downloading the stable-retro 1.0.1 wheel")

    assert main(["core", "list"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("FCEUmm git ")
    assert listed.endswith(f"  {path}\n")
    assert main(["core", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in told["cores"]] == ["FCEUmm"]
    assert told["looked_in"] == [str(data)]

    monkeypatch.setattr(installing, "PIP", fakes.failing(tmp_path, "ERROR: not reached"))
    assert main(["core", "install"]) == 0
    assert "is installed already in" in capsys.readouterr().out
    assert main(["core", "install", "--force"]) == 3
    assert "not reached" in capsys.readouterr().err
    assert path.read_bytes() == core.read_bytes()


def test_nothing_to_list(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", "list"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith('No NES core found; "emubot core install" fetches one. Looked in:')
    assert str(data) in said.err
    assert main(["core", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cores"] == []


def test_a_broken_core_is_listed_with_its_error(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.mkdir()
    (data / f"fceumm_libretro{suffix()}").write_text("no core", encoding="utf-8")
    assert main(["core", "list", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["cores"][0]
    assert row["name"] is None
    assert "is not a libretro core: it is a text file." in row["error"]


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        ("nestopia", 3, "No core 'nestopia' found. Run \"emubot core install\", or point --core at a *_libretro"),
        (f".{os.sep}missing.so", 3, "There is no core file"),
        ("TEXT", 3, "is not a libretro core: it is a text file."),
        ("LIBRARY", 3, "is not a libretro core: it has no function retro_api_version."),
        ("a b", 2, "is neither a core's short name nor a path"),
    ],
)
def test_an_unusable_core_is_a_sentence_and_an_exit_code(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str, code: int, words: str
) -> None:
    import _cffi_backend

    text = tmp_path / "text_libretro.so"
    text.write_text("no core", encoding="utf-8")
    path = {"TEXT": str(text), "LIBRARY": _cffi_backend.__file__}.get(asked, asked)
    assert main(["core", "list", path]) == code
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("name", ["fceumm", "nestopia"])
@pytest.mark.usefixtures("data")
def test_what_cannot_be_installed_is_a_sentence_and_exit_code_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setattr(installing, "PIP", fakes.failing(tmp_path, "ERROR: No matching distribution found\n"))
    monkeypatch.setattr(installing, "APT", ("no-such-apt-get",))
    assert main(["core", "install", name, "--quiet"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("emubot: ")
    assert "RetroArch's online updater" in said.err
    assert said.err.count("\n") == 1


def test_help_and_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["core", "--help"], ["core", "install", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert "EMUBOT_CORES" in capsys.readouterr().out
    for words in (["core"], ["core", "remove"]):
        assert main(words) == 2
    assert main(["core", "install", "snes9x"]) == 2
    assert "cannot be installed from here; known: fceumm, nestopia" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fceumm", "nestopia"])
@pytest.mark.usefixtures("data")
def test_the_real_thing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", "install", name]) == 0
    assert capsys.readouterr().out.startswith("Installed ")
    assert main(["core", "list", name]) == 0
