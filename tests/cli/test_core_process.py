"""`emubot play` with cores that fail: one sentence, exit code 3, a clean stdout, no folder left, the cursor shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from emubot.cli import doctor_bridges, main
from emubot.demos import image
from emubot.session import emulators
from emubot.systems.cores import suffix
from emubot.trace import read_trace
from tests.bridges.cores import require_core
from tests.bridges.toy import build_toy
from tests.families import default_edition

pytestmark = [
    pytest.mark.xdist_group("signals"),
    pytest.mark.skipif(os.name != "posix", reason="cores run in the one process here"),
]


def played(core: Path) -> list[str]:
    return ["play", "--rom", str(image("tetris")), "--core", str(core), "--emu-speed", "max"]


def command(core: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "emubot", *played(core), *words]


def child_of(process: int) -> int:
    """The number of the process that hosts the core, once there is one."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError):
            for word in Path(f"/proc/{process}/task/{process}/children").read_text().split():
                if "emubot.bridges.hosted.child" in Path(f"/proc/{word}/cmdline").read_text():
                    return int(word)
        time.sleep(0.01)
    raise AssertionError("no child process")


@pytest.mark.parametrize(
    ("flags", "how"),
    [
        (["FAILS=1", "PRINTS"], "was ended by SIGSEGV"),
        pytest.param(["FAILS=2"], "was ended by SIGABRT", marks=pytest.mark.slow),
        pytest.param(["FAILS=3", "PRINTS"], "ended by itself with exit code 0", marks=pytest.mark.slow),
    ],
)
def test_a_core_that_fails_is_one_sentence_and_code_3(
    tmp_path: Path, flags: list[str], how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    core = build_toy(tmp_path, *flags)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    assert main([*played(core), "--json", "-q"]) == 3
    said = capfd.readouterr()
    (sentence,) = said.err.splitlines()
    told = json.loads(said.out)
    assert (told["result"], told["frames"], f"emubot: {told['error']}") == ("error", 20, sentence)
    assert sentence.startswith(f"emubot: Toy 1.0 {how}"), sentence
    assert "in frame 20, with blocks.nes" in sentence, sentence
    assert not list(temporary.iterdir())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find the child")
@pytest.mark.core("fceumm")
def test_the_terminal_and_the_recording_are_whole_after_a_crash(tmp_path: Path) -> None:
    core = require_core("fceumm")
    import pty

    recorded, part = tmp_path / "game.npz", tmp_path / "game.npz.part"
    ours, theirs = pty.openpty()
    playing = subprocess.Popen(
        command(core, "--level", "9", "--record", str(recorded)),
        env={**os.environ, "COLUMNS": "200"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        stdin=theirs,
    )
    os.close(theirs)
    shown = bytearray()
    with suppress(OSError):  # the other end of a pseudo-terminal that is closed
        while more := os.read(ours, 4096):
            shown += more
            # The board hides the cursor; then some seconds of a game.
            if b"\x1b[?25l" in shown and part.exists() and part.stat().st_size > 20_000:
                os.kill(child_of(playing.pid), signal.SIGSEGV)
                break
        while more := os.read(ours, 4096):
            shown += more
    os.close(ours)
    assert playing.wait(60) == 3, shown
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l"), "the cursor is shown again"
    assert b"was ended by SIGSEGV" in shown
    assert b"Traceback" not in shown

    assert not part.exists(), "it became the file"
    trace = read_trace(recorded)
    assert trace.frames > 60
    assert default_edition("tetris").recorder.verify(trace)[0] == 0, "every row is whole"
    failed = int(shown.partition(b"in frame ")[2].partition(b", with")[0].replace(b",", b""))
    assert len(trace.inputs) == failed - 1, "the pads of every frame but the one that failed"


@pytest.mark.few(1)
@pytest.mark.parametrize("flags", [("FAILS=1",), ("FAILS_AT_LOAD",)])
def test_doctor_survives_a_core_that_crashes(
    tmp_path: Path, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its probe and its demo run in child processes, for otherwise this one is gone."""
    cores = tmp_path / "cores"
    cores.mkdir()
    build_toy(cores, *flags).rename(cores / f"fceumm_libretro{suffix()}")
    monkeypatch.setenv("EMUBOT_CORES", str(cores))
    monkeypatch.setattr(doctor_bridges, "_STARTED", ("libretro",))
    monkeypatch.setattr(emulators, "ATTACHED", ())
    assert main(["doctor", "--json"]) == 1
    findings = {row["name"]: row for row in json.loads(capsys.readouterr().out)["findings"]}
    assert findings["libretro"]["good"] is False
    assert "was ended by SIGSEGV" in findings["libretro"]["text"]


def test_the_core_runs_in_this_process_where_that_is_wanted(tmp_path: Path) -> None:
    """A crash then takes emubot with it: that is how it is known."""
    core = build_toy(tmp_path, "FAILS=1")
    done = subprocess.run(
        command(core, "--core-process", "off", "-q"),
        env={**os.environ, "TMPDIR": str(tmp_path)},  # its folder is left
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == -signal.SIGSEGV
