"""`emubot doctor --report`: what the report of a fault needs, and no name of the person's."""

from __future__ import annotations

import getpass
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emubot import __version__
from emubot.cli import doctor, main
from emubot.cli.discretion import Discretion
from emubot.cli.doctor_bridges import ReportLine
from emubot.cli.doctor_report import PACKAGES, report
from tests.conftest import MakeCartridge
from tests.paths import ROOT

# Words that emubot's own files do not have.
ODD = st.text("qxzjvkwQXZJVKW", min_size=5, max_size=12)
SECRET = "8675309"
NAMES = ("user", "host", "folder", "cartridge", "map", "place", "game")


class Somebody:
    """A machine on which everything is named by words of a person's."""

    def __init__(self, patch: pytest.MonkeyPatch, top: Path, words: Sequence[str]) -> None:
        self.words = dict(zip(NAMES, words, strict=True))
        user, host, folder, cartridge, own, place, game = words
        home = top / user
        for name in ("USER", "LOGNAME", "USERNAME"):
            patch.setenv(name, user)
        patch.setenv("HOSTNAME", host)
        patch.setattr(platform, "node", lambda: f"{host}.{place}.example")
        patch.setattr(getpass, "getuser", lambda: user)
        patch.setenv("HOME", str(home))
        patch.setattr(Path, "home", lambda: home)
        for kind in ("config", "data", "cache"):
            patch.setattr(f"platformdirs.user_{kind}_dir", lambda *_, kind=kind, **__: str(home / kind / "emubot"))
        patch.setenv("EMUBOT_CORES", os.pathsep.join([str(home / folder), str(top / place)]))
        patch.setenv("EMUBOT_ROMS", str(home / "games"))
        patch.setenv("EMUBOT_CACHE_DIR", str(top / place / "cache"))
        patch.setenv("TERM", game)
        (home / "settings").parent.mkdir(parents=True, exist_ok=True)
        (home / "settings").write_text(f'[play]\nspeed = 5\ncore = "{folder}/{place}.so"\n', encoding="utf-8")
        patch.setenv("EMUBOT_CONFIG", str(home / "settings"))
        patch.setenv("EMUBOT_NTC_SECRET", SECRET)
        (home / "games").mkdir(parents=True, exist_ok=True)
        (home / "games" / f"{cartridge}.nes").write_bytes(b"no cartridge")
        maps = home / "config" / "emubot" / "ram_maps"
        maps.mkdir(parents=True, exist_ok=True)
        (maps / f"{own}.yaml").write_text(f"title: {game}\n", encoding="utf-8")
        self.findings = [
            ReportLine("core", True, f"FCEUmm git ec7a6271: {home}/{folder}/fceumm_libretro.so"),
            ReportLine("map", False, f"{maps / own}.yaml:1: title: found {game!r}; name a map"),
            ReportLine("cache", None, f"{top / place / 'cache'} cannot be written (Permission denied)"),
            ReportLine("cartridge", True, f"{cartridge}.nes: {game}"),
            ReportLine("cartridge", None, f"{cartridge}.nes is not known"),
            ReportLine(
                "retroarch", True, f"RetroArch 1.14: latency 2 frames; it plays /srv/{game} {place}/x.nes on {host}"
            ),
            ReportLine("mesen", None, f"D:\\{game}\\{place}.exe of {user} at {host}:55355 does not answer"),
        ]


def leaks(text: str, words: Sequence[str]) -> list[str]:
    return [word for word in words if word.lower() in text.lower()]


