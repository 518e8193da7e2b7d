"""CMA-ES: the library alone as its twin, restarts, what it must leave alone, and how it fails without the library."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from emubot.errors import CheckpointError, UsageError
from emubot.training.methods.cmaes import CmaEs, CmaEsSettings, library
from emubot.training.state import generator

pytestmark = pytest.mark.skipif(find_spec("cma") is None, reason="needs cma")  # which takes long to import


def rastrigin(candidates: np.ndarray) -> np.ndarray:
    """Larger is better; the best is 0 at 1, with a hill of its own around every whole number."""
    x = candidates - 1
    return -np.asarray(np.sum(x**2 + 2 * (1 - np.cos(2 * np.pi * x)), axis=1))


def test_it_is_the_library_and_nothing_else() -> None:
    cma, rng = library(), generator(9)
    options = {"randn": lambda *shape: rng.standard_normal(shape), "seed": np.nan, "verbose": -9, "verb_log": 0}
    twin = cma.CMAEvolutionStrategy([0.5, -0.5, 0.0], 0.7, options)
    ours = CmaEs(CmaEsSettings(start=(0.5, -0.5, 0.0), sigma=0.7), 3, 9)
    for _ in range(25):
        asked = twin.ask()
        assert np.array_equal(ours.ask().candidates, np.array(asked))
        twin.tell(asked, -rastrigin(np.array(asked)))
        ours.tell(rastrigin(ours.ask().candidates))
    assert np.array_equal(ours.favourites(1)[0], twin.mean)
    assert len(ours.ask().candidates) == 7  # 4 + 3 ln(3)


def test_a_flat_fitness_restarts_with_twice_the_population() -> None:
    method = CmaEs(CmaEsSettings(population=6, restarts=2), 2, 1)
    sizes = []
    for _ in range(80):
        sizes.append(len(method.ask().candidates))
        method.tell(np.zeros(sizes[-1]))
    assert sorted(set(sizes)) == [6, 12, 24]
    assert sizes == sorted(sizes)
    assert len(method.favourites(9)) == 3, "one mean for each run"


def test_restarts_leave_a_local_hill_and_the_best_mean_is_not_lost() -> None:
    method = CmaEs(CmaEsSettings(start=(4.0, -3.0, 4.0), sigma=0.3), 3, 2)
    before_restart = None
    for _ in range(400):
        runs = len(method.favourites(99))
        method.tell(rastrigin(method.ask().candidates))
        if before_restart is None and len(method.favourites(99)) > runs:
            before_restart = rastrigin(method.favourites(1))[0]
    assert before_restart is not None
    assert rastrigin(method.favourites(1))[0] > before_restart
    found = [round(rastrigin(row[None])[0], 6) for row in method.favourites(99)[:-1]]
    assert found == sorted(found, reverse=True)


def test_resumed_over_a_restart_it_goes_on_exactly() -> None:
    def told(method: CmaEs, generations: int) -> CmaEs:
        for _ in range(generations):
            candidates = method.ask().candidates
            method.tell(np.zeros(len(candidates)) if method.generation % 3 else rastrigin(candidates))
        return method

    settings = CmaEsSettings(start=(0.1, 0.2, 0.3), population=5, restarts=3)
    straight = told(CmaEs(settings, 3, 4), 120)
    assert len(straight.ask().candidates) > 5
    half = told(CmaEs(settings, 3, 4), 60)
    resumed = told(CmaEs.resume(json.loads(json.dumps(half.state()))), 60)
    assert json.dumps(resumed.state()) == json.dumps(straight.state())
    assert np.array_equal(resumed.ask().candidates, straight.ask().candidates)


def test_it_goes_on_by_the_library_that_it_was_begun_with_only() -> None:
    state = CmaEs(CmaEsSettings(), 3, 1).state()
    told = rf"begun with cma 0\.0\.1 .* with {re.escape(library().__version__)}.*run: .* cma==0\.0\.1"
    with pytest.raises(CheckpointError, match=told):
        CmaEs.resume(state | {"cma": "0.0.1"})
    with pytest.raises(CheckpointError, match="does not name its version of cma"):
        CmaEs.resume({name: value for name, value in state.items() if name != "cma"})


def test_it_neither_writes_nor_reads_nor_prints_nor_draws_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cma_signals.in").write_text('{"timeout": 0}')  # the library would end a run on this
    position = str(np.random.get_state())
    method = CmaEs(CmaEsSettings(population=4, restarts=1), 2, 1)
    for _ in range(10):
        method.tell(rastrigin(method.ask().candidates))
    assert len(method.favourites(9)) == 1, "no restart"
    for _ in range(40):
        method.tell(np.zeros(len(method.ask().candidates)))
    assert str(np.random.get_state()) == position
    assert [path.name for path in tmp_path.iterdir()] == ["cma_signals.in"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "made",
    [
        lambda: CmaEsSettings(sigma=0),
        lambda: CmaEsSettings(sigma=float("nan")),
        lambda: CmaEsSettings(start=(1.0, float("inf"))),
        lambda: CmaEsSettings(population=3),
        lambda: CmaEsSettings(restarts=-1),
        lambda: CmaEs(CmaEsSettings(start=(1.0, 2.0)), 3, 1),
        lambda: CmaEs(CmaEsSettings(), 1, 1),
    ],
)
def test_settings_without_sense_are_refused(made: Callable[[], object]) -> None:
    with pytest.raises(UsageError, match=r"^[^.]*(\.[^ ]+[^.]*)*\.$"):
        made()


def test_without_the_library_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(UsageError, match=r"CMA-ES needs the cma library .*'cma>="):
        CmaEs(CmaEsSettings(), 3, 1)
