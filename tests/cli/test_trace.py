"""`emubot trace`: what it says of recorded games, whole, damaged and none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from emubot.cli import main
from tests import paths

RECORDED = sorted(paths.RECORDED.glob("*.npz"))
PLAYED = "--demo tetris --bridge simulated --emu-speed max --weights meatfighter --view none"


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A recorded game with one wrong byte in row 100."""
    data = dict(np.load(RECORDED[0]))
    data["page"][100, 20] ^= 0x80
    file = tmp_path / "damaged.npz"
    np.savez(file, **data)
    return file


def test_the_recorded_games_replay_without_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "verify", "--json", *map(str, RECORDED)]) == 0
    said = capsys.readouterr()
    assert said.out == '{"files": 12, "frames": 21726, "mismatches": 0, "first": null}\n'
    assert said.err == ""
    assert main(["trace", "verify", *map(str, RECORDED[:2])]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(" frames, no differences")
    assert lines[-1].startswith("2 files, ")


def test_a_difference_is_named_and_ends_with_1(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "verify", str(RECORDED[1]), str(damaged), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["first"] == {"file": str(damaged), "row": 100}
    assert 1 <= result["mismatches"] <= 2, "goes on from what was recorded"
    assert main(["trace", "verify", str(damaged)]) == 1
    assert "rows differ, the first is row 100" in capsys.readouterr().out
    assert main(["trace", "-q", "verify", str(damaged)]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("verify TEXT", "is not a recorded game"),
        ("show TEXT", "is not a recorded game"),
        ("verify none.npz", "There is no trace none.npz"),
        ("show RECORDED --frame 99999", "not 99999; choose --frame from these"),
    ],
)
def test_an_unusable_file_is_one_sentence_and_2(
    line: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.npz"
    text.write_text("no game\n")
    line = line.replace("TEXT", str(text)).replace("RECORDED", str(RECORDED[0]))
    assert main(["trace", *line.split()]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("-q", "required: action"),
        ("verfy x.npz", "invalid choice: 'verfy'"),
        ("verify", "verify needs a FILE"),
        ("show a.npz b.npz", "show takes one FILE, not 2"),
        ("record", "record needs a FILE"),
        ("record --demo tetris", "record needs a FILE"),
    ],
)
def test_wrong_usage_is_one_sentence_and_2(line: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", *line.split()]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_show_prints_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "show", str(RECORDED[0]), "--frame", "500"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("row 500: pad new ")
    assert len(lines[-20:]) == 20
    assert all(len(line) == 10 and set(line) <= set(".#o") for line in lines[-20:])
    assert main(["trace", "show", str(RECORDED[0]), "--frame", "500", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["board"] == lines[-20:]
    assert shown["row"] == 500
    assert shown["state"]["level"] in range(30)


def test_help_of_record_is_that_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trace", "record", "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: emubot play ")


@pytest.mark.jit
def test_what_record_wrote_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.npz"
    assert main(["trace", "record", str(file), "--pieces", "12", "--level", "18", "--json", *PLAYED.split()]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    played = json.loads(said.out)
    assert played["recorded"] == [str(file)]
    assert played["pieces"] == 12
    assert main(["trace", "verify", str(file), "--json"]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert (verified["mismatches"], verified["first"]) == (0, None)
    assert 200 < verified["frames"] <= played["frames"]


def test_record_where_nothing_can_be_written_is_refused_before_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, words, code in ((tmp_path / "none" / "x.npz", "there is no folder", 4), (tmp_path, "is a folder", 2)):
        assert main(["trace", "record", str(file), "--rom", "unopened.nes"]) == code
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1
