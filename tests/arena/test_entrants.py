"""Whose weights may play on a wall: the user's own files, and each training as its best individual."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emubot.arena import runs
from emubot.arena.entrants import best_of, listed, load_entrant
from emubot.datafiles import user_config
from emubot.errors import UsageError
from emubot.games import game
from emubot.training.folder import open_run
from emubot.training.plan import TrainingPlan
from emubot.training.trainer import Report
from emubot.weights import FOLDER, load_weights, save_weights

SETTINGS = {
    "game": "tetris",
    "method": "pso",
    "seed": 4,
    "features": ["lock_heights", "eroded"],
    "figure": "lines",
    "recipe": {"shape": "log"},
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of runs, and a current directory."""
    monkeypatch.setattr(runs, "user_data", lambda name: tmp_path / "data" / name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "runs"


def made(path: Path, *vectors: tuple[float, ...], finishes: bool = False, **changes: Any) -> Path:
    """A folder as a run leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_run(path, SETTINGS | changes, lambda text: None) as run:
        for number, vector in enumerate(vectors, 1):
            run.save_generation(number, {}, Report(number, 10, {"mean": 1.0, "best": 2.0}, (1.0, 2.0), vector))
        if finishes:
            run.finish(load_weights("pso"))
    return path


def kinds(family: str) -> dict[str, str]:
    return {one["title"]: one["kind"] for one in listed() if one["family"] == family}


def test_each_training_is_there_as_its_best_individual(home: Path) -> None:
    made(home / "running", (1.0, 2.0), (-3.0, 5e9))
    made(home / "done", (1.0, 2.0), finishes=True)
    (home / "begun").mkdir()
    made(home / "damaged", (1.0, 2.0))
    (home / "damaged" / "checkpoint-000001.json").write_text("x")
    assert {title: kind for title, kind in kinds("tetris").items() if kind != "shipped"} == {
        "running": "run",
        "done": "run",
    }
    running = load_entrant("run:running")
    assert running.features.names == ("lock_heights", "eroded")
    assert running.values == pytest.approx((-3e6 / 5e9, 1e6)), "the latest generation's, as large as weights may be"
    assert load_entrant("run:done") == load_weights("pso")
    with pytest.raises(UsageError, match="begun has finished no generation"):
        load_entrant("run:begun")


def test_what_is_no_vector_of_features_is_made_by_its_method(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks and tables of the learning methods."""

    class Learnt:
        def trainer(self, state: object) -> Learnt:
            return self

        def individuals(self) -> list[object]:
            return [load_weights("dt20")]

    monkeypatch.setattr(TrainingPlan, "of", lambda settings: Learnt())
    assert best_of(made(home / "network", (1.0, 2.0, 3.0), method="dqn")) == load_weights("dt20")


def test_own_weights_are_among_the_list_and_damaged_ones_are_not() -> None:
    folder = user_config(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    save_weights(load_weights("pso"), folder / "mine.json")
    (folder / "broken.json").write_text("{")
    assert kinds("tetris")["mine"] == "own"
    assert "broken" not in {one["title"] for one in listed()}
    assert load_entrant("weights:mine") == load_weights("pso")


def test_every_family_has_its_usual_weights() -> None:
    for family in ("tetris", "puyo", "matching"):
        (usual,) = [one for one in listed() if one["family"] == family and one["usual"]]
        assert load_entrant(usual["id"]) == load_weights(game(family).facts.default_weights)
