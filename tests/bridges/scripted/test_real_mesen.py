"""Mesen's own core with emubot's script in it, where somebody has built it: EMUBOT_MESEN_HOST names mesen_host."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from emubot import Goal, Pilot
from emubot.bridges.check import check_bridge
from emubot.bridges.mesen import connect
from emubot.bridges.scripted import ScriptedBridge, script_text
from emubot.demos import image
from tests.bridges.fceux.emulator import free_port
from tests.bridges.started import START, attached

HOST = os.environ.get("EMUBOT_MESEN_HOST")
pytestmark = [
    pytest.mark.emulators,
    pytest.mark.jit,
    pytest.mark.xdist_group("ports"),
    pytest.mark.skipif(not HOST, reason="needs EMUBOT_MESEN_HOST: the head of mesen_host.cpp says how to build it"),
]

Attach = Callable[[], ScriptedBridge]


@contextmanager
def mesen(folder: Path, demo: str) -> Iterator[Attach]:
    """A running Mesen; what is yielded attaches to it."""
    assert HOST is not None
    script, port, log = folder / "emubot.lua", free_port(), folder / "mesen.log"
    script.write_text(script_text("mesen"), encoding="utf-8")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [HOST, str(folder), str(image(demo)), str(script)],
            env={**os.environ, "EMUBOT_MESEN_PORT": str(port)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        yield lambda: attached(process, log, lambda wait: connect(port=port, wait=wait, patience=START))
    finally:
        process.kill()
        process.wait()


def test_it_keeps_the_promises_of_a_bridge(tmp_path: Path) -> None:
    with mesen(tmp_path, "tetris") as attach:
        check_bridge(attach)


@pytest.mark.parametrize("demo", ["tetris", "puyo"])
def test_it_plays_and_misplaces_nothing(demo: str, tmp_path: Path) -> None:
    with mesen(tmp_path, demo) as attach, attach() as bridge:
        tally = Pilot(bridge, Goal(pieces=50)).run()
    assert (tally.pieces, tally.misplaced, tally.replans, tally.lag_frames) == (50, 0, 0, 0)
