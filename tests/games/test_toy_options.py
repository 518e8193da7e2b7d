"""What an installed family declares is in every command, form and table, with no word about it elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs.draw_options import games_tables
from emubot import games
from emubot.arena import cockpit, train_form
from emubot.cli import bench, main
from emubot.cli.train import build_parser, plan_of
from tests.games.test_third_family import install
from tests.games.toy_family.family import GAME


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "tests.games.toy_family.family:GAME")


def helped(capsys: pytest.CaptureFixture[str], words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), "--help"])
    assert ended.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def told(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    assert main([*words.split(), "--json", "--quiet"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


def refused(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert main(words.split()) == 2
    return capsys.readouterr().err


def test_help_of_play_has_its_choices_in_menus(capsys: pytest.CaptureFixture[str]) -> None:
    shown = helped(capsys, "play")
    assert "--tint plain|bright numbers: how numbers are drawn (default plain)" in shown
    assert "numbers: how fast numbers fall (0 to 3; default 0)" in shown


def test_its_demo_is_played_on_the_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "play --demo numbers --emu-speed max --pieces 3 --view none")
    assert (figures["game"], figures["bridge"], figures["pieces"]) == ("numbers", "simulated", 3)
    assert "no demo cartridge" not in refused(capsys, "play numbers")


def test_a_word_is_the_number_of_its_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = f"play --bridge simulated --map {GAME.facts.default_map} --emu-speed max --view none --pieces 2"
    recorded = tmp_path / "game.npz"
    told(capsys, f"{words} --tint bright --record {recorded}")
    assert main(["trace", "verify", str(recorded), "--json"]) == 0
    from emubot.trace import read_trace

    assert read_trace(recorded).about["asked"] == {"tint": 1}
    capsys.readouterr()
    assert "--items off is no choice of this game" in refused(capsys, f"{words} --items off")


@pytest.mark.parametrize("command", ["evaluate", "train", "selfplay"])
def test_help_of_a_command_lists_the_games_and_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"emubot {command} numbers --help" in helped(capsys, command)
    shown = helped(capsys, f"{command} numbers")
    assert "--digits N different numbers that come (1 to 3; default 3)" in shown
    assert "--colors" not in shown
    if command != "selfplay":
        assert "--rules PROFILE numbers, race (default: the first)" in shown
        assert "rules race: as few pieces as possible for some triples" in shown
        assert "--triples N end a game after N triples (1 to 50; default 2)" in shown


def test_its_rules_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "evaluate numbers --rules race --triples 1 --digits 1 --games 2")
    assert figures["settings"] == {"game": "numbers", "rules": "race", "digits": 1, "triples": 1}
    assert figures["lines"]["min"] == 1
    assert figures["pieces"]["mean"] == 3


def test_its_options_are_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "evaluate puyo --digits 2 --games 1")
    assert said.startswith("emubot: --digits is an option of numbers, not of puyo: leave it out")
    said = refused(capsys, "evaluate numbers --colors 2 --games 1")
    assert said.startswith("emubot: --colors is an option of puyo and matching, not of numbers: leave it out")
    assert "There is no --triples for the rules numbers" in refused(capsys, "evaluate numbers --triples 2 --games 1")
    assert "--digits of the rules numbers is a whole number from 1 to 3, not 4" in refused(
        capsys, "evaluate numbers --digits 4 --games 1"
    )


def test_it_plays_itself_by_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "selfplay numbers --pieces 60 --unit 30 --digits 1")
    assert figures["options"] == {"digits": 1}
    assert set(figures["odds_log10"]) == {"20", "40"}
    assert figures["lines"] == 20


def test_a_generation_is_trained_by_a_plain_recipe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = "train numbers --method pso --generations 1 --games 1 --final-games 4 --set particles=4 --pieces 6"
    trained = told(capsys, f"{words} --out {tmp_path / 'run'}")
    assert trained["generations"] == 1
    assert json.loads((tmp_path / "run" / "weights.json").read_text())["game"] == "numbers"


def test_it_is_measured_by_bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_DECISIONS", 3)
    assert "numbers" in helped(capsys, "bench")
    measured = told(capsys, "bench numbers")["numbers"]
    assert measured["simulator_frames_per_second"] > 0
    assert measured["pieces_per_second"] > 0
    assert measured["nodes_per_decision"] > 0


def test_the_forms_of_the_arena_offer_its_options() -> None:
    training = {one.name: one for one in train_form.options()}
    assert training["triples"].data().items() >= {"kind": "number", "low": 1, "high": 50, "games": ["numbers"]}.items()
    assert ["race", "race"] in training["rules"].data()["choices"]
    assert training["rules"].data()["owners"]["race"] == ["numbers"]
    chosen: dict[str, str | int] = {"game": "numbers", "rules": "race", "triples": 4, "colors": 4}
    words = train_form.words_of(chosen)
    assert words == "train numbers --method pso --rules race --triples 4".split()
    assert plan_of(build_parser("numbers").parse_intermixed_args([*words[1:], "--out", "x"])).recipe.options == {
        "triples": 4
    }
    playing = {one.name: one for one in cockpit.options()}
    assert playing["tint"].data()["choices"] == [["plain", "plain"], ["bright", "bright"]]


def test_the_tables_of_the_pages_have_its_options() -> None:
    lines = games_tables(games.names())
    assert "## numbers" in lines
    assert "| `--triples N` | end a game after N triples | 1 to 50; default 2 |" in lines
    assert "| `--tint plain\\|bright` | how numbers are drawn | default plain |" in lines


def test_matching_is_a_family_like_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    shown = helped(capsys, "evaluate matching")
    assert "--rules PROFILE capsules, columns (default: the first)" in shown
    assert "--board" not in shown
    assert "tetris, puyo, matching: time of a decision" in helped(capsys, "play --help-all")


def test_a_package_that_declares_nothing_or_does_not_load_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, entry in enumerate(("no_such_package:GAME", f"{__name__}:pytest")):
        install(tmp_path / str(number), monkeypatch, entry)
        assert "--level N" in helped(capsys, "play")
        assert "--digits" not in helped(capsys, "evaluate puyo")
