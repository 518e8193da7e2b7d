"""The stand-alone program is built, and started twice from two folders with an empty PATH."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.arena.test_server import client, event, get, hear
from tests.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.jit, pytest.mark.xdist_group("standalone")]

MATCH = {"sides": [{"game": "pairs", "bot": "full"}], "pace": 0}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the program."""
    if find_spec("PyInstaller") is None:
        pytest.skip('PyInstaller is not installed: pip install -e ".[standalone]"')
    folder = tmp_path_factory.mktemp("standalone")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "standalone/emubot.spec"]
    command += [f"--distpath={folder / 'dist'}", f"--workpath={folder / 'work'}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "dist" / "emubot"


def environment(home: Path) -> dict[str, str]:
    """What is left of the environment: a home, and no programs."""
    return {"PATH": "", "HOME": str(home), "EMUBOT_CACHE_DIR": str(home / "cache")}


@contextmanager
def started(program: Path, home: Path) -> Iterator[str]:
    """The address of an arena of the program, which runs in its own folder."""
    words = [str(program / "emubot"), "arena", "--no-open"]
    process = subprocess.Popen(words, env=environment(home), cwd=program, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        assert "http://127.0.0.1:" in said, said + process.stderr.read()
        yield said.split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        process.stderr.close()


def files(home: Path) -> dict[str, int]:
    """What lies in the cache, with the time when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in (home / "cache").rglob("*.nb?")}


def test_it_plays_wherever_it_lies_and_compiles_once(built: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    compiled = []
    for place in ("first", "second"):
        program = tmp_path / place / "emubot"
        shutil.copytree(built, program, symlinks=True)
        with started(program, home) as url:
            page = get(url, "/")
            assert page.status == 200
            with client(url) as made:
                event(made, "welcome")
                made.send(json.dumps({"type": "start", "match": MATCH}))
                hear(made, lambda words: words["event"] == "running" and words["sides"][0]["pieces"] >= 20, 600)  # type: ignore[index]
                made.send(json.dumps({"type": "watch", "options": {"what": "demo:tetris", "bridge": "simulated"}}))
                hear(made, lambda words: words["event"] == "figures" and words["sides"][0]["pieces"] >= 5, 600)  # type: ignore[index]
        shutil.rmtree(program)
        compiled.append(files(home))
    assert compiled[0] == compiled[1] != {}


def test_it_holds_no_core_and_says_where_one_comes_from(built: Path, tmp_path: Path) -> None:
    assert not list(built.rglob("*_libretro*"))
    rom = tmp_path / "mine.nes"
    shutil.copy(next((ROOT / "emubot" / "demos").glob("*.nes")), rom)
    assert said_by(built, tmp_path, "play", "--rom", str(rom)).startswith("emubot: No NES core found.")
    assert "RetroArch's online updater" in said_by(built, tmp_path, "core", "install")


def said_by(built: Path, home: Path, *words: str) -> str:
    """The last line that the program says when it refuses something."""
    command = [str(built / "emubot"), *words]
    done = subprocess.run(command, env=environment(home), check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode not in (0, 1), done.stderr
    return done.stderr.splitlines()[-1]


def test_its_doctor_finds_all_that_it_needs(built: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(built / "emubot"), "doctor"], env=environment(tmp_path), check=False, capture_output=True, text=True
    )
    assert "BAD" not in done.stdout, done.stdout
