"""`emubot selfplay`: its figures, its files, how it is stopped; with a toy family, and with Tetris in processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import emubot.games
from emubot.cli import main, terminal
from emubot.cli import selfplay as command
from emubot.errors import UsageError
from emubot.games.colours.options import PUYO_OPTIONS as PUYO
from emubot.games.counts import Counts, Watch
from emubot.games.kinds import Whole
from emubot.games.options import GameOptions, RuleSet, Values, option
from emubot.games.trial import Settings
from emubot.trials import executors
from emubot.trials.selfplay.ledger import held, read_ledger
from emubot.weights import Weights, save_weights
from tests.trials.toy import WEIGHTS, played

NOT_REPEATED = ("seconds", "pieces_per_second")


@dataclass(frozen=True, kw_only=True)
class ToyValues(Values):
    colors: int = option(Whole(), 3, "colours in play")


class Toy:
    """What self-play needs of a family; `wait` is called as each unit but the first begins."""

    name = "toy"
    options = GameOptions(self_play=(RuleSet(("own",), "a toy", ToyValues),))
    self_play_measure = "puyos"

    def __init__(self) -> None:
        self.units = 0
        self.delay = 0.0  # seconds for each piece; without it no unit is watched
        self.wait: Callable[[int], None] = lambda unit: None

    def self_play_settings(self, rules: str | None, options: Settings) -> tuple[str, Settings]:
        return rules or "own", {"colors": options.get("colors", 3)}

    def self_play(
        self, seed: int, pieces: int, weights: Weights, rules: str | None, options: Settings, watch: Watch | None = None
    ) -> Counts:
        if options.get("colors", 3) > 6:
            raise UsageError("The toy has at most 6 colours; choose fewer.")
        if pieces > 1:  # one piece is the trial of the settings
            self.units += 1
            self.wait(self.units)
        if watch is None or not self.delay:
            return played(seed, pieces)
        for placed in range(1, pieces):
            time.sleep(self.delay)
            if not watch(placed):
                return played(seed, placed)
        return played(seed, pieces)

    def trial(self, sides: int, rules: str | None, options: Any) -> Any:
        """The rest of the part Measurable."""
        raise UsageError("The toy has no trials.")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Toy:
    family = Toy()
    monkeypatch.setattr(emubot.games, "game", lambda name: family)
    monkeypatch.setattr(command, "compile_self_play", lambda game, quiet: None)
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)  # in this process, where the toy is
    monkeypatch.chdir(tmp_path)
    save_weights(WEIGHTS, Path("lucky.json"))
    return family


def told(capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> dict[str, Any]:
    assert main(["selfplay", *words.split(), "--json"]) == code
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


def repeatable(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if name not in NOT_REPEATED}


RUN = "toy --weights lucky.json --unit 100"


def test_json_has_the_documented_names(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, f"{RUN} --pieces 1030 --rules any --colors 4")
    names = {"pieces", "deaths", "all_clears", "mean_puyos", "max_puyos", "score", "histogram", "chains", "units"}
    assert names <= set(figures)
    assert (figures["game"], figures["rules"], figures["options"], figures["weights"]) == (
        "toy",
        "any",
        {"colors": 4},
        "lucky",
    )
    assert figures["pieces"] == sum(figures["histogram"]) == sum(figures["chains"]) == 1030
    assert figures["interrupted"] is False
    assert figures["pieces_per_second"] > 0


def test_a_seed_is_a_run(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (told(capsys, f"{RUN} --pieces 500 --seed {seed}") for seed in (1, 1, 2))
    assert repeatable(first) == repeatable(again)
    assert first["histogram"] != other["histogram"]


def test_a_person_reads_a_table(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", *RUN.split(), "--pieces", "1000"]) == 0
    shown = capsys.readouterr()
    assert "toy, rules own, colors 3, weights lucky, seed 0" in shown.out
    assert "mean puyos after a lock" in shown.out
    assert main(["selfplay", *RUN.split(), "--pieces", "1000", "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_article_stands_beside_its_own_weights(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    toy.name, toy.options = "puyo", replace(Toy.options, published=PUYO.published)
    words = "selfplay puyo --rules famicom-1991 --pieces 1000 --weights"
    assert main([*words.split(), "reference", "--colors", "6"]) == 0
    shown = capsys.readouterr().out
    assert "about 10" in shown
    assert "1 per 15,033 pieces" in shown
    assert "meatfighter.com" in shown
    Path("lucky.json").rename("reference.json")
    for other in (["reference"], ["reference.json", "--colors", "6"]):
        assert main([*words.split(), *other]) == 0
        assert "meatfighter.com" not in capsys.readouterr().out


def test_going_on_where_a_file_stops(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, f"{RUN} --pieces 300 --out part.json")
    assert toy.units == 3
    longer = told(capsys, f"{RUN} --pieces 500 --out part.json")
    assert toy.units == 5
    assert repeatable(longer) == repeatable(told(capsys, f"{RUN} --pieces 500"))
    again = told(capsys, f"{RUN} --pieces 500 --out part.json")
    assert toy.units == 10
    assert repeatable(again) == repeatable(longer)
    assert again["pieces_per_second"] == 0


def test_ranges_run_apart_add_up(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, f"{RUN} --units 0:2 --out one.json")
    told(capsys, f"{RUN} --pieces 500 --units 4:5 --out two.json")
    told(capsys, f"{RUN} --units 2:4 --out three.json")
    total = told(capsys, "--sum two.json one.json three.json --out all.json")
    whole = repeatable(told(capsys, f"{RUN} --pieces 500"))
    assert total == {name: value for name, value in whole.items() if name != "interrupted"}
    assert told(capsys, "--sum all.json") == total


def test_a_plot_is_a_picture(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    told(capsys, f"{RUN} --pieces 500 --plot curve.png --out run.json")
    told(capsys, "--sum run.json --plot again.png")
    told(capsys, "--sum run.json --plot again.png --force")
    assert Path("curve.png").read_bytes()[:8] == Path("again.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (f"{RUN} --colors 7 --pieces 5", "The toy has at most 6 colours; choose fewer."),
        (f"{RUN} --pieces 150 --out run.json", "A file holds whole units: with --out, --pieces is a multiple of 100"),
        (RUN, "How long? Give --pieces N, or --units A:B."),
        (f"{RUN} --units 5", "'5' is not a range of units"),
        (f"{RUN} --pieces 100 --out old.json", "made with other settings (rules old instead of own)"),
        (f"{RUN} --rules old --pieces 100 --seed 3 --out old.json", "The file is of seed 0, not 3"),
        ("--sum old.json old.json", "old.json holds unit 0 of seed 0, and so does the sum"),
        ("--sum old.json torn.json", "torn.json is damaged or not a self-play file"),
        ("--sum none.json", "There is no none.json"),
        (f"{RUN} --rules old --pieces 100 --out torn.json", "torn.json is damaged or not a self-play file"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_2(
    words: str, sentence: str, toy: Toy, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, f"{RUN} --rules old --pieces 100 --out old.json")
    Path("torn.json").write_text(Path("old.json").read_text()[:-20])
    assert main(["selfplay", *words.split()]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("words", ["", "--pieces 5", "toy --sum run.json"])
def test_either_a_game_or_files(words: str, toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", *words.split()]) == 2
    assert "give either a GAME or --sum FILE" in capsys.readouterr().err


def test_a_plot_without_matplotlib_is_told_before_the_run(
    toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["selfplay", *RUN.split(), "--pieces", "500", "--plot", "curve.png"]) == 2
    assert "matplotlib>=" in capsys.readouterr().err
    assert toy.units == 0


def test_a_picture_that_cannot_be_written_costs_no_figures(
    toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert told(capsys, f"{RUN} --pieces 500 --plot curve.png", code=4)["pieces"] == 500
    assert not Path("curve.png").exists()


def test_a_file_in_use_is_refused(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    with held(Path("run.json")):
        assert main(["selfplay", *RUN.split(), "--pieces", "500", "--out", "run.json"]) == 2
    assert "run.json is in use by another run" in capsys.readouterr().err


def interrupt_at(*units: int) -> Callable[[int], None]:
    """Sends this process a Ctrl-C as those units begin, and lets it arrive."""

    def wait(unit: int) -> None:
        if unit in units:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)

    return wait


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_finishes_the_unit_under_way(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    toy.wait = interrupt_at(3)
    figures = told(capsys, f"{RUN} --pieces 1000 --out run.json --colors 4", code=130)
    assert (figures["pieces"], figures["interrupted"]) == (300, True)
    assert read_ledger(Path("run.json")).counts.pieces == 300
    toy.wait = lambda unit: None
    whole = told(capsys, f"{RUN} --pieces 1000 --out run.json --colors 4")
    assert repeatable(whole) == repeatable(told(capsys, f"{RUN} --pieces 1000 --colors 4"))


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_ends_long_units_soon_and_reports_their_pieces(
    toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    toy.delay = 0.001
    toy.wait = lambda unit: threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    assert main("selfplay toy --weights lucky.json --unit 1000000 --pieces 2000000 --json".split()) == 130
    said = capsys.readouterr()
    figures = json.loads(said.out)
    assert time.monotonic() - began < 30, "two units would take half an hour"
    assert 0 < figures["pieces"] < 1_000_000
    lines = [line for line in said.err.splitlines() if "/2,000,000 pieces" in line]
    moved = [int(line.split("/")[0].replace(",", "")) for line in lines]
    assert moved == sorted(moved)
    assert 0 < moved[-2] < 1_000_000, "it moves within a unit"
    assert "stopping; what was played is reported" in said.err


@pytest.mark.xdist_group("signals")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_twice_ends_at_once_and_leaves_what_is_finished(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    def wait(unit: int) -> None:
        if unit == 3:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.3)

    toy.wait = wait
    before = signal.getsignal(signal.SIGINT)
    assert main(["selfplay", *RUN.split(), "--pieces", "1000", "--out", "run.json"]) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.splitlines()[-1]) == ("", "emubot: interrupted.")
    assert read_ledger(Path("run.json")).counts.pieces == 200
    assert signal.getsignal(signal.SIGINT) is before


def test_plain_lines_where_there_is_no_terminal(
    toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    assert main(["selfplay", *RUN.split(), "--pieces", "300", "--json"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("0/300 pieces")
    assert lines[-1].startswith("300/300 pieces")
    assert lines[-1].endswith("0 s left")


def test_a_bar_on_a_terminal(toy: Toy, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["selfplay", *RUN.split(), "--pieces", "300", "--json"]) == 0
    said = capsys.readouterr()
    assert "300/300 pieces" in said.err
    assert "pieces/s" in said.err
    json.loads(said.out)


def start(words: str, folder: Path) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "emubot", "selfplay", *words.split()]
    return subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def wait_for_units(path: Path, number: int) -> None:
    end = time.monotonic() + 300
    while not (path.exists() and read_ledger(path).finished >= number):
        assert time.monotonic() < end, "no unit was ever finished"
        time.sleep(0.02)


TETRIS = "tetris --unit 200"


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_number_of_processes_changes_nothing(
    jobs: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes or threads, as many as there are."""
    some = told(capsys, f"{TETRIS} --pieces 1100 --jobs {jobs}")
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
    one, three = (told(capsys, f"{TETRIS} --pieces 1100 --jobs {threads}") for threads in (1, 3))
    assert repeatable(one) == repeatable(three) == repeatable(some)
    assert one["pieces"] == 1100
    assert {"mean_height", "max_height", "histogram", "lines", "score", "deaths"} <= set(one)


