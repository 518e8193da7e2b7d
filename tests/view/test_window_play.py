"""`emubot play --view window --human 1` as a person has it: a game for two that begins by itself, a real core."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from emubot.trace import read_trace
from tests.bridges.cores import in_each_core, require_core
from tests.view.stage import Stage, until

pytestmark = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="plays in real time")
BORDER = 0.05  # of the screen: more than this is lit once the picture is there


def lit(stage: Stage) -> float:
    return float((stage.screen().max(axis=2) > 0).mean())


@in_each_core("name", quick="nestopia")
def test_a_keyboard_plays_port_1_against_the_bot(name: str, stage: Stage, tmp_path: Path) -> None:
    words = f"play 10 --demo puyo --view window --human 1 --json --record {tmp_path / 'game.npz'}".split()
    command = [sys.executable, "-m", "emubot", *words, "--core", str(require_core(name))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        until(lambda: child.poll() is not None or lit(stage) > BORDER, "a picture", seconds=240)
        time.sleep(2)  # the game for two begins by itself
        for number in range(4):  # the person plays, not well
            time.sleep(0.4)
            stage.type("key", ("Left", "x", "Right", "z")[number % 4])
            stage.type("keydown", "Down", "sleep", "0.2", "keyup", "Down")
        time.sleep(1)  # a busy machine has the last keys still to play
        stage.type("key", "Escape")
        out, said = child.communicate(timeout=60)
    assert child.returncode == 0, said
    told = json.loads(out)
    assert told["result"] == "closed"
    assert len(told["players"]) == 1, "the bot is one player, the person is none of its"
    assert told["pieces"] >= 2
    assert (told["misplaced"], told["replans"], told["lag_frames"]) == (0, 0, 0)
    (trace,) = (read_trace(Path(path)) for path in told["recorded"])
    person, bot = (set(trace.column(column).tolist()) for column in ("held_buttons", "p2.held_buttons"))
    for button in (0x02, 0x80, 0x01, 0x40, 0x04):  # on a busy machine two keys may be in one frame
        assert any(held & button for held in person), "every key of the person reached port 1"
    assert 0x04 in bot
    assert not bot & {0x10, 0x20}, "the bot has no business with START and SELECT"


@in_each_core("name", quick="fceumm")
def test_a_window_shows_a_first_piece_before_anything_is_compiled(name: str, stage: Stage, tmp_path: Path) -> None:
    """Counted in frames of the console: from power-on through the menus to a piece that the bot has dropped."""
    environment = {**os.environ, "EMUBOT_CACHE_DIR": str(tmp_path), "EMUBOT_COMPILE_AHEAD": "0"}
    words = ["play", "--demo", "tetris", "--view", "window", "--pieces", "1", "--core", str(require_core(name))]
    done = subprocess.run(
        [sys.executable, "-m", "emubot", *words],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert re.search(r"1 piece\b.* 0 misplaced", said), said
    found = re.search(r"(\d+) frames on", said)
    assert found is not None, said
    assert int(found[1]) < 300
    assert not list(tmp_path.rglob("*.nbc")), "nothing was compiled"
