"""Training runs as a page sees them: which are listed, what is told of each, and that no path gets in or out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from emubot.arena import runs, train_form
from emubot.cli.train import build_parser, plan_of
from emubot.errors import UsageError
from emubot.training.folder import open_run
from emubot.training.trainer import Report

SETTINGS = {
    "game": "tetris",
    "method": "pso",
    "seed": 4,
    "features": ["holes", "wells"],
    "figure": "lines",
    "recipe": {"shape": "log"},
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of runs, and a current directory."""
    monkeypatch.setattr(runs, "user_data", lambda name: tmp_path / "data" / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "runs"


def report(number: int, individuals: int = 3) -> Report:
    fitness = tuple(float(one) for one in range(individuals))
    return Report(number, 10, {"mean": 1.0 * number, "best": 2.0 * number}, fitness, (-1.0 * number, 3.0))


def made(path: Path, generations: int, **changes: Any) -> None:
    """A folder as a run leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_run(path, SETTINGS | changes, lambda text: None) as run:
        start = 0 if run.checkpoint is None else run.checkpoint.generation
        for number in range(start + 1, generations + 1):
            run.save_generation(number, {}, report(number))


def test_runs_of_the_user_and_of_this_directory_are_listed(home: Path) -> None:
    made(home / "mine", 1)
    made(Path("runs/here"), 1)
    (home / "begun").mkdir()
    Path("runs/pictures").mkdir()
    assert set(runs.names()) == {"mine", "begun", "runs/here"}
    assert runs.path_of("runs/here") == Path.cwd() / "runs" / "here"


@pytest.mark.parametrize("name", ["../mine", "/etc", "", "runs", "nobody"])
def test_no_other_folder_is_shown(home: Path, name: str) -> None:
    made(home / "mine", 1)
    with pytest.raises(UsageError, match="no training run"):
        runs.Histories().of(name, 0)
    with pytest.raises(UsageError, match="no training run"):
        runs.options_of(name)


def test_a_page_that_asks_again_gets_only_what_is_new(home: Path) -> None:
    made(home / "mine", 2)
    seen = runs.Histories()
    first = seen.of("mine", 0)
    assert (first["title"], first["measure"]) == ("tetris, pso, seed 4", "log of lines")
    assert first["features"] == ["holes", "wells"]
    assert [one["generation"] for one in first["generations"]] == [1, 2]
    assert first["generations"][1] | {"weights": None} == {
        "generation": 2,
        "games": 10,
        "mean": 2.0,
        "best": 4.0,
        "fitness": [0.0, 1.0, 2.0],
        "weights": None,
    }
    made(home / "mine", 5)
    assert [one["generation"] for one in seen.of("mine", 2)["generations"]] == [3, 4, 5]
    assert seen.of("mine", 5)["generations"] == []
    assert seen.of("mine", 99)["since"] == 5
    assert json.dumps(first)


def test_a_run_without_a_generation_says_so(home: Path) -> None:
    (home / "begun").mkdir(parents=True)
    assert runs.Histories().of("begun", 0) == {"name": "begun", "since": 0, "generations": []}


def test_a_damaged_history_is_said_and_nothing_worse(home: Path) -> None:
    made(home / "mine", 1)
    (home / "mine" / "history.jsonl").write_text("{\n")
    with pytest.raises(UsageError, match="is damaged"):
        runs.Histories().of("mine", 0)


def test_large_generations_are_thinned_out_but_keep_their_range() -> None:
    thin = runs._plain(report(1, individuals=1000))["fitness"]
    assert 100 <= len(thin) <= 150
    assert thin[0] == 0
    assert thin[-1] > 980


def test_a_name_is_new(home: Path) -> None:
    first = runs.new_name("tetris-pso")
    runs.keep_options(first, {"method": "pso"})
    assert runs.new_name("tetris-pso") != first
    assert runs.options_of(first) == {"method": "pso"}
    made(Path("runs/here"), 1)
    with pytest.raises(UsageError, match="not started from this page"):
        runs.options_of("runs/here")


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "train tetris --method pso"),
        ({"game": "puyo", "method": "battle", "jobs": 1, "seed": 7}, "train puyo --method battle --jobs 1 --seed 7"),
        ({"generations": 3, "start": "stacker", "method": "cmaes"}, "--method cmaes --generations 3 --start stacker"),
    ],
)
def test_choices_become_the_words_of_train(chosen: dict[str, Any], words: str) -> None:
    found = train_form.words_of(chosen)
    assert set(words.split()) <= set(found)
    assert plan_of(build_parser(None).parse_intermixed_args([*found[1:], "--out", "x"])).game == chosen.get(
        "game", "tetris"
    )
    assert train_form.command_line(chosen).startswith("emubot train ")


@pytest.mark.parametrize("chosen", [{"method": "luck"}, {"out": "/tmp"}, {"jobs": 10_000}, {"start": "../x.json"}])
def test_what_is_not_offered_is_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        train_form.words_of(chosen)