@pytest.mark.xdist_group("signals")
@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_run_that_was_killed_goes_on(
    jobs: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.json"
    process = start(f"{TETRIS} --pieces 4000000 --jobs {jobs} --out run.json", tmp_path)
    try:
        wait_for_units(path, 3)
    finally:
        process.kill()
        process.communicate()
    monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)  # who goes on does not matter
    kept = read_ledger(path)
    pieces = 200 * (max(kept.units[0]) + 3)
    resumed = told(capsys, f"{TETRIS} --pieces {pieces} --out run.json")
    assert resumed["pieces"] == pieces
    straight = told(capsys, f"{TETRIS} --pieces {pieces}")
    assert repeatable(resumed) == repeatable(straight)


@pytest.mark.slow
@pytest.mark.xdist_group("signals")
@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGTERM, 1), pytest.param(signal.SIGINT, 2, marks=pytest.mark.slow)]
)
def test_processes_are_stopped_in_good_order(number: int, jobs: int, tmp_path: Path) -> None:
    process = start(f"{TETRIS} --pieces 4000000 --jobs {jobs} --out run.json --json", tmp_path)
    wait_for_units(tmp_path / "run.json", 2)
    process.send_signal(number)
    figures = json.loads(process.communicate(timeout=300)[0])
    assert process.returncode == 130
    assert figures["interrupted"] is True
    assert figures["pieces"] == read_ledger(tmp_path / "run.json").counts.pieces > 0
