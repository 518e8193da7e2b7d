"""`emubot explain`: from a board in text, a recorded game and a running emulator; as text, JSON and a picture."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.cli import main, terminal
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from tests import paths
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.cli.refusals import sentence
from tests.families import whole_edition, whole_game

BOARD = "#.........\n##.....##.\n#########.\n#########.\n########..\n"
QUICK = ["--weights", "dt10", "--rollouts", "3", "--top", "2"]
RECORDED = paths.RECORDED / "nes_tetris_1.npz"
TOPPED_OUT = paths.RECORDED / "nes_tetris_0.npz"

# The object of --json: its keys, and those inside.
TOP = "game map row settings position nodes unit meaning rollouts fields placements"
SETTINGS = "rules level lines taps reaction nodes search weights seed human_error"
PLACEMENT = (
    "rank name orientation column row cells chosen value next depths parts risk misdrops frames inputs moves after"
)
INSIDE = {
    "depths": "pieces value",
    "parts": "name value amount",
    "inputs": "first last buttons",
}
RISK = "pieces games deaths share low95 high95"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A drawn board."""
    file = tmp_path / "board.txt"
    file.write_text(BOARD, encoding="utf-8")
    return file


def explain(*words: object) -> int:
    """The exit code of `emubot explain WORDS`."""
    return main(["explain", *map(str, words)])


