"""A screen for the window's tests: an X server without a monitor, what it shows, and a keyboard script for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.extras import WINDOW

SCREEN = (1280, 1024)


def missing(what: str) -> NoReturn:
    """Skip for want of something, or fail where EMUBOT_REQUIRE_WINDOW=1 says that it must be there."""
    if os.environ.get("EMUBOT_REQUIRE_WINDOW") == "1":
        pytest.fail(f"needs {what}")
    pytest.skip(f"needs {what}", allow_module_level=True)


def require_pygame() -> Any:
    """The module pygame, imported as the window does."""
    try:
        import pygame  # noqa: F401
    except ImportError:
        missing(WINDOW.refusal())
    from emubot.view.window.sdl import pygame as quiet

    return quiet


class Stage:
    """An X server of its own with one screen of 1280 x 1024."""

    def __init__(self, folder: Path) -> None:
        """Start Xvfb; the test is skipped where it is missing."""
        server = shutil.which("Xvfb")
        if server is None:
            missing("Xvfb: apt-get install xvfb")
        self._folder = folder
        reader, writer = os.pipe()
        words = [
            server,
            "-displayfd",
            str(writer),
            "-screen",
            "0",
            f"{SCREEN[0]}x{SCREEN[1]}x24",
            "-fbdir",
            str(folder),
        ]
        # Without -noreset the server starts anew when a window closes, and refuses the next one meanwhile.
        words += ["-nolisten", "tcp", "-noreset"]
        quiet = subprocess.DEVNULL
        self._server = subprocess.Popen(words, pass_fds=(writer,), stdout=quiet, stderr=quiet)
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            missing(f"an Xvfb that starts: it ended with code {self._server.wait(10)}")
        self.display = f":{number}"

    def screen(self) -> NDArray[np.uint8]:
        """What is on the screen now: uint8 (height, width, 3), RGB, from the server's own frame buffer (xwd format)."""
        raw = (self._folder / "Xvfb_screen0").read_bytes()
        header = np.frombuffer(raw[:100], dtype=">u4")
        start = int(header[0]) + int(header[19]) * 12  # header and colour table
        width, height, line = int(header[4]), int(header[5]), int(header[12])
        pixels = np.frombuffer(raw, np.uint8, count=line * height, offset=start).reshape(height, line)
        return pixels[:, : width * 4].reshape(height, width, 4)[:, :, 2::-1].copy()

    def type(self, *words: str) -> None:
        """Use the keyboard as a person does: words of xdotool such as `key F1` or `keydown x`."""
        tool = shutil.which("xdotool")
        if tool is None:
            missing("xdotool: apt-get install xdotool")
        subprocess.run([tool, *words], env={**os.environ, "DISPLAY": self.display}, check=True, timeout=20)

    def close(self) -> None:
        """Stop the server."""
        self._server.terminate()
        self._server.wait(10)


def until(condition: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    """Wait for something that another process does."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, f"never happened: {what}"
        time.sleep(0.01)
