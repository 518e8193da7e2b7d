"""`emubot maps`: what it prints, and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.cli.map_refusals import refusals
from emubot.datafiles import shipped
from emubot.demos import image
from emubot.rammap import json_schema
from tests.bridges.cores import require_core
from tests.rammap.test_toy import TOY


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A map whose family is not installed, so that only the file itself is checked."""
    monkeypatch.setattr("emubot.cli.map_refusals.refusals", lambda names: {})
    file = tmp_path / "toy.yaml"
    file.write_text(TOY)
    return file


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "list"]) == 0
    out = capsys.readouterr().out
    assert "nes_tetris_usa: Tetris (USA), Nintendo, family tetris, " in out
    assert "    FD9079CB5E8479EB06D93C2AE5175BFCE871746A  Tetris (USA), Nintendo\n" in out


def test_list_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "--json", "list"]) == 0
    maps = {found["name"]: found for found in json.loads(capsys.readouterr().out)["maps"]}
    assert maps["nes_tetris_usa"]["profile"] == "nes-ntsc"
    assert maps["nes_tetris_usa"]["learns"] == []


def test_check_says_what_a_map_says(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "check", str(toy)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines() == [
        f"{toy}: ok",
        "    A toy of pairs; family toy, profile toy-1, players 2",
        "    12 values and 0 regions in ram, 0x0000 to 0x07FF",
        "    playfield of 4 rows and 3 columns at 0x0300 and 0x0400, column by column, first row at the bottom, "
        "2 hidden above",
        "    cells: empty, red, blue, ghost, strange",
        "    menu: mode_menu, level_menu",
        "    playing: playing",
        "    over: over",
        "    menus: 4 steps",
        "    lag frames: by clock",
        "    for Toy, SHA-1 1111111111111111111111111111111111111111",
        "    for Toy, second edition, SHA-1 2222222222222222222222222222222222222222",
        "    not for Toy for another console: it only looks alike",
        "    still to be learnt: strange",
    ]


def test_check_of_a_wrong_map_ends_with_2_and_looks_at_the_others_too(
    toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(TOY.replace("rows: 4", "rows: 0x04"))
    assert main(["maps", "check", str(wrong), str(toy)]) == 2
    captured = capsys.readouterr()
    line = TOY[: TOY.index("rows: 4")].count("\n") + 1
    sentence = f"{wrong}:{line}: grid.rows: found 0x04, allowed is a decimal number from 1 to 32."
    assert captured.err == f"emubot: {sentence}\n"
    assert f"{toy}: ok" in captured.out
    assert main(["maps", "check", str(wrong), str(toy), "--json"]) == 2
    results = json.loads(capsys.readouterr().out)["maps"]
    assert results[0] == {"file": str(wrong), "ok": False, "error": sentence, "errors": [sentence]}
    assert results[1]["ok"] is True
    assert results[1]["learns"] == ["strange"]


def test_a_map_that_its_family_cannot_play_by_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Well-formed files that `play` refuses: a profile, a value and a family that there are not, bad overrides."""
    tetris = shipped("ram_maps") / "nes_tetris_usa.yaml"
    pairs = (shipped("ram_maps") / "demo_pairs.yaml").read_text(encoding="utf-8")
    text = tetris.read_text(encoding="utf-8")
    wrong = {
        "profile": (text.replace("\nprofile: nes-ntsc", "\nprofile: nes-secam"), "nes-secam"),
        "family": (text.replace("family: tetris", "family: chess"), "no game 'chess'"),
        "value": (pairs.replace("next_top", "something"), "lacks next_top"),
    }
    names = []
    for name, (broken, _) in wrong.items():
        file = tmp_path / f"{name}.yaml"
        file.write_text(broken, encoding="utf-8")
        names.append(str(file))
    assert main(["maps", "check", "nes_tetris_usa", *names]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("nes_tetris_usa: ok\n")
    assert said.out.count(": ok") == 1
    for name, (_, sentence) in wrong.items():
        assert any(f"{name}.yaml:" in line and sentence in line for line in said.err.splitlines())


def test_a_key_that_is_gone_hides_nothing_that_the_family_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = (shipped("ram_maps") / "demo_pairs.yaml").read_text(encoding="utf-8")
    file = tmp_path / "own.yaml"
    file.write_text(pairs.replace("next_top", "something") + "space: ram\n", encoding="utf-8")
    assert main(["maps", "check", str(file), "--json"]) == 2
    said = capsys.readouterr()
    errors = json.loads(said.out)["maps"][0]["errors"]
    assert [line for line in errors if "space: this key is unknown, it is gone: an address alone" in line]
    assert [line for line in errors if "lacks next_top" in line]
    assert said.err.splitlines() == [f"emubot: {line}" for line in errors]


def test_a_family_that_breaks_is_told_of_and_not_called_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    refused = refusals(["nes_tetris_usa"])
    assert refused["nes_tetris_usa"] == [((), "The check by the map's family failed: it ended with 1")]


def test_every_error_of_a_file_is_told_at_once_each_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lines_of(text: str) -> list[str]:
        file = tmp_path / "wrong.yaml"
        file.write_text(text)
        assert main(["maps", "check", str(file)]) == 2
        return [line.removeprefix(f"emubot: {file}:") for line in capsys.readouterr().err.splitlines()]

    def line(key: str) -> int:
        return TOY[: TOY.index(key)].count("\n") + 1

    malformed = TOY.replace("rows: 4", "rows: 0x04").replace("players: 2", "player: 2").replace("pace: 6", "pace: 0")
    malformed = malformed.replace("speed: {at: 0x26,", "speed: {at: 0x26, masc: 1,")
    assert [told.partition(": ")[0] for told in lines_of(malformed)] == [
        *map(str, (line("players: 2"), line("speed: {"), line("rows: 4"), line("pace: 6")))
    ]
    apart = TOY.replace("{state: 2, column", "{stat: 2, column").replace("{state: 3, row", "{state: 3, rows")
    apart = apart.replace("game_counter: clock", "game_counter: click")
    assert lines_of(apart) == [
        f"{line('game_counter')}: game_counter: found click, which is no value of this map.",
        f"{line('state: 2, column')}: phases[2].when.stat: found stat, which is no value of this map.",
        f"{line('state: 3, row')}: phases[3].when.rows: found rows, which is no value of this map.",
    ]


def test_nothing_in_the_current_folder_is_imported_by_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as the folder of a clone, or a file that somebody put there."""
    (tmp_path / "emubot").mkdir()
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert refusals(["demo_pairs"]) == {}


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "changes", "told"),
    [
        (
            "nes_tetris_usa",
            {
                "  das: [0x66, 0x86]": "  charge: [0x66, 0x86]",
                "    - [0x04EC, 0x05EC]\n": "",
                "phase: playing": "phase: menu",
            },
            {
                "values": "lacks the values das for player 1, and the tetris family cannot play so: add them",
                "grid": "has 20 rows, 10 columns and 1 hidden rows",
                "phases": "has no rule for the phase playing, so nothing is played: add one",
            },
        ),
        (
            "demo_pairs",
            {
                "next_top:": "other:",
                "color_1: 0x01": "red: 0x01",
                "[[0, 0], [1, 0]]": "[[0, 0], [2, 0]]",
            },
            {
                "values": "lacks next_top for player 1",
                "grid.cell.kinds": "has no kinds color_1",
                "pieces[3]": "Orientation 3 in the map changed is no pair",
            },
        ),
        (
            "demo_capsules",
            {
                "next_2:": "other:",
                "target_1: ": "aim_1: ",
                "[[0, 0], [0, -1]]": "[[0, 0], [0, -2]]",
            },
            {
                "values": "lacks next_2 for player 1",
                "grid.cell.kinds": "has no kinds target_1",
                "pieces[3]": "Orientation 3 in the map changed is none of this family's",
            },
        ),
    ],
    ids=["tetris", "puyo", "matching"],
)
def test_everything_that_a_family_cannot_play_is_told_at_its_line(
    name: str, changes: dict[str, str], told: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (shipped("ram_maps") / f"{name}.yaml").read_text(encoding="utf-8")
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    file = tmp_path / "changed.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["maps", "check", str(file), "--json"]) == 2
    captured = capsys.readouterr()
    errors = json.loads(captured.out)["maps"][0]["errors"]
    assert captured.err.splitlines() == [f"emubot: {error}" for error in errors]
    lines = text.splitlines()
    for key, sentence in told.items():
        found = next(error for error in errors if f": {key}: " in error)
        assert sentence in found
        number = int(found.removeprefix(f"{file}:").partition(":")[0])
        last = key.rpartition(".")[2].partition("[")[0]
        assert last in lines[number - 1] or "id: 3" in lines[number - 1]
    numbers = [int(error.removeprefix(f"{file}:").partition(":")[0]) for error in errors]
    assert numbers == sorted(numbers)


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["maps", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema()


@pytest.mark.parametrize("words", [["check"], ["list", "x.yaml"], ["mend"], []])
def test_wrong_usage_ends_with_2(words: list[str]) -> None:
    assert main(["maps", *words]) == 2


@pytest.mark.jit
@pytest.mark.core("fceumm")
def test_check_with_a_cartridge_plays_and_names_what_did_not_come_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--rom", str(image("puyo")), "--core", str(require_core("fceumm"))]
    assert main(["maps", "check", "demo_pairs", *words]) == 0
    assert capsys.readouterr().out.startswith("demo_pairs: all came true in 10 pieces, ")
    text, right = (shipped("ram_maps") / "demo_pairs.yaml").read_text(encoding="utf-8"), "  right: RIGHT"
    assert text.count(right) == 1
    file = tmp_path / "wrong.yaml"
    file.write_text(text.replace(right, "  right: SELECT"), encoding="utf-8")
    line = 1 + text[: text.index(right)].count("\n")
    assert main(["maps", "check", str(file), *words, "--json"]) == 1
    captured = capsys.readouterr()
    (told,) = json.loads(captured.out)["maps"]
    assert told["ok"] is False
    assert told["played"]["pieces"] <= 10
    assert any(f"{file}:{line}: buttons.right: SELECT had no effect" in error for error in told["errors"])
    assert f"emubot: {file}:{line}: buttons.right: SELECT" in captured.err


def test_check_with_a_cartridge_takes_one_map_and_a_valid_one(toy: Path, tmp_path: Path) -> None:
    assert main(["maps", "check", str(toy), str(toy), "--rom", "none.nes"]) == 2
    broken = tmp_path / "broken.yaml"
    broken.write_text(TOY.replace("title:", "titel:"))
    assert main(["maps", "check", str(broken), "--rom", "none.nes"]) == 2