def result(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert explain(*words, "--json") == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    found: dict[str, Any] = json.loads(said.out)
    return found


# A board in text.


@pytest.mark.jit
def test_a_board_as_json(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, board, "--piece", "T", "--next", "L", "--lines", "30", "--taps", "12hz", *QUICK)
    assert " ".join(shown) == TOP
    assert " ".join(shown["settings"]) == SETTINGS
    assert (shown["game"], shown["map"], shown["row"]) == ("tetris", "nes_tetris_usa", None)
    assert (shown["settings"]["level"], shown["settings"]["weights"]) == (18, "dt10")
    assert (shown["position"]["piece"], shown["position"]["next"]) == ("T", "L")
    assert len(shown["placements"]) == 2
    for rank, one in enumerate(shown["placements"], start=1):
        assert " ".join(one) == PLACEMENT
        assert one["rank"] == rank
        for name, keys in INSIDE.items():
            assert one[name]
            assert {" ".join(inner) for inner in one[name]} == {keys}
        assert sum(part["value"] for part in one["parts"]) == pytest.approx(one["value"])
        assert " ".join(one["risk"]) == RISK
        assert one["risk"]["games"] == 3
        assert 0 <= one["risk"]["low95"] <= one["risk"]["share"] <= one["risk"]["high95"] <= 1
        assert one["inputs"][-1]["last"] <= one["frames"]
    best = shown["placements"][0]
    drawn = shown["position"]["board"]
    assert sorted(best["cells"]) == sorted(
        [column, row] for row, line in enumerate(drawn) for column, cell in enumerate(line) if cell == "1"
    )
    assert sum(line.count("o") for line in drawn) == 4


@pytest.mark.jit
def test_the_same_again_is_the_same_and_another_seed_plays_other_games(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.write_text("#########.\n" * 13, encoding="utf-8")  # high enough for some games to end
    words = [board, "--piece", "T", "--taps", "12hz", "--weights", "dt10", "--top", "1"]
    first, again, other = (result(capsys, *words, "--rollouts", "20", "--seed", seed) for seed in (1, 1, 2))
    assert first == again
    assert first["placements"][0]["risk"] != other["placements"][0]["risk"]
    assert result(capsys, *words, "--rollouts", "0")["placements"][0]["risk"] is None


@pytest.mark.jit
def test_a_board_as_text(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(board, "--piece", "T", "--next", "L", "--lines", "30", *QUICK) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "tetris, nes-ntsc, level 18, 30 lines" in lines[0]
    assert lines[1].startswith("│....ooo...│  in the air (o): T, next: L")
    assert any(line.startswith(" 1*  T up, columns ") for line in lines)
    assert any(line.startswith(" row_transitions (") for line in lines)
    assert any(line.startswith(" value by 2 pieces") for line in lines)
    assert any(line.startswith("  1: 1 A") and "DOWN; then L " in line for line in lines)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.jit
def test_it_says_how_far_it_is(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    assert main(["explain", str(board), "--piece", "T", "--top", "2", "--rollouts", "3", "--json"]) == 0
    said = capsys.readouterr()
    json.loads(said.out)
    told = [line for line in said.err.splitlines() if line.startswith("Explaining: ")]
    assert [line.split(" rollouts")[0] for line in told] == [f"Explaining: {played}/6" for played in range(1, 7)]
    assert told[-1].endswith(", 0 s left")


@pytest.mark.jit
def test_the_board_of_trace_show_is_understood(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "show", str(RECORDED), "--frame", "300"]) == 0
    shown = "\n".join(capsys.readouterr().out.splitlines()[-20:])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(shown.encode())))
    drawn = result(capsys, "-", "--next", "L", "--level", "18", *QUICK)
    recorded = result(capsys, RECORDED, "--frame", "300", *QUICK)
    assert drawn["position"] == recorded["position"]
    assert [one["name"] for one in drawn["placements"]] == [one["name"] for one in recorded["placements"]]


@pytest.mark.jit
def test_the_pal_release_is_explained_by_its_own_timing(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [board, "--piece", "T", "--level", "18", *QUICK]
    pal, ntsc = result(capsys, *words, "--rules", "nes-pal"), result(capsys, *words, "--rules", "nes")
    assert (pal["settings"]["rules"], ntsc["settings"]["rules"]) == ("nes-pal", "nes-ntsc")
    assert pal["placements"][0]["frames"] < ntsc["placements"][0]["frames"], "pieces fall faster there"


# A recorded game.


@pytest.mark.jit
def test_a_row_of_a_recorded_game(capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, RECORDED, "--frame", "300", *QUICK)
    assert shown["row"] == 300
    assert main(["trace", "show", str(RECORDED), "--frame", "300", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert [line.replace("1", ".") for line in shown["position"]["board"]] == row["board"]
    assert shown["settings"]["level"] == row["state"]["level"]


@pytest.mark.jit
def test_without_a_row_it_is_the_last_with_a_piece_in_the_air(capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, TOPPED_OUT, *QUICK)
    assert explain(TOPPED_OUT, "--frame", shown["row"] + 1) == 2
    assert f"no piece in the air in row {shown['row'] + 1} or a later one" in sentence(capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("RECORDED --frame 99999", "has rows 0 to "),
        ("RECORDED --frame 145", "has no piece in the air; the next row that has one is --frame 153."),
        ("none.npz", "There is no trace none.npz"),
        ("none.txt", "There is no file none.txt: name a recorded game or a board in text."),
        (". --piece T", ". cannot be read as a board: it is a folder"),
        ("RECORDED --piece T", "--piece is for a board in text, and this is a recorded game: leave it out"),
        ("RECORDED --bridge fceux", "--bridge is for a running emulator, and this is a recorded game"),
        ("BOARD --frame 3", "--frame is for a recorded game, and this is a board in text"),
        ("BOARD --piece T --map nes_tetris_usa", "is explained by --rules: give these instead of --map"),
        ("BOARD", "Name it with --piece"),
        ("BOARD --piece T --taps 99hz", "Taps cannot be '99hz'"),
        ("BOARD --piece T --weights none", "There are no weights"),
        ("BOARD --piece T --weights reference", "These weights are for puyo, not for tetris"),
        ("BOARD --piece T --picture decision.gif", "decision.gif must end in .png or .svg"),
        ("BOARD --piece T --picture BOARD.png", "is there already: name another file, or replace it with --force"),
        ("BOARD --piece T --top 0", "argument --top: '0' is not a whole number from 1 to 20"),
        ("BOARD --game puyo", "Line 1 of the field is '#.........': draw 6 cells"),
        ("BOARD --piece T --colors 4", "Tetris has no --colors: leave it out"),
        ("BOARD --piece T --aim fun", "Tetris is not played for 'fun': --aim is one of score, lines, survive."),
        ("PAIRS", "The trace does not fit the map demo_pairs: name the map"),
        ("--bridge libretro", "The bridge libretro starts an emulator of its own, and this command presses no button"),
        ("--bridge simulated --wait 0", "in which a game runs"),
    ],
)
def test_what_cannot_be_explained_is_one_sentence_and_2(
    words: str, said: str, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.with_suffix(".txt.png").touch()
    pairs = board.with_name("pairs.npz")
    np.savez(pairs, **{**np.load(RECORDED), "about": json.dumps({"game": "puyo"})})
    for name, path in (("BOARD", board), ("RECORDED", RECORDED), ("PAIRS", pairs)):
        words = words.replace(name, str(path))
    assert explain(*words.split()) == 2
    assert said in sentence(capsys)


def test_a_picture_without_matplotlib_is_refused_before_the_work(
    board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert explain(board, "--piece", "T", "--picture", tmp_path / "decision.png") == 2
    assert "matplotlib>=" in sentence(capsys)


# A running emulator.


@pytest.mark.jit
@pytest.mark.xdist_group("ports")
def test_a_running_game_is_read_and_no_button_is_pressed(capsys: pytest.CaptureFixture[str]) -> None:
    game = whole_game("tetris")
    ram_map = load_map(game.facts.default_map)
    machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(3))
    Pilot(SimulatedBridge(machine), Goal(6, None, {"level": 9}), game.open(ram_map)).run()
    before = game.open(ram_map).decoder()(machine.ram.tobytes())
    with FakeNintaco(machine=machine, polls=1) as server:
        shown = result(capsys, "--bridge", "nintaco", "--port", server.port, "--map", ram_map.name, *QUICK)
        assert server.written == set(), "no pad was written"
    assert shown["settings"]["level"] == 9
    assert shown["row"] is None
    filled = sum(line.count("#") for line in shown["position"]["board"])
    assert filled == np.count_nonzero(before.playfield) > 0
    assert shown["placements"]


@pytest.mark.xdist_group("ports")
def test_without_a_piece_in_the_air_it_gives_up_after_the_wait(capsys: pytest.CaptureFixture[str]) -> None:
    game = whole_game("tetris")
    ram_map = load_map(game.facts.default_map)
    with FakeNintaco(machine=whole_edition(ram_map).simulator.machine(np.random.default_rng(3)), polls=1) as server:
        assert explain("--bridge", "nintaco", "--port", server.port, "--map", ram_map.name, "--wait", "0") == 3
    assert "showed no piece in the air within 0 s" in capsys.readouterr().err


# A picture.


@pytest.mark.jit
@pytest.mark.parametrize(("suffix", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_a_picture(suffix: str, begins: bytes, board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"decision{suffix}"
    result(capsys, board, "--piece", "T", "--next", "L", *QUICK, "--picture", file)
    content = file.read_bytes()
    assert content.startswith(begins)
    assert len(content) > 10_000