@settings(max_examples=10)
@given(words=st.lists(ODD, min_size=7, max_size=7, unique_by=str.lower))
def test_no_name_of_a_person_is_in_it(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.MonkeyPatch.context() as patch:
        somebody = Somebody(patch, tmp_path_factory.mktemp("top"), words)
        text = report(somebody.findings)
    assert leaks(text, [*words, SECRET]) == []
    assert "EMUBOT_NTC_SECRET set" in text
    assert "settings    play.speed=5, play.core\n" in text
    assert "ok    core: FCEUmm git ec7a6271: " in text
    assert "fceumm_libretro.so" in text
    assert "(Permission denied)" in text
    assert "RetroArch 1.14: latency 2 frames" in text
    assert "note  cartridges: 1 that a map knows, 1 that none does" in text
    assert "cartridge: " not in text
    assert "1 of one's own" in text


@pytest.mark.parametrize(
    "words",
    [
        ("root", "emubot", "core", "map", "python", "linux", "games"),  # names that emubot itself uses
        ("Zoë", "Ærø-7", "Øre Sund", "Łódź II", "日本", "ñandú", "straße 9"),
        ("j.doe", "jd-laptop", "j d", "j_d (2)", "[jd]", "jd+1", "j*d?"),
    ],
)
def test_names_of_all_kinds_are_left_out_of_the_checks(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = Somebody(monkeypatch, tmp_path, words)
    text = report(somebody.findings)
    assert text.isascii()
    checks = text.partition("\nchecks\n")[2]
    assert str(tmp_path) not in text
    assert checks.endswith(" of <...> at <...>:55355 does not answer\n")
    for word in (words[2], words[3], words[5]):
        assert f"/{word}" not in checks
    assert not re.search(r"Zo|[^\x00-\x7f]|jd|laptop|nand|stra", checks)


def test_what_a_fault_needs_is_in_it(
    tmp_path: Path, make_cartridge: MakeCartridge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "bridge_findings", lambda *_, **__: [ReportLine("fceux", None, "No FCEUX answers.")])
    for slow in ("_cores", "_weights"):
        monkeypatch.setattr(doctor, slow, lambda: ReportLine("some", True, "are there"))
    for slow in ("_maps", "_demos"):
        monkeypatch.setattr(doctor, slow, list)
    monkeypatch.setenv("EMUBOT_CONFIG", "")
    monkeypatch.setenv("EMUBOT_ROMS", str(make_cartridge("zqxvj.nes").parent))
    file = tmp_path / "report.txt"
    assert main(["doctor", "--report", str(file)]) == 0
    assert capsys.readouterr().err == f"The report is in {file}. Read it before you send it.\n"
    text = file.read_text(encoding="ascii")
    assert f"emubot      {__version__}, in a checkout\n" in text
    assert platform.python_version() in text
    assert all(re.search(rf"\b{package} \d", text) for package in PACKAGES)
    for part in ("terminal", "variables", "cores", "maps", "weights", "cache"):
        assert re.search(rf"^{part} +\S", text, re.MULTILINE), part
    assert "nes_tetris_usa" in text
    assert "  note  fceux: No FCEUX answers.\n" in text
    assert "zqxvj" not in text
    assert str(tmp_path) not in text
    assert "settings    none\n" in text

    before = file.read_bytes()
    assert main(["doctor", "--report", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == "", "it is refused before the checks"
    assert said.err == f"emubot: {file} is there already: name another file, or replace it with --force.\n"
    assert file.read_bytes() == before
    assert main(["doctor", "--report", str(file), "--force", "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_without_a_home_and_in_an_ascii_locale(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    home = str(tmp_path / "a file" / "zqxvj")  # nothing can be written there
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "EMUBOT_"))}
    environment |= {"HOME": home, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "USER": "zqxvj"}
    code = "from emubot.cli import doctor, main; doctor.bridge_findings = lambda *_, **__: []; raise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor", "--report", str(tmp_path / "räport")],
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    text = (tmp_path / "räport").read_text(encoding="ascii")
    assert "zqxvj" not in text
    assert "NOT writable" in text or "usual folder" in text


def test_a_user_without_a_home_in_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Path:
        raise FileNotFoundError

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "cwd", gone)
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("EMUBOT_CORES", str(tmp_path))
    assert Discretion.of_this_machine()(f"found in {tmp_path}") == "found in <EMUBOT_CORES>"


def test_words_that_emubot_does_not_know_are_left_out() -> None:
    discretion = Discretion({"/places/me": "~", "me": "<...>"}, {"no", "core", "in", "found", "x86", "so"})
    for text, left in (
        ("No core found in /places/me/abc/core.so", "No core found in ~/<...>/core.so"),
        ("found me in x86, 60.5 ms", "found <...> in x86, 60.5 <...>"),
        ("/usr/share/x found; C:\\Users\\me\\x.so", "<...> found; <...>"),
        ("core 0x1F2e3d4c5b", "core <...>"),
        ("1234abcd5678 12ms 3x 4jim", "1234abcd5678 12ms 3x <...>"),
    ):
        assert discretion(text) == left
