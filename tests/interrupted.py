"""Runs emubot in a session of its own, interrupts it, and tells what it left: for the tests of signals (Linux only)."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 60.0  # nobody waits so long but on a machine that stands still
NOISE = re.compile("Traceback|Fatal|Exception ignored|leaked|mistake in emubot|Error")
HIDES, SHOWS = "\x1b[?25l", "\x1b[?25h"
MAIN = "from emubot.cli import main; sys.exit(main())"
# What a test runs in place of the console script may say "now" and wait, at any moment it likes.
PLANTED = """
import os, sys, time
def now(*_):
    os.write(2, b"now\\n")
    until = time.monotonic() + 180
    while time.monotonic() < until:
        time.sleep(0.01)
class Importing:
    def find_spec(self, name, *_):
        if name == self.name:
            now()
sys.argv[0] = "emubot"
"""


class Interrupted:
    """`emubot WORDS`, or `script` with those words, with a folder of its own for temporary files."""

    def __init__(self, folder: Path, words: Sequence[str], script: str = "", *, terminal: bool = False, **more: str):
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self._mark = f"EMUBOT_TEST={folder}"
        environment = {**os.environ, "TMPDIR": str(self.temporary), "EMUBOT_TEST": str(folder), **more}
        environment["PYTHONFAULTHANDLER"] = "1"  # where it crashes is part of what it says
        command = [sys.executable, "-c", PLANTED + (script or MAIN), *words]
        self._out, theirs = pty.openpty() if terminal else os.pipe()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=theirs, stderr=theirs, stdin=theirs, start_new_session=True
        )
        os.close(theirs)
        self.said = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in [self.process.pid, *self.left()] if self.process.poll() is None else self.left():
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        self.close()

    def close(self) -> None:
        """Close the terminal, or the other end of the pipe."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1

    def read(self, seconds: float) -> bool:
        """Take what is said meanwhile; False at its end."""
        ready, _, _ = select.select([self._out], [], [], seconds)
        try:
            came = os.read(self._out, 1 << 16) if ready else b""
        except OSError:  # how a terminal ends
            return False
        self.said += came.decode(errors="replace")
        return bool(came) or not ready

    def read_for(self, seconds: float) -> None:
        """Take what is said for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self.read(left):
            pass

    def wait_for(self, words: str) -> None:
        """Until it has said so."""
        until = time.monotonic() + PATIENCE
        while words not in self.said:
            assert self.read(0.1), f"it ended and said {self.said!r}"
            assert time.monotonic() < until, f"it never said {words!r} but {self.said!r}"

    def wait_until_it_listens(self) -> None:
        """Until its handlers are in place: before that signals are the interpreter's."""
        status = Path(f"/proc/{self.process.pid}/status")
        while self.process.poll() is None:
            caught = re.search(r"SigCgt:\s*(\w+)", status.read_text())
            if caught and int(caught[1], 16) >> (signal.SIGHUP - 1) & 1:
                return

    def wait_for_file(self, folder: Path, pattern: str) -> None:
        """Until there is one."""
        until = time.monotonic() + PATIENCE
        while not any(folder.rglob(pattern)):
            self.read(0.01)
            assert self.process.poll() is None, f"it ended and said {self.said!r}"
            assert time.monotonic() < until, f"there never was a {pattern}"

    def wait_for_children(self, number: int) -> None:
        """Until so many of its processes have begun."""
        until = time.monotonic() + PATIENCE
        while len(self.left()) <= number:
            self.read(0.01)
            assert self.process.poll() is None, f"it ended and said {self.said!r}"
            assert time.monotonic() < until

    def send(self, number: int, times: int = 1, *, to_all: bool = False) -> None:
        """A signal, as a terminal sends it to all of its processes or `kill` to one; a millisecond between two."""
        for again in range(times):
            time.sleep(0.001 * bool(again))
            if self.process.poll() is None:
                (os.killpg if to_all else os.kill)(self.process.pid, number)

    def end(self) -> int:
        """Wait for its end, look for what must not be left; the exit code."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < until, f"it did not end and said {self.said!r}"
            if self._out < 0 or not self.read(0.05):
                time.sleep(0.01)
        until = time.monotonic() + 10
        while (left := self.left()) and time.monotonic() < until:
            time.sleep(0.02)
        while self._out >= 0 and select.select([self._out], [], [], 0)[0] and self.read(0):
            pass
        assert not left, [Path(f"/proc/{process}/cmdline").read_bytes() for process in left]
        assert [*self.temporary.rglob("*")] == []
        assert not NOISE.search(self.said), self.said
        assert self.said.rfind(HIDES) <= self.said.rfind(SHOWS)
        return self.process.returncode

    def left(self) -> list[int]:
        """The processes of this run that there are, the first of them included."""
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit() and self._is_ours(path)]

    def _is_ours(self, process: Path) -> bool:
        try:
            ours = self._mark.encode() in (process / "environ").read_bytes().split(b"\0")
            return ours and (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:  # ended since it was listed
            return False
