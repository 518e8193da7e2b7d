"""`emubot play` with cores that fail: one sentence, exit code 3, a clean stdout, no folder left, the cursor shown."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from bridges.cores import require_core
from bridges.toy import build_toy

from emubot.demos import image

pytestmark = [
    pytest.mark.xdist_group("signals"),
    pytest.mark.skipif(os.name != "posix", reason="cores run in the one process here"),
]


def command(core: Path, *words: str) -> list[str]:
    play = [sys.executable, "-m", "emubot", "play", "--rom", str(image("tetris")), "--core", str(core)]
    return [*play, "--emu-speed", "max", *words]


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
        (["FAILS=2"], "was ended by SIGABRT"),
        (["FAILS=3", "PRINTS"], "ended by itself with exit code 0"),
    ],
)
def test_a_core_that_fails_is_one_sentence_and_code_3(tmp_path: Path, flags: list[str], how: str) -> None:
    core = build_toy(tmp_path, *flags)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        command(core, "--json", "-q"),
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith(f"emubot: Toy 1.0 {how}"), sentence
    assert "in frame 20, with blocks.nes" in sentence, sentence
    assert not list(temporary.iterdir())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find the child")
@pytest.mark.core("fceumm")
def test_the_terminal_is_whole_after_a_crash(tmp_path: Path) -> None:
    core = require_core("fceumm")
    ours, theirs = pty.openpty()
    playing = subprocess.Popen(command(core), stdout=subprocess.DEVNULL, stderr=theirs, stdin=theirs)
    os.close(theirs)
    shown = bytearray()
    with suppress(OSError):  # the other end of a pseudo-terminal that is closed
        while more := os.read(ours, 4096):
            shown += more
            if b"\x1b[?25l" in shown:  # the board hides the cursor
                os.kill(child_of(playing.pid), signal.SIGSEGV)
                break
        while more := os.read(ours, 4096):
            shown += more
    os.close(ours)
    assert playing.wait(60) == 3, shown
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l"), "the cursor is shown again"
    assert b"was ended by SIGSEGV" in shown
    assert b"Traceback" not in shown


def test_the_core_runs_in_this_process_where_that_is_wanted(tmp_path: Path) -> None:
    """A crash then takes emubot with it: that is how it is known."""
    core = build_toy(tmp_path, "FAILS=1")
    done = subprocess.run(
        command(core, "--core-process", "off", "-q"), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == -signal.SIGSEGV
