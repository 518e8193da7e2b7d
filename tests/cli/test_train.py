"""`emubot train`: a run from the command line, resumed, drawn and watched; and what it refuses."""

from __future__ import annotations

import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from emubot.cli import main
from emubot.cli.train import build_parser, plan_of
from emubot.errors import UsageError
from emubot.training import METHODS
from emubot.training.methods import LEARNERS, POPULATIONS, TD_POINTS
from emubot.training.plan import TrainingPlan
from emubot.training.population import PopulationTrainer
from emubot.trials import executors
from emubot.weights import load_weights
from tests.cli.training import files, trained, trained_here

pytestmark = pytest.mark.xdist_group("train")  # one run for all
TINY = ("--rules", "textbook", "--board", "4x6", "--cap-pieces", "40", "--games", "2", "--final-games", "4")
GA = ("tetris", "--method", "ga", *TINY, "--final", "cap_pieces=60", "--set", "population=6", "--seed", "3")


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained in this process, where the kernels are loaded."""
    return trained_here(tmp_path_factory.mktemp("run"), *GA, "--set", "tournament=3", "--generations", "3")


def test_a_run_ends_in_weights_that_say_where_they_come_from(whole_run: Path) -> None:
    weights = load_weights(str(whole_run / "weights.json"))
    assert weights.features.names == load_weights("ga").features.names
    provenance = weights.provenance
    assert provenance.method is not None
    assert provenance.method.startswith("ga, 3 generations; 2 games each")
    assert (provenance.seed, provenance.games) == (3, 3 * 6 * 2)
    (result,) = provenance.results
    assert result.figure == "lines"
    assert result.low95 <= result.mean <= result.high95
    assert result.settings is not None
    assert "cap pieces 60" in result.settings
    assert len((whole_run / "history.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_stopped_resumed_and_by_two_workers_the_files_are_the_same(
    whole_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*GA, "--set", "tournament=3", "-q")
    with monkeypatch.context() as patch:
        patch.setattr(executors, "workers", ThreadPoolExecutor)
        assert trained(tmp_path, *words, "--generations", "1") == 0
    assert trained(tmp_path, *words, "--generations", "3", "--jobs", "2", "--resume") == 0
    assert files(tmp_path) == files(whole_run)


def test_a_finished_run_says_so(whole_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(whole_run)
    assert trained(whole_run, *GA, "--set", "tournament=3", "--generations", "3", "--json") == 0
    told = capsys.readouterr()
    assert "is finished: ask for more than 3 generations" in told.err
    result: dict[str, Any] = json.loads(told.out)
    assert result["out"] == str(whole_run / "weights.json")
    assert result["settings"]["hyper"]["tournament"] == 3
    assert [one["figure"] for one in result["results"]] == ["lines"]
    assert files(whole_run) == before


def test_plain_lines_where_there_is_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    assert trained(tmp_path, *GA, "--generations", "1", "--set", "tournament=2") == 0
    told = capsys.readouterr()
    assert "emubot: games are stopped at 40 pieces (40 lines).\n" in told.err
    assert "generation 1: best " in told.err
    assert "games/s" in told.err
    assert "measuring what came out: " in told.err
    assert told.out.splitlines()[-1] == f"{tmp_path / 'weights.json'} is what came out."


def test_where_games_are_stopped_is_said_once_in_the_order_of_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("emubot.cli.train_plot.PLOTS", Mock())
    monkeypatch.setattr("emubot.cli.train_plot._compare", Mock())
    monkeypatch.setattr("emubot.training.history.read_history", Mock())
    monkeypatch.setattr("emubot.training.folder.latest", lambda folder: Mock(settings=folder.name))
    monkeypatch.setattr("emubot.cli.train_plot.stop_of", lambda name: None if name == "none" else f"stopped at {name}")
    monkeypatch.setattr("emubot.cli.train_plot._draw", Mock(return_value=[]))
    names = ["9", "3", "none", "7", "3", "1", "8"]
    for name in set(names):
        (tmp_path / name).mkdir()
    assert main(["train", "plot", *(str(tmp_path / name) for name in names)]) == 0
    assert capsys.readouterr().err == "".join(f"emubot: stopped at {name}.\n" for name in "93718")


def test_pictures_of_one_run_and_of_two(whole_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert main(["train", "plot", str(whole_run), str(whole_run)]) == 0
    told = capsys.readouterr()
    assert told.err == "emubot: games are stopped at 40 pieces (40 lines).\n"
    written = set(told.out.splitlines())
    assert {Path(path).name for path in written} == {"fitness.png", "weights.png", "comparison.png"}
    for path in written:
        assert Path(path).read_bytes().startswith(b"\x89PNG")
    comparison = whole_run / "comparison.png"
    comparison.write_bytes(b"a picture that somebody keeps")
    assert main(["train", "plot", str(whole_run), str(whole_run)]) == 2
    assert "fitness.png is there already" in capsys.readouterr().err
    (whole_run / "fitness.png").unlink()
    (whole_run / "weights.png").unlink()
    assert main(["train", "plot", str(whole_run), str(whole_run)]) == 2
    assert "comparison.png is there already" in capsys.readouterr().err
    assert not (whole_run / "fitness.png").exists(), "refused before anything is drawn"
    assert comparison.read_bytes() == b"a picture that somebody keeps"
    (whole_run / "fitness.png").write_bytes(b"and another")
    assert main(["train", "plot", str(whole_run), "--force"]) == 0
    assert (whole_run / "fitness.png").read_bytes().startswith(b"\x89PNG")
    for path in written:
        Path(path).unlink()


def test_an_individual_plays_with_its_number_above_the_board(
    whole_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["watch", str(whole_run), "--individual", "5", "--pieces", "2", "--view", "board", "--emu-speed", "max"]
    assert main(["train", *words]) == 0
    assert "individual 5 of generation 4" in capsys.readouterr().err
    assert main(["train", "watch", str(whole_run), "--individual", "6"]) == 2
    assert "individuals 0 to 5, none 6" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("golf", "--method", "ga"), "no game 'golf'"),
        (("tetris", "--method", "luck"), "invalid choice"),
        (("tetris", "--method", "ga", "--set", "population"), "NAME=VALUE"),
        (("tetris", "--method", "ga", "--set", "size=3"), "no setting 'size'; it has high, low"),
        (("tetris", "--method", "ga", "--set", "population=many"), "population of ga is a whole number, not 'many'"),
        (("tetris", "--method", "ga", "--set", "population=1"), "population"),
        (("tetris", "--method", "ga", "--start", "ga"), "no vector to start from"),
        (("tetris", "--method", "cmaes", "--start", "reference"), "for puyo, not for tetris"),
        (("tetris", "--method", "ga", "--features", "holes,luck"), "no feature 'luck'"),
        (("tetris", "--method", "ga", "--figure", "luck"), "no figure 'luck'"),
        (("tetris", "--method", "ga", "--figure", "nodes"), "choose one of lines, pieces, capped."),
        (("tetris", "--method", "ga", "--board", "90x1"), "--board is COLUMNSxROWS"),
        (("tetris", "--method", "ga", "--resume"), "no run in"),
        (("tetris", "--method", "ga", "--cluster", "nowhere"), "tcp://" if find_spec("distributed") else "needs dask"),
    ],
)
def test_mistakes_are_one_sentence(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = trained(tmp_path, *words, "-q")
    heard = capsys.readouterr().err
    assert code == 2
    assert said in heard
    assert len(heard.strip().splitlines()) == 1
    assert not [path for path in tmp_path.iterdir() if path.name != ".lock"], "nothing has begun"


def planned_for(game: str, method: str, *words: str) -> TrainingPlan:
    return plan_of(build_parser(None).parse_intermixed_args([game, "--method", method, "--out", "x", *words]))


def test_other_rules_leave_the_recipe_its_method_and_no_count_of_its_games() -> None:
    own = planned_for("tetris", "cmaes")
    other = planned_for("tetris", "cmaes", "--rules", "nes", "--stop-lines", "230")
    assert (other.recipe.start, other.recipe.hyper) == (own.recipe.start, own.recipe.hyper)
    assert (other.recipe.games, other.recipe.race) == (20, 0) != (own.recipe.games, own.recipe.race)
    assert other.contest.trial().settings["stop_lines"] == 230


def test_without_gravity_taps_are_of_no_use() -> None:
    slow = ("--gravity", "2", "--taps", "12hz")
    assert planned_for("puyo", "pso", *slow).last_contest.trial().settings["taps"] == "12hz"
    easy = planned_for("puyo", "pso", *slow, "--final", "gravity=0").last_contest.trial().settings
    assert (easy["gravity"], "taps" in easy) == (0, False)
    with pytest.raises(UsageError, match="--taps counts only"):
        planned_for("puyo", "pso", "--gravity", "0", "--taps", "12hz").settings()


def test_a_method_of_single_candidates_wins_battles_against_somebody() -> None:
    words = ("--rules", "famicom-1991", "--figure", "win_rate")
    plan = planned_for("puyo", "pso", *words, "--against", "reference")
    assert plan.contest.sides == 2
    trainer = plan.trainer()
    assert isinstance(trainer, PopulationTrainer)
    assert trainer.fitness.opponent == load_weights("reference")
    with pytest.raises(UsageError, match="needs an opponent"):
        planned_for("puyo", "pso", *words).trainer()
    assert planned_for("puyo", "battle").contest.sides == 2, "these meet each other"


def test_a_recipe_of_games_known_in_advance_plays_battles_too() -> None:
    words = ("--rules", "tsu", "--figure", "win_rate", "--against", "builder", "--nodes", "1500")
    plan = planned_for("puyo", "cmaes", *words)
    assert plan.contest.sides == 2
    assert plan.contest.trial().settings["nodes"] == 1500


def test_what_is_asked_for_holds_for_the_last_games_too() -> None:
    def planned(*words: str) -> TrainingPlan:
        return planned_for("tetris", "pso", *words)

    assert planned().last_contest.trial().settings["board"] == "10x20"
    assert planned("--board", "5x8").last_contest.trial().settings["board"] == "5x8"
    last = planned("--cap-lines", "7", "--final", "cap_lines=9").last_contest.trial().settings
    assert (last["cap_lines"], last["board"]) == (9, "10x20")
    assert planned("--rules", "textbook").recipe.options == planned().recipe.options, "the recipe's own rules"
    assert planned("--rules", "nes").recipe.options == {}
    assert planned("--features", "holes").names == ("holes",)
    assert planned("--features", "ga").names == load_weights("ga").features.names


def test_another_run_in_the_same_folder_is_refused(whole_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trained(whole_run, *GA[:-1], "4", "--set", "tournament=3", "-q") == 2
    assert "holds a run with other settings (seed 3 instead of 4)" in capsys.readouterr().err


def test_the_methods_there_are() -> None:
    assert {*METHODS, TD_POINTS} == {*POPULATIONS, *LEARNERS}


def test_no_run_to_draw_or_to_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")  # a missing package is said first
    for words in (["plot", str(tmp_path)], ["watch", str(tmp_path)]):
        assert main(["train", *words]) == 2
        assert f"There is no training run in {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("state", {}, "remove it, and the run continues from the one before"),
        ("state", {"optimiser": None, "games": 36}, "remove it, and the run continues from the one before"),
        ("settings", {}, "These are not the settings of a run"),
        ("settings", {"recipe": {"\x1b": 1}}, "These are not the settings of a run"),
    ],
)
def test_a_checkpoint_of_another_shape_is_one_sentence(
    part: str, value: dict[str, Any], said: str, whole_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole_run, folder)
    newest = folder / "checkpoint-000003.json"
    told = json.loads(newest.read_bytes())["checkpoint"] | {part: value}
    body = json.dumps(told).encode()
    newest.write_bytes(b'{"sha256": "%s", "checkpoint": %s}\n' % (hashlib.sha256(body).hexdigest().encode(), body))
    assert main(["train", "watch", str(folder)]) == 2
    heard = capsys.readouterr().err
    assert said in heard
    assert heard.count("\n") == 1
    assert "\x1b" not in heard
    if part == "settings":
        pytest.importorskip("matplotlib")
        assert main(["train", "plot", str(folder)]) == 2
        assert "so it cannot be drawn" in capsys.readouterr().err
