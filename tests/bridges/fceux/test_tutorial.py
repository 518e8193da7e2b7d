"""docs/tutorials/emulator.md as it stands: FCEUX with emubot's script, and the bot in a second terminal."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.bridges.fceux.emulator import CONFIG, GAMES, require, screen
from tests.pages import DOCS, blocks_of
from tests.test_pages import place

PAGE = DOCS / "tutorials" / "emulator.md"
BLOCKS = [block for block in blocks_of(PAGE) if block.mark.startswith("run by ")]


@pytest.mark.emulators
@pytest.mark.fceux
@pytest.mark.xdist_group("fceux-port")  # the one that the page names
def test_the_bot_plays_in_fceux_as_the_tutorial_says(tmp_path: Path) -> None:
    require("fceux")
    clone, environment = place(tmp_path)
    (tmp_path / ".fceux").mkdir()
    (tmp_path / ".fceux" / "fceux.cfg").write_text(CONFIG, encoding="ascii")
    environment["PATH"] += GAMES
    opened, played = (block.code for block in BLOCKS)
    with screen() as display:
        shown = {"HOME": str(tmp_path), "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "SDL_AUDIODRIVER": "dummy"}
        emulator = subprocess.Popen(
            ["sh", "-c", f". .venv/bin/activate\n{opened}"],
            cwd=clone,
            env={**environment, **shown, "LIBGL_ALWAYS_SOFTWARE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            done = subprocess.run(
                ["sh", "-c", played], cwd=clone, env=environment, capture_output=True, text=True, check=False
            )
        finally:
            os.killpg(emulator.pid, signal.SIGKILL)
            emulator.wait()
    assert done.returncode == 0, done.stderr
    assert "pieces: 20 pieces" in done.stderr
    assert "0 misplaced" in done.stderr
