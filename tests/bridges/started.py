"""A real emulator that a test started: attach to it as soon as it answers, or fail at once with what it printed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from emubot.errors import EmulatorNotFound

Answer = TypeVar("Answer")

START = 60.0  # seconds that a loaded machine may take for it
SLICE = 1.0  # seconds between two looks whether it still runs
PRINTED = 20  # lines


def check_runs(process: subprocess.Popen[bytes], log: Path) -> None:
    """Fail the test if the emulator has ended."""
    code = process.poll()
    if code is not None:
        printed = log.read_text(encoding="utf-8", errors="replace").splitlines()[-PRINTED:]
        raise AssertionError("\n".join([f"{process.args!r} has ended with code {code}; it printed:", *printed]))


def attached(process: subprocess.Popen[bytes], log: Path, connect: Callable[[float], Answer]) -> Answer:
    """What `connect` returns, called for so many seconds each time while the emulator runs and nothing answers."""
    due = time.monotonic() + START
    while True:
        check_runs(process, log)
        try:
            return connect(SLICE)
        except EmulatorNotFound:
            if time.monotonic() >= due:
                raise


def answered(process: subprocess.Popen[bytes], log: Path, waiting: Future[Answer]) -> Answer:
    """The same where another thread waits for it."""
    while True:
        check_runs(process, log)
        try:
            return waiting.result(SLICE)
        except TimeoutError:
            pass
