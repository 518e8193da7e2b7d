"""Fixtures of the movies' tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emubot.cartridge import load_cartridge
from emubot.demos import image
from emubot.pad import Pad
from emubot.trace import read_trace, write_trace
from tests.movies.recordings import RECORDED


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A recorded game that says it was played on the demo in FCEUmm from power-on."""
    trace = read_trace(RECORDED)
    about = {"core": "FCEUmm git 1", "rom": load_cartridge(image("tetris")).sha1, "bridge": "libretro"}
    file = tmp_path / "game.npz"
    inputs = np.zeros((trace.frames + 10, 2), dtype=np.uint8)
    inputs[7, 0] = Pad.START
    write_trace(file, replace(trace, inputs=inputs, about=about))
    return file
