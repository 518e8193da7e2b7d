"""`emubot clean`: what is there, what goes only when it is asked for, and what never goes."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import platformdirs
import pytest

from emubot.cli import clean, main
from tests.cli.refusals import sentence

MINE = {
    "caches": ["cache/kernels/a/one.nbc", "cache/attached/fceux", "cache/maps/x.yaml"],
    "cores": ["data/cores/fceumm_libretro.so"],
    "data": ["data/scripts/emubot-fceux.lua"],
    "recordings": ["data/recordings/game.npz"],
    "results": ["data/arena/results.json"],
    "runs": ["data/runs/first/weights.json"],
}
OTHERS = ["cache/somebody.txt", "config/ram_maps/mine.yaml", "config/config.toml", "data/what-is-this"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folders: cache, data and config; the cache is one that holds other things too."""
    for name in ("data", "config"):
        monkeypatch.setattr(platformdirs, f"user_{name}_dir", lambda *_, name=name, **__: str(tmp_path / name))
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(tmp_path / "cache"))
    for file in [*OTHERS, *(file for files in MINE.values() for file in files)]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(bytes(1500))
    return tmp_path


def left(home: Path) -> set[str]:
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}


def test_alone_it_says_what_is_there_and_removes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = left(home)
    assert main(["clean"]) == 0
    said = capsys.readouterr().out
    for line in ("caches      1.5 kB in 1 file: ", "cores ", "data ", "recordings ", "results ", "runs "):
        assert line in said
    assert f"Your own maps, weights and settings stay in {home / 'config'}" in said
    assert left(home) == before


@pytest.mark.parametrize("words", [["caches"], ["cores"], ["data"], ["recordings"], ["runs"], ["results", "cores"]])
def test_it_removes_what_is_named_and_nothing_else(words: list[str], home: Path) -> None:
    before = left(home)
    assert main(["clean", *words, "--yes"]) == 0
    assert before - left(home) == {file for word in words for file in MINE[word]}


def test_all_is_what_emubot_can_make_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "all", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row["what"] for row in told["folders"] if row["removed"]} == {"caches", "cores", "data"}
    assert told["removed_bytes"] == 5 * 1500
    assert left(home) == {*OTHERS, *MINE["recordings"], *MINE["results"], *MINE["runs"]}
    assert main(["clean", "all", "--yes"]) == 0  # nothing is left to remove


def test_without_yes_nothing_goes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = left(home)
    assert main(["clean", "cores"]) == 2
    assert f"Nothing is removed without --yes: it would be {home / 'data' / 'cores'} (1.5 kB)." in sentence(capsys)
    assert left(home) == before


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "goes"), [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_a_person_at_a_terminal_is_asked(answer: str, goes: bool, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", asked)
    assert main(["clean", "cores"]) == (0 if goes else 2)
    assert "emubot: remove" in asked.getvalue()
    assert "[y/N]" in asked.getvalue()
    assert (home / MINE["cores"][0]).exists() is not goes


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_no_link_is_followed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = home / "outside"
    outside.mkdir()
    (outside / "precious").write_bytes(bytes(9))
    (home / "cache" / "kernels" / "link").symlink_to(outside)
    scripts = home / "data" / "scripts"
    scripts.rename(home / "elsewhere")
    scripts.symlink_to(home / "elsewhere")
    assert main(["clean", "caches", "data", "--yes"]) == 0
    assert "data        a link, which is left alone: " in capsys.readouterr().out
    assert (outside / "precious").exists()
    assert (home / "elsewhere" / "emubot-fceux.lua").exists()
    assert scripts.is_symlink()
    assert not (home / "cache" / "kernels").exists()


def test_a_wrong_word_is_one_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "cahces", "--yes"]) == 2
    assert "there is nothing 'cahces' to remove (did you mean caches?): caches, cores, " in sentence(capsys)


def test_nothing_at_all_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("data", "config"):
        monkeypatch.setattr(platformdirs, f"user_{name}_dir", lambda *_, **__: str(tmp_path / "none"))
    monkeypatch.setenv("EMUBOT_CACHE_DIR", str(tmp_path / "none"))
    assert main(["clean"]) == 0
    assert capsys.readouterr().out == "emubot keeps nothing on this machine yet.\n"


def test_what_cannot_be_removed_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path / "x"))

    monkeypatch.setattr(shutil, "rmtree", denied)
    assert main(["clean", "cores", "--yes"]) == 4
    assert sentence(capsys) == f"emubot: {home / 'data' / 'cores' / 'x'} cannot be removed: Permission denied.\n"


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2_340_000, "2.3 MB"), (5e9, "5.0 GB")]
)
def test_sizes_in_words(size: int, shown: str) -> None:
    assert clean.size_of(size) == shown
