"""`emubot explain` for pairs: from a drawn field and a recorded game; as text, JSON and a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import PositionError
from emubot.games.colours.simulator.replay import PuyoRecorder
from emubot.judging.moves import moves_of
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.review.sources import source_of
from emubot.session.request import SessionRequest
from emubot.trace import write_trace
from tests.cli.refusals import sentence
from tests.cli.test_explain import INSIDE, PLACEMENT, TOP, explain, result
from tests.families import default_edition, whole_edition, whole_game
from tests.games.colours.toy_pairs import Wide

FIELD = "R.....\nRGB...\nRGB...\nGBYR..\nGBYRY.\nGBYGR.\n"
QUICK = ["--weights", "chains", "--nodes", "2000", "--rollouts", "2", "--top", "2"]
PAIR = ["--game", "puyo", "--piece", "RB", "--next", "GGYR"]
SETTINGS = "rules colors level taps reaction nodes search aim pending weights seed human_error"


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """A drawn field."""
    file = tmp_path / "field.txt"
    file.write_text(FIELD, encoding="utf-8")
    return file


@pytest.mark.jit
@pytest.mark.parametrize("rules", ["famicom-1991", "tsu"])
def test_a_field_as_json(rules: str, field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, field, *PAIR, "--rules", rules, *QUICK)
    assert " ".join(shown) == TOP
    assert " ".join(shown["settings"]) == SETTINGS
    assert (shown["settings"]["rules"], shown["position"]["in_air"]) == (rules, "rb")
    assert (shown["position"]["piece"], shown["position"]["next"]) == ("RB", "GG YR")
    timed = rules == "famicom-1991"
    for one in shown["placements"]:
        assert " ".join(one) == PLACEMENT
        assert {" ".join(inner) for inner in one["parts"]} == {INSIDE["parts"]}
        assert (one["frames"] is not None) == bool(one["inputs"]) == (not one["moves"]) == timed
        after = one["after"]
        assert sum(part["value"] for part in after["parts"]) == pytest.approx(after["value"])
        assert len(after["board"]) == len(shown["position"]["board"]) == (14 if timed else 13)
        above = shown["position"]["hidden_rows"]
        for column, row in after["chain"]["trigger"]:
            assert after["board"][row + above][column] == "."
        for column, row, step in after["chain"]["cells"]:
            assert after["board"][row + above][column] != "."
            assert 1 <= step <= after["chain"]["steps"]


@pytest.mark.jit
def test_a_field_as_text(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(field, *PAIR, "--rules", "tsu", *QUICK, "--aim", "chain") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "puyo, tsu, level 0, 4 colours, for chain" in lines[0]
    assert lines[1].startswith("│..b...│  in the air (rb): RB, next: GG YR")
    (row,) = (number for number, line in enumerate(lines) if line.startswith("╭──── 1 ─────╮"))
    second = [line[16:28] for line in lines[row + 1 : row + 8]]
    assert [line.replace(" ", "") for line in second] == [
        ".R2....",
        "R2B1B*...",
        "R2GB1...",
        "R2GB1...",
        *FIELD.split()[3:],
    ]
    assert lines[row + 8].endswith(" ╰─ 2 steps ──╯")
    assert lines[row + 9].rstrip().endswith(" 360 points")
    assert any(line.startswith("  2: LEFT, A, A") for line in lines)
    assert any(line.startswith(" value of the field ") for line in lines)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.jit
def test_a_field_of_another_size_is_drawn_for_its_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wide.yaml").write_text(Wide.text, encoding="utf-8")
    (tmp_path / "field.txt").write_text("R......B\nRYGGYRBB\n", encoding="utf-8")
    words = [tmp_path / "field.txt", "--map", tmp_path / "wide.yaml", "--piece", "RG"]
    assert explain(*words, "--rollouts", "1") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("╭────────╮  puyo, famicom-1991, level 0, 5 colours")
    assert any(line.count("╭───") == 4 for line in lines), "four fields side by side, then the fifth"
    assert all(len(line) <= 80 for line in lines)
    shown = result(capsys, *words, "--rollouts", "1")
    assert (shown["map"], shown["settings"]["search"]) == ("wide", "two plies")


@pytest.mark.jit
def test_two_plies_are_explained_by_features(field: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [field, *PAIR, "--weights", "builder", "--rollouts", "0", "--top", "1"]
    assert explain(*words) == 0
    text = capsys.readouterr().out
    assert " potential (" in text
    assert " value of the field " not in text
    shown = result(capsys, *words)
    assert shown["settings"]["search"] == "two plies"
    assert shown["placements"][0]["after"]["value"] is None
    assert shown["placements"][0]["next"]


@pytest.mark.slow
@pytest.mark.jit
def test_a_row_of_a_recorded_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = whole_game("puyo")
    ram_map = load_map(game.facts.default_map)
    machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(3))
    recorder, decode = PuyoRecorder(ram_map).begin("nmi-game"), game.open(ram_map).decoder()
    pilot = Pilot(SimulatedBridge(machine), Goal(12, None, {"level": 9}), game.open(ram_map))
    while pilot.tally.pieces < 12:
        pilot.step()
        if default_edition(game.name).recorder.records(decode(machine.ram.tobytes())):
            recorder.add(machine.ram.tobytes())
    write_trace(tmp_path / "game.npz", recorder.finish({"game": "puyo", "map": ram_map.name}))
    shown = result(capsys, tmp_path / "game.npz", *QUICK)
    assert (shown["game"], shown["map"], shown["settings"]["level"]) == ("puyo", "demo_pairs", 9)
    assert shown["row"] is not None
    assert shown["position"]["next"]
    assert shown["placements"][0]["inputs"]
    assert sum(cell in "RGBYP" for line in shown["position"]["board"] for cell in line) > 4


@pytest.fixture
def floating(tmp_path: Path) -> Path:
    """A recording that somebody made: in its second half a cell of the field hangs in the air."""
    ram_map = load_map("demo_pairs")
    image, field = np.zeros(ram_map.image_size, dtype=np.uint8), np.zeros((13, 6), dtype=np.uint8)
    recorder = PuyoRecorder(ram_map).begin("nmi-game")
    values = {"game_state": 2, "play_state": 1, "x": 2, "y": 1, "current_bottom": 1, "current_top": 1}
    for row in range(8):
        field[5, 2] = row > 3
        ram_map.encode(image, {**values, "game_counter": row}, field, np.zeros((1, 6), dtype=np.uint8))
        recorder.add(image.tobytes())
    write_trace(tmp_path / "game.npz", recorder.finish({"game": "puyo", "map": ram_map.name}))
    return tmp_path / "game.npz"


def test_a_field_that_no_game_can_have_is_not_explained(floating: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(floating, "--frame", "6") == 2
    said = sentence(capsys)
    assert "No game can have the position in row 6" in said
    assert "the cell in column 3, 8 rows from the floor, has nothing below it" in said


def test_nor_is_a_game_with_such_a_field_reviewed(floating: Path) -> None:
    source = source_of(floating, 0, None, SessionRequest())
    with pytest.raises(PositionError, match="No game can have the position in frame 3: the cell in column 3"):
        list(moves_of(source.snapshots))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--game puyo", "Which pair is in the air? Name it with --piece"),
        ("--game puyo --piece RB --lines 3", "Pairs have no --lines"),
        ("--piece RB --map demo_pairs --rules tsu", "The map has the rules: leave out --rules or --map"),
        ("--game matching --map demo_pairs", "The map demo_pairs is one of puyo, not of matching: leave out --game"),
        ("--game puyo --piece RB --aim lines", "--aim is one of score, chain, survive, battle"),
        ("--game puyo --piece RB --weights pso", "These weights are for tetris, not for puyo"),
        ("--game puyo --piece RB --weights chains --nodes 0", "two plies do not: give more --nodes"),
    ],
)
def test_what_cannot_be_explained_is_one_sentence_and_2(
    words: str, said: str, field: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(field, *words.split()) == 2
    assert said in sentence(capsys)


@pytest.mark.jit
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_shows_the_chain(
    suffix: str, field: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"decision{suffix}"
    result(capsys, field, *PAIR, "--rules", "tsu", *QUICK, "--picture", file)
    assert file.stat().st_size > 10_000
