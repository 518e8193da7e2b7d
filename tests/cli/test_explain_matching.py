"""`emubot explain` for matching games: from a drawn field and a recorded game; as text, JSON and a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import paths
from tests.cli.refusals import sentence
from tests.cli.test_explain import INSIDE, PLACEMENT, TOP, explain, result

BOTTLE = "yv. . . . . . .\ny^b>r<. . B . .\nR y . . r . Y b\n"
ROWS = "b.....\ngg....\nryb...\nbbyg..\nrbrgy.\nbgryyb\n"
QUICK = ["--rollouts", "2", "--top", "2"]
PIECE = ["--game", "matching", "--piece", "rb", "--next", "yy"]
SETTINGS = "rules colors level pace taps reaction nodes search garbage weights seed human_error"
KEPT = paths.ROOT / "tests" / "data" / "kept"


@pytest.fixture
def bottle(tmp_path: Path) -> Path:
    """A drawn field with joined halves and targets."""
    file = tmp_path / "bottle.txt"
    file.write_text(BOTTLE, encoding="utf-8")
    return file


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A drawn field of columns of three."""
    file = tmp_path / "rows.txt"
    file.write_text(ROWS, encoding="utf-8")
    return file


@pytest.mark.jit
def test_a_field_as_json_can_be_drawn_again(bottle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, bottle, *PIECE, "--pace", "fast", "--level", "3", *QUICK)
    assert " ".join(shown) == TOP
    assert " ".join(shown["settings"]) == SETTINGS
    assert (shown["settings"]["rules"], shown["settings"]["pace"], shown["settings"]["level"]) == (
        "capsules",
        "fast",
        3,
    )
    position = shown["position"]
    assert (position["piece"], position["next"], position["in_air"], position["width"]) == ("rb", "yy", "rb", 2)
    assert len(position["board"]) == 16
    assert position["board"][-2].startswith("y^b>r<")
    for one in shown["placements"]:
        assert " ".join(one) == PLACEMENT
        assert {" ".join(inner) for inner in one["parts"]} == {INSIDE["parts"]}
        assert sum(part["value"] for part in one["parts"]) == pytest.approx(one["value"])
        assert [depth["pieces"] for depth in one["depths"]] == [1, 2, 3]
        assert one["frames"]
        after = one["after"]
        assert " ".join(after["cleared"]) == "steps lines cells targets targets_left"
        assert after["value"] == pytest.approx(one["depths"][0]["value"])
        assert after["chain"] is None
    again = tmp_path / "again.txt"
    again.write_text("\n".join(line.replace("1", ".") for line in position["board"]), encoding="utf-8")
    same = result(capsys, again, "--game", "matching", "--next", "yy", "--pace", "fast", "--level", "3", *QUICK)
    assert same == shown


@pytest.mark.jit
def test_a_field_as_text(bottle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(bottle, *PIECE, "--rollouts", "2", "--top", "5") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "matching, capsules, level 0, slow pace, 3 colours" in lines[0]
    assert lines[1].startswith("│. . . r*b*. . . │  in the air (rb): rb, next: yy")
    assert any(line.startswith(" targets (") for line in lines)
    assert not any(line.startswith(" shut (0)") for line in lines), "what adds nothing is left out"
    assert any(line.startswith(" value by 3 pieces ") for line in lines)
    assert " the field after it" in [line.rstrip() for line in lines]
    assert any(line.count("╭────") == 4 for line in lines), "four fields side by side, then the fifth"
    (row,) = (number for number, line in enumerate(lines) if line.startswith("╭────── 1 ───────╮"))
    assert "> < ^ v show where a cell's" in "".join(lines[row - 3 : row])
    assert any("3 targets left" in line for line in lines[row:])
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.jit
def test_columns_of_three_as_text(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "matching", "--rules", "columns", "--piece", "rgb"]
    assert explain(rows, *words, "--top", "5", "--rollouts", "0") == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert "matching, columns, slow pace, 6 colours" in lines[0]
    assert lines[1].startswith("│. . r*. . . │")
    assert "the sum of weight times feature, of the field after this piece" in " ".join(
        line.partition("│  ")[2].strip() for line in lines
    )
    assert any(line.count("╭────") == 5 for line in lines), "five fields side by side"
    assert "target" not in text
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.jit
@pytest.mark.parametrize("name", ["demo_capsules", "simulated_columns"])
def test_a_row_of_a_recorded_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = result(capsys, KEPT / f"trace-{name}.npz", *QUICK)
    assert (shown["game"], shown["map"], shown["settings"]["pace"]) == ("matching", name, "medium")
    assert shown["row"] is not None
    assert shown["position"]["next"]
    assert shown["placements"][0]["inputs"]
    assert sum(one["chosen"] for one in shown["placements"]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--game matching", "Which piece is in the air? Name it with --piece"),
        ("--game matching --piece rb --lines 3", "Matching games have no --lines"),
        ("--game matching --piece rb --aim survive", "Matching games have no --aim"),
        ("--game matching --piece rb --weights pso", "These weights are for tetris, not for matching"),
        ("--game puyo --piece RB --pace fast", "Pairs have no --pace"),
        ("--piece T --pace fast", "Tetris has no --pace"),
    ],
)
def test_what_cannot_be_explained_is_one_sentence_and_2(
    words: str, said: str, bottle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(bottle, *words.split()) == 2
    assert said in sentence(capsys)


@pytest.mark.jit
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_shows_the_fields(
    suffix: str, bottle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"decision{suffix}"
    result(capsys, bottle, *PIECE, *QUICK, "--picture", file)
    assert file.stat().st_size > 10_000
