"""Files that an earlier emubot wrote are read, and its run goes on: what is in them keeps its words."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from emubot.cli import main
from emubot.rammap import load_map
from emubot.trace import read_trace
from emubot.trials import executors
from emubot.weights import load_weights
from tests.paths import DATA

KEPT = DATA / "kept"
# Three pieces of falling blocks; one generation of this run, and the weights that it had after three.
RUN = (
    *("tetris", "--method", "ga", "--rules", "textbook", "--board", "4x6", "--cap-pieces", "40", "--games", "2"),
    *("--final-games", "4", "--final", "cap_pieces=60", "--set", "population=6", "--set", "tournament=3"),
    *("--seed", "3", "-q"),
)


def test_a_trace_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    trace = read_trace(KEPT / "game.npz")
    assert (trace.frames, len(trace.fields), trace.about["game"]) == (157, len(trace.address), "tetris")
    assert main(["trace", "verify", str(KEPT / "game.npz")]) == 0
    assert "157 frames, no differences" in capsys.readouterr().out


def test_weights_are_read() -> None:
    weights = load_weights(str(KEPT / "weights.json"))
    assert weights.game == "tetris"
    assert weights.provenance.method is not None
    assert weights.provenance.method.startswith("ga, 3 generations")


def test_a_map_is_read_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert load_map(str(KEPT / "map.yaml")).title == "emubot demo, pairs"
    assert main(["maps", "check", str(KEPT / "map.yaml")]) == 0
    assert "ok" in capsys.readouterr().out


@pytest.mark.jit
@pytest.mark.xdist_group("train")
def test_a_run_goes_on_to_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    shutil.copytree(KEPT / "run", tmp_path / "run")
    assert main(["train", *RUN, "--generations", "3", "--resume", "--out", str(tmp_path / "run")]) == 0
    now, then = (load_weights(str(folder / "weights.json")) for folder in (tmp_path / "run", KEPT))
    assert (now.features, now.provenance.results) == (then.features, then.provenance.results)
    assert np.array_equal(now.vector("tetris", now.features.names, 1), then.vector("tetris", then.features.names, 1))
