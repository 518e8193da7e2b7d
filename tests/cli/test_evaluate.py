"""`emubot evaluate`: figures with intervals, differences on the same games, battles, the ladder; what it refuses."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.cli import main
from emubot.trials import executors
from emubot.trials.evaluation.contest import Contest
from emubot.trials.evaluation.summary import differences, summarise, units
from emubot.trials.work import WorkUnit, play_unit
from emubot.weights import load_weights

TINY = ("tetris", "--rules", "textbook", "--board", "4x8", "--cap-pieces", "200")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are played in this process, where the kernels are loaded."""
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)


def evaluated(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["evaluate", *words, "--json", "-q"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.mark.usefixtures("here")
def test_figures_are_those_of_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluated(capsys, *TINY, "--weights", "ga", "--games", "30", "--seed", "4")
    asked = {"board": "4x8", "cap_pieces": 200}
    unit = WorkUnit(Contest("tetris", 1, "textbook", asked), (load_weights("ga"),), 4, 0, 30)
    played = play_unit(unit)
    lines = played[:, 0]
    assert result["games"] == 30
    assert result["seed"] == 4
    assert result["settings"] == {"game": "tetris", **unit.work.trial().settings}
    assert result["lines"]["mean"] == lines.mean()
    assert result["lines"]["median"] == np.median(lines)
    assert (result["lines"]["min"], result["lines"]["max"]) == (lines.min(), lines.max())
    error = lines.std(ddof=1) / np.sqrt(30)
    assert result["lines"]["se"] == pytest.approx(error)
    assert result["lines"]["high95"] - result["lines"]["low95"] == pytest.approx(2 * 1.96 * error, rel=1e-3)
    assert result["nodes"] == played[:, unit.work.trial().figures.index("nodes")].sum() > 1000
    assert not result["interrupted"]


@pytest.mark.usefixtures("here")
def test_boards_that_were_evaluated_are_summed_and_no_figure_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluated(capsys, "tetris", "--weights", "ga", "--games", "2", "--stop-lines", "4")
    unit = WorkUnit(Contest("tetris", 1, None, {"stop_lines": 4}), (load_weights("ga"),), 0, 0, 2)
    assert result["nodes"] == play_unit(unit)[:, -1].sum() > 100
    assert "nodes" not in summarise(play_unit(unit), unit.work.trial().figures)


@pytest.mark.usefixtures("here")
def test_b_type_and_the_pal_release_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--rules", "nes-pal", "--type", "b", "--height", "1", "--start-level", "5", "--games", "4")
    result = evaluated(capsys, "tetris", *words)
    settings = {
        "rules": "nes-pal",
        "rng": "blind",
        "start_level": 5,
        "taps": "12hz",
        "reaction": 0,
        "see_next": 0,
        "type": "b",
        "height": 1,
        "nodes": 25_000,
    }
    assert result["settings"] == {"game": "tetris", **settings}
    assert result["completed"]["mean"] == 1
    assert result["completed"]["low95"] < 1, "a share has the interval of a share"
    assert (result["lines"]["min"], result["lines"]["max"], result["level"]["max"]) == (25, 25, 5)
    plain = evaluated(capsys, "tetris", "--rules", "nes-pal", "--stop-lines", "4", "--games", "1")
    assert "completed" not in plain


@pytest.mark.usefixtures("here")
def test_a_budget_of_time_is_reported_with_the_boards_it_was_enough_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tetris", "--rules", "nes", "--stop-lines", "2", "--games", "1")
    timed = evaluated(capsys, *words, "--budget-ms", "2.5")
    assert timed["settings"]["budget_ms"] == 2.5
    assert timed["nodes"] > 0
    assert timed["nodes_per_decision"] == round(timed["nodes"] / timed["pieces"]["mean"])
    counted = evaluated(capsys, *words, "--nodes", "1")
    assert "budget_ms" not in counted["settings"]
    assert counted["nodes_per_decision"] == round(counted["nodes"] / counted["pieces"]["mean"])


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_the_number_of_workers_changes_nothing_but_the_time(
    jobs: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes or threads, as many as there are."""
    words = (*TINY, "--weights", "ga", "lowest", "--games", "20")
    some = evaluated(capsys, *words, "--jobs", jobs)
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    one, three = (evaluated(capsys, *words, "--jobs", threads) for threads in ("1", "3"))
    for result in (one, three, some):
        del result["cpu_seconds"]
        for player in result["players"]:
            del player["cpu_seconds"]
    assert one == three == some


@pytest.mark.usefixtures("here")
def test_several_play_the_same_games_and_their_differences_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluated(capsys, *TINY, "--weights", "ga", "ga", "random", "--games", "20")
    assert [player["weights"] for player in result["players"]] == ["ga (1)", "ga (2)", "random"]
    same, other = (player["more_than_first"]["lines"] for player in result["players"][1:])
    assert (same["mean"], same["low95"], same["high95"]) == (0, 0, 0)
    means = [player["lines"]["mean"] for player in result["players"]]
    assert other["mean"] == pytest.approx(means[2] - means[0])
    assert other["high95"] < 0, "random play is worse, and on 20 games one sees it"


@pytest.mark.usefixtures("here")
def test_the_ladder_in_words_and_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "ladder.png"
    words = ["tetris", "--rules", "textbook", "--cap-pieces", "60", "--ladder", "--games", "4", "--plot", str(picture)]
    assert main(["evaluate", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("game tetris, rules textbook, board 10x20")
    assert " ".join(lines[:2]).endswith("4 games of seed 0"), "in lines that fit a terminal"
    rungs = [line.partition(" (")[0] for line in lines if "CPU time" in line]
    assert rungs == ["random", "lowest", "lowest-holes", "lowest-holes-bumps", "lowest-holes-bumps-lines"]
    assert lines.count("  more than random, on the same games:") == 4
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("here")
def test_a_picture_that_cannot_be_written_costs_no_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    words = "tetris --rules textbook --cap-pieces 60 --weights lowest --games 2 --json --force --plot"
    (tmp_path / "mine.png").write_bytes(b"an older one")
    assert main(["evaluate", *words.split(), str(tmp_path / "mine.png")]) == 4
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"] == 2
    assert printed.err.endswith("mine.png cannot be written: No space left on device.\n")
    assert (tmp_path / "mine.png").read_bytes() == b"an older one"


@pytest.mark.usefixtures("here")
def test_two_meet(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluated(capsys, "puyo", "--battle", "reference", "pairs-lowest", "--games", "6", "--pairs", "60")
    assert result["weights"] == "reference against pairs-lowest"
    wins, draws = result["wins"]["mean"], result["draws"]["mean"]
    assert result["win_rate"]["mean"] == pytest.approx(wins + draws / 2)
    assert result["win_rate"]["low95"] <= result["win_rate"]["mean"] <= result["win_rate"]["high95"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tetris", "--weights", "reference"), "for puyo, not for tetris"),
        (("tetris", "--weights", "nobody"), "no weights 'nobody'"),
        (("tetris", "--rules", "golf"), "no rules 'golf'"),
        (("tetris", "--rules", "textbook", "--board", "3x3"), "--board is COLUMNSxROWS"),
        (("tetris", "--rules", "nes", "--board", "10x20"), "There is no --board for the rules nes-ntsc"),
        (("tetris", "--weights", "ga", "--ladder"), "one of --weights, --battle and --ladder"),
        (("tetris", "--battle", "ga", "pso", "--rng", "aware"), "There is no --rng for the rules versus"),
        (("tetris", "--rules", "textbook", "--rng", "aware"), "There is no --rng for the rules textbook"),
        (("tetris", "--rules", "nes", "--rng", "all"), "--rng of the rules nes-ntsc is blind or aware, not 'all'"),
        (("tetris", "--nodes", "5", "--budget-ms", "4"), "A decision has one budget: give --nodes or --budget-ms, not"),
        (("tetris", "--budget-ms", "0"), "'0' is not a number of milliseconds above 0, at most 60,000"),
        (("tetris", "--rng", "aware", "--budget-ms", "4"), "There is no --budget-ms for the rules nes-ntsc with --rng"),
        (("tetris", "--aggression", "2"), "'2' is not a number from 0 to 1"),
        (
            ("tetris", "--aim", "survive", "--aggression", "0"),
            "--aim survive takes as little risk as can be: leave",
        ),
        (("puyo", "--plies", "3"), "--plies of the rules famicom-1991 is 2, not 3."),
        (("tetris", "--see-next", "241"), "--see-next of the rules nes-ntsc is a whole number from 0 to 240, not 241"),
        (("puyo", "--see-next", "4"), "--see-next is an option of tetris, not of puyo: leave it out"),
        (("puyo", "--plies", "2", "--budget-ms", "4"), "Give one of --nodes, --budget-ms and --plies."),
        (("tetris", "--rng", "aware", "--type", "b"), "There is no --type for the rules nes-ntsc with --rng aware"),
        (("golf",), "no game 'golf'"),
        (("tetris", "--games", "0"), "not a whole number"),
    ],
)
def test_mistakes_are_one_sentence_before_any_work(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["evaluate", *words])
    heard = capsys.readouterr().err
    assert code == 2
    assert said in heard
    assert len(heard.strip().splitlines()) == 1


def test_ten_wins_of_ten_are_not_certainty() -> None:
    won = summarise(np.array([[1, 0]] * 10), ("wins", "draws"))["win_rate"]
    assert won["mean"] == 1
    assert won["low95"] == pytest.approx(0.7225, abs=1e-4), "Wilson's interval of ten of ten"
    assert won["high95"] == pytest.approx(1)


def test_units_cover_all_games_once() -> None:
    contest, players = Contest("tetris"), (load_weights("ga"),)
    for games in (1, 63, 64, 65, 1000, 10_001):
        work = units(contest, players, 1, games)
        assert [number for unit in work for number in range(unit.first, unit.end)] == list(range(games))


def test_one_game_has_no_interval() -> None:
    games = np.array([[3, 5]])
    nothing = dict.fromkeys(("se", "low95", "high95"))
    quantiles = dict.fromkeys(("q05", "q25", "q75", "q95", "median"), 3.0)
    assert summarise(games, ("lines", "nodes")) == {"lines": {"mean": 3.0, **nothing, **quantiles, "min": 3, "max": 3}}
    assert differences(games, games, ("lines", "nodes"))["lines"]["mean"] == 0
