"""A run that is killed at any moment, any number of times, ends in the very files of one that was left alone."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from emubot.training.checkpoint import Checkpoint
from emubot.training.folder import LOCK, TIMES, latest

PROGRAM = Path(__file__).with_name("toy_trainer.py")

pytestmark = [
    pytest.mark.xdist_group("signals"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs signal 9"),
]


def command(folder: Path, generations: int, jobs: int) -> list[str]:
    words = [f"generations={generations}", f"jobs={jobs}", "seconds=0.003"]
    return [sys.executable, str(PROGRAM), str(folder), *words]


def repeatable(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name not in {LOCK, TIMES}}


def killed(folder: Path, generations: int, jobs: int, after: float) -> bool:
    """Start the run, kill it so many seconds after it is imported; whether it was still at work."""
    run = subprocess.Popen(command(folder, generations, jobs), stderr=subprocess.PIPE, text=True)
    assert run.stderr is not None
    assert run.stderr.readline() == "imported\n"
    try:
        run.wait(after)
    except subprocess.TimeoutExpired:
        run.kill()
    run.communicate()
    assert run.returncode in {0, -signal.SIGKILL}
    return run.returncode != 0


def kill_often(tmp_path: Path, kills: int, generations: int, jobs: int, longest: float) -> int:
    """Kill a run so many times, each time at a moment drawn at random; returns its generations when last killed."""
    subprocess.run(command(tmp_path / "straight", generations, 0), check=True, capture_output=True)
    moments = random.Random(kills)
    reached, damaged = 0, []
    for _ in range(kills):
        assert killed(tmp_path / "a", generations, jobs, moments.uniform(0, longest)), "it ended before the last kill"
        for file in (tmp_path / "a").glob("checkpoint-*"):
            try:
                Checkpoint.from_bytes(file.read_bytes())
            except ValueError as damage:
                damaged.append(f"{file.name}: {damage}")
        found = latest(tmp_path / "a")  # raises where a run was and none is left
        assert (found.generation if found else 0) >= reached, "an older generation was lost"
        reached = found.generation if found else 0
    assert not damaged
    subprocess.run(command(tmp_path / "a", generations, jobs), check=True, capture_output=True)
    assert repeatable(tmp_path / "a") == repeatable(tmp_path / "straight")
    return reached


def test_three_kills_change_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path, 3, 30, 0, 0.2)


@pytest.mark.slow
def test_fifty_kills_change_nothing(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 50, 600, 0, 0.6) > 25


@pytest.mark.slow
def test_fifty_kills_of_a_run_with_worker_processes_change_nothing(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 50, 2000, 2, 2.0) > 25
