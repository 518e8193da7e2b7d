"""Recordings by a map that tells too little for a simulator: what it tells is recorded and shown, and not replayed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot import Goal, Pilot, games
from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main
from emubot.pilot.recording import Recording
from emubot.trace import read_trace
from tests.games.tetris.random_cartridges import Stranger, stranger_map


@pytest.mark.jit
def test_a_map_of_the_profile_plain_is_recorded_shown_and_not_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, ram_map = games.game("tetris"), stranger_map()
    bridge = SimulatedBridge(Stranger(ram_map, 3))
    pilot = Pilot(bridge, Goal(games=None), game.open(ram_map))
    file = tmp_path / "game.npz"
    made = Recording(file, pilot, "nmi-game", {"game": "tetris", "map": "stranger"})
    pads: list[int] = []  # that each frame was played with
    for _ in range(400):
        pads.append(int(bridge.held(0)))
        pilot.step()
    made.close()
    trace = read_trace(file)
    assert trace.frames > 200
    assert {"piece", "x", "y", "lines", "lines+1", "score+3"} <= set(trace.fields)
    assert trace.page.shape == (trace.frames, 64 * 9 + 2 * 20)
    pressed = np.array([0, *pads], dtype=np.uint8)[-trace.frames - 1 :]
    assert trace.pads[:, 1].tolist() == pressed[1:].tolist(), "the bot's own: the map does not find them in memory"
    assert trace.pads[:, 0].tolist() == (pressed[1:] & ~pressed[:-1]).tolist()
    assert trace.pads.any()
    assert main(["trace", "show", str(file)]) == 0
    assert "map stranger" in capsys.readouterr().out
    assert main(["trace", "verify", str(file)]) == 2
    said = capsys.readouterr().err
    assert "its map tells too little" in said
    assert said.count("\n") == 1
