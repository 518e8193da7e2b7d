"""A first start presses its first button before anything is compiled: counted in frames, in the real command."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of a test is a pty")
BUDGET = 300  # frames of the console from its start to the first press: five seconds


def terminal(words: str, cache: Path, ahead: str = "0", until: str = "") -> str:
    """Returns what `emubot play` writes to a terminal whose user has never compiled anything.

    It is interrupted as soon as `until` is read, if that is given.
    """
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = {**os.environ, "EMUBOT_CACHE_DIR": str(cache), "EMUBOT_COMPILE_AHEAD": ahead, "TERM": "xterm"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-m", "emubot", "play", *words.split()]
    done = subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    drawn = b""
    while True:
        try:
            more = os.read(ours, 1 << 16)
        except OSError:  # the end of a terminal
            break
        if not more:
            break
        drawn += more
        if until and until.encode() in drawn:
            done.send_signal(signal.SIGINT)
            until = ""
    os.close(ours)
    assert done.wait(60) in (0, 130), drawn.decode(errors="replace")[-400:]
    return drawn.decode(errors="replace")


@pytest.mark.slow
@pytest.mark.parametrize("demo", ["tetris", pytest.param("puyo", marks=pytest.mark.slow)])
def test_a_first_piece_is_placed_before_anything_is_compiled(demo: str, tmp_path: Path) -> None:
    """Without a press it would fall by itself, for 15 seconds at this level."""
    said = terminal(f"--demo {demo} --bridge simulated --pieces 1", tmp_path)
    assert re.search(r"1 (piece|pair|capsule|column)s?\b.* 0 misplaced", said), said[-400:]
    found = re.search(r"(\d+) frames on simulator", said)
    assert found is not None, said[-400:]
    assert int(found[1]) < BUDGET
    assert not list(tmp_path.rglob("*.nbc")), "nothing was compiled"


@pytest.mark.few(1)
@pytest.mark.parametrize("view", ["--feed", "--view web"])
def test_a_page_shows_a_first_piece_before_anything_is_compiled(view: str, tmp_path: Path) -> None:
    """The page of `play` itself, and what the arena's cockpit starts; nobody looks at either here."""
    for package in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(package)
    environment = {**os.environ, "EMUBOT_CACHE_DIR": str(tmp_path), "EMUBOT_COMPILE_AHEAD": "0", "BROWSER": "true"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    words = ["play", "--demo", "tetris", "--bridge", "simulated", "--pieces", "1", *view.split()]
    command = [sys.executable, "-m", "emubot", *words]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as child:
        assert child.stdout is not None
        said = child.stdout.read().decode(errors="replace")
        assert child.wait(60) == 0, said[-400:]
    assert re.search(r'1 piece\b.* 0 misplaced|"pieces": 1,.*"misplaced": 0', said), said[-400:]
    found = re.search(r'(?:"frames": )?(\d+)(?: frames on simulator|, "fps")', said)
    assert found is not None, said[-400:]
    assert int(found[1]) < BUDGET
    assert not list(tmp_path.rglob("*.nbc")), "nothing was compiled"


@pytest.mark.slow
def test_a_real_cold_start_reaches_full_strength_and_misplaces_nothing(tmp_path: Path) -> None:
    try:
        said = terminal("--demo tetris --bridge simulated --games 20", tmp_path, ahead="1", until="full strength")
        assert "compiling for this machine, first use of falling blocks" in said
        assert "full strength" in said
        found = re.search(r"(\d+) pieces, .* 0 misplaced", said)
        assert found is not None, said[-400:]
        assert int(found[1]) >= 3
    finally:
        for stage in tmp_path.rglob("progress.json"):  # what would compile on, for the next start
            with contextlib.suppress(ProcessLookupError):
                os.kill(json.loads(stage.read_text())["process"], signal.SIGKILL)


def test_what_is_measured_or_repeated_waits_for_its_kernels(tmp_path: Path) -> None:
    from emubot.cli import play

    for words in ("--json", "--seed 3", "--seed=3", f"--record {tmp_path / 'game.npz'}"):
        options = play._parsed(["--demo", "tetris", *words.split()])
        assert play._is_repeated(options, words.split()), words
    assert not play._is_repeated(play._parsed(["--demo", "tetris"]), ["--demo", "tetris"])
