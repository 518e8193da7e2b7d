"""What a start of `play` costs: one engine a seat, few modules, few calls in a frame."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

SCRIPT = """
import json, sys
from emubot.cli import main
from emubot.games.tetris.search import engine
from emubot.pilot import pilot

engines, frames = [], []
made, see = engine.engine_for, pilot.Pilot.see

def counted(*args, **options):
    engines.append(1)
    return made(*args, **options)

def profiled(self, frame):
    calls = [0]
    def count(stack, event, arg):
        calls[0] += event == "call"
    before = self.tally.pieces
    sys.setprofile(count)
    try:
        see(self, frame)
    finally:
        sys.setprofile(None)
    if before:
        frames.append(calls[0])

engine.engine_for, pilot.Pilot.see = counted, profiled
words = ["play", *sys.argv[1:], "--demo", "tetris", "--bridge", "simulated", "--pieces", "12", "--emu-speed", "max"]
assert main([*words, "--view", "none", "--quiet"]) == 0
modules = [name for name in sys.modules if name.partition(".")[0] == "emubot"]
print(json.dumps({"engines": len(engines), "frames": sorted(frames), "modules": modules}))
"""


def started(*words: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.jit
def test_one_engine_a_seat_few_modules_and_few_calls_in_a_frame() -> None:
    start = started()
    assert start["engines"] == 1
    frames = start["frames"]
    assert frames[len(frames) * 9 // 10] <= 60, "a quiet frame: its plan is followed"
    assert frames[-1] <= 250, "the fullest frame of a decision"
    modules = start["modules"]
    for unused in ("explain", "learning", "foresight", "trials", "anyboard", "textbook"):
        assert not any(f".tetris.{unused}" in name for name in modules), unused
    assert not any(name.startswith(("emubot.games.motion", "emubot.cartridge", "emubot.learn")) for name in modules)
    assert len(modules) < 170


@pytest.mark.slow
@pytest.mark.jit
def test_each_of_two_bots_has_an_engine() -> None:
    assert started("AIvsAI")["engines"] == 2
