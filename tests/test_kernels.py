"""Kernels are compiled once for all workers: where a run of whole folders begins, and by nobody else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest, kernels
from tests.families import whole_game
from tests.floors import FAMILIES
from tests.paths import TESTS


def session(words: list[str], tx: list[str], **more: Any) -> Any:
    """A session as pytest and pytest-xdist make it, of the test command with these words."""
    options = {"tx": tx, "collectonly": False}
    option = SimpleNamespace(**options)
    return SimpleNamespace(config=SimpleNamespace(args=words, option=option, getoption=options.get, **more))


@pytest.mark.parametrize(
    ("begun", "compiles"),
    [
        (session([str(TESTS)], ["2*popen"]), True),
        (session([str(TESTS)], ["2*popen"], workerinput={}), False),
        (session([str(TESTS)], []), False),
        (session([__file__], ["2*popen"]), False),
    ],
    ids=["the test command", "a worker", "one process", "one module"],
)
def test_a_run_of_whole_folders_compiles_before_its_workers_start(
    begun: Any, compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[bool] = []
    monkeypatch.setattr(conftest, "compile_for_all", lambda: compiled.append(True))
    conftest.pytest_sessionstart(begun)
    assert compiled == [True] * compiles


@pytest.mark.parametrize("share", kernels.SHARES)
def test_what_is_compiled_are_play_self_play_and_trials(share: str) -> None:
    name, play, trials = kernels.SHARES[share][0]
    assert play
    named = [job for job, *_ in kernels.jobs(name, play, trials)]
    assert named[: -len(trials)] == [job for job, *_ in whole_game(name).kernels()]


def test_every_family_is_compiled() -> None:
    assert kernels.SHARES.keys() == FAMILIES.keys()
