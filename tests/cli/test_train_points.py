"""`emubot train tetris --method td --rules nes`: tables that are learnt, resumed, exported, played; and refusals."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.cli.training_progress import described
from emubot.training.trainer import Report
from emubot.trials import executors
from emubot.weights import load_weights
from tests.cli.training import files, trained, trained_here

TINY = ("--taps", "12hz", "--stop-lines", "8", "--games", "2", "--final-games", "4", "--final", "nodes=500")
# The third generation is the network's.
SETTINGS = ("pieces=1500", "taught=1", "until=2", "tables=2", "check_every=2")
SHORT = tuple(word for setting in SETTINGS for word in ("--set", setting))
TD = ("tetris", "--method", "td", "--rules", "nes", *TINY, *SHORT, "--seed", "3")


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained_here(tmp_path_factory.mktemp("run"), *TD, "--generations", "3")


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.xdist_group("train-points")
class TestARun:
    def test_the_new_set_stands_beside_the_others_and_says_where_it_comes_from(self, whole_run: Path) -> None:
        base, found = load_weights("nes_tetris"), load_weights(str(whole_run / "weights.json"))
        assert (found.features, found.values, found.provenance) == (base.features, base.values, base.provenance)
        (own,) = [each for each in found.points if each not in base.points]
        assert [each for each in found.points if each != own] == sorted(
            base.points, key=lambda each: (each.aim, each.rules, each.taps, each.start_lines, each.stop_lines)
        )
        assert (own.aim, own.taps, own.stop_lines) == ("score", "12hz", 8)
        assert own.provenance.method is not None
        assert own.provenance.method.startswith(
            "td, 3 generations; tetris, rules nes-ntsc, rng blind, start level 18, taps 12hz"
        )
        (result,) = own.provenance.results
        assert (result.figure, own.provenance.seed) == ("score", 3)
        assert result.low95 <= result.mean <= result.high95
        assert own.network is not None

    def test_the_curve_of_every_generation_is_kept(self, whole_run: Path) -> None:
        lines = (whole_run / "history.jsonl").read_text(encoding="utf-8").splitlines()
        figures = [json.loads(line)["figures"] for line in lines]
        assert len(figures) == 3
        assert all({"mean", "lines", "loss", "reached", "share_of_tetrises_from_0"} <= set(one) for one in figures)
        assert all(one["mean"] > 0 and one["loss"] > 0 for one in figures)

    def test_stopped_and_resumed_the_files_are_the_same(
        self, whole_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        trained_here(tmp_path, *TD, "--generations", "1")
        trained_here(tmp_path, *TD, "--generations", "3", "--jobs", "2", "--resume")
        assert "learning is one process here" in capsys.readouterr().err
        assert files(tmp_path) == files(whole_run)

    def test_a_damaged_checkpoint_is_passed_over_with_a_sentence(
        self, whole_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name, content in files(whole_run).items():
            (tmp_path / name).write_bytes(content)
        newest = tmp_path / "checkpoint-000003.json"
        newest.write_bytes(newest.read_bytes()[:-100_000])
        trained_here(tmp_path, *TD, "--generations", "3")
        heard = capsys.readouterr().err
        assert "going on from checkpoint-000002.json, so what came after generation 2 is lost" in heard
        assert files(tmp_path) == files(whole_run)

    def test_what_came_out_plays_by_its_own_tables(
        self, whole_run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(executors, "workers", ThreadPoolExecutor)
        weights = str(whole_run / "weights.json")
        words = ("--rules", "nes", "--stop-lines", "8", "--nodes", "500", "--games", "1", "--seed", "1", "--json")
        assert main(["evaluate", "tetris", "--weights", weights, *words]) == 0
        own = json.loads(capsys.readouterr().out)
        assert main(["evaluate", "tetris", "--weights", "nes_tetris", *words]) == 0
        assert own["nodes"] != json.loads(capsys.readouterr().out)["nodes"]
        demo = ("--demo", "tetris", "--bridge", "simulated", "--pieces", "3", "--emu-speed", "max", "--json")
        assert main(["play", "--weights", weights, "--nodes", "500", *demo]) == 0
        assert json.loads(capsys.readouterr().out)["misplaced"] == 0

    def test_its_pictures_show_what_was_learnt(self, whole_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
        pytest.importorskip("matplotlib")
        assert main(["train", "plot", str(whole_run)]) == 0
        written = [Path(path) for path in capsys.readouterr().out.splitlines()]
        assert [path.name for path in written] == ["fitness.png", "learning.png"]
        for path in written:
            assert path.read_bytes().startswith(b"\x89PNG")
            path.unlink()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--taps", "..X...."), "for a tap rate such as 12hz or for das, without reaction"),
        (("--reaction", "5"), "without reaction"),
        (("--stop-lines", "400"), "ends elsewhere"),
        (("--start-level", "9"), "ends elsewhere"),
        (("--aim", "survive"), "for --aim score or lines with the next piece known and no price on risk"),
        (("--nodes", "0"), "no tables of points play"),
        (("--budget-ms", "4"), "Games by the clock do not repeat, so no run learns from them: leave out --budget-ms."),
        (("--final", "budget_ms=4"), "Games by the clock do not repeat"),
        (("--features", "holes"), "td adds tables to weights and keeps their features"),
        (("--start", "reference"), "for puyo, not for tetris"),
        (("--figure", "lines"), "leave out --figure"),
        (("--race", "2", "--games", "20"), "leave the race out"),
        (
            ("--set", "gamma=0.9"),
            "it has check_every, coarse, network_until, pieces, rates, steps, tables, taught, until",
        ),
        (("--set", "rates=much"), "rates of td-points is numbers such as 0.3,0.1, not 'much'"),
        (("--set", "rates=0.1"), "one of rates more than there are generations in until"),
    ],
)
def test_wrong_combinations_are_one_sentence(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(tmp_path, *TD, *words, "-q") == 2
    heard = capsys.readouterr().err
    assert said in heard
    assert len(heard.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir()), "nothing has begun"


def test_td_does_not_learn_with_the_generator_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trained(tmp_path, "tetris", "--method", "td", "--rules", "nes", "--rng", "aware", "-q") == 2
    assert capsys.readouterr().err == (
        "emubot: td learns from games that do not read the random generator: leave out --rng aware.\n"
    )


def test_without_rules_td_is_the_textbooks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trained(tmp_path, "tetris", "--method", "td", "--taps", "12hz", "-q") == 2
    assert "no --taps for the rules textbook" in capsys.readouterr().err


def test_a_generation_says_the_share_of_tetrises() -> None:
    figures = {"best": 9.0, "mean": 5.0, "low95": 4.0, "high95": 6.0, "loss": 3.0}
    shares = {"share_of_tetrises_from_0": 0.734, "share_of_tetrises_from_100": 0.0}
    said = "generation 2: best 9, mean 5 (4 to 6)"
    assert described(Report(2, 8, figures)) == said
    assert described(Report(2, 8, figures | shares)) == f"{said}, tetrises from 0 73 %, tetrises from 100 0 %"
