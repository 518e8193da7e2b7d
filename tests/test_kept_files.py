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
# Of each the first generation is kept, and the weights that it had after three generations.
FINAL = ("--final-games", "4", "--set", "population=6", "--set", "tournament=3", "--seed", "3", "-q")
RUNS = {
    "tetris": "--rules textbook --board 4x6 --cap-pieces 40 --final cap_pieces=60",
    "puyo": "--pairs 40 --final pairs=50",
    "matching": "--rules columns --cap-pieces 30 --final cap_pieces=40",
}
# Some pieces of a game by each map.
TRACES = {
    "nes_tetris_usa": ("tetris", 157),
    "demo_pairs": ("puyo", 517),
    "simulated_pairs_tsu": ("puyo", 506),
    "demo_capsules": ("matching", 922),
    "simulated_columns": ("matching", 783),
}


@pytest.mark.jit
@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_replayed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    family, frames = TRACES[name]
    trace = read_trace(KEPT / f"trace-{name}.npz")
    assert (trace.frames, len(trace.fields), trace.about["game"]) == (frames, len(trace.address), family)
    assert main(["trace", "verify", str(KEPT / f"trace-{name}.npz")]) == 0
    assert f"{frames} frames, no differences" in capsys.readouterr().out


@pytest.mark.parametrize("family", RUNS)
def test_weights_are_read(family: str) -> None:
    weights = load_weights(str(KEPT / f"weights-{family}.json"))
    assert weights.game == family
    assert weights.provenance.method is not None
    assert weights.provenance.method.startswith("ga, 3 generations")


def test_a_map_is_read_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert load_map(str(KEPT / "map.yaml")).title == "emubot demo, pairs"
    assert main(["maps", "check", str(KEPT / "map.yaml")]) == 0
    assert "ok" in capsys.readouterr().out


@pytest.mark.jit
@pytest.mark.xdist_group("train")
@pytest.mark.parametrize("family", ["tetris", "puyo", pytest.param("matching", marks=pytest.mark.slow)])
def test_a_run_goes_on_to_the_same_weights(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    shutil.copytree(KEPT / f"run-{family}", tmp_path / "run")
    run = [family, "--method", "ga", "--games", "2", *RUNS[family].split(), *FINAL]
    assert main(["train", *run, "--generations", "3", "--resume", "--out", str(tmp_path / "run")]) == 0
    now, then = load_weights(str(tmp_path / "run" / "weights.json")), load_weights(str(KEPT / f"weights-{family}.json"))
    assert (now.features, now.provenance.results) == (then.features, then.provenance.results)
    names = now.features.names
    assert np.array_equal(
        now.vector(family, names, now.features.version), then.vector(family, names, then.features.version)
    )
