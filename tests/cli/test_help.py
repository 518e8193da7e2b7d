"""What a person reads who does not know the words yet: help by word, commands alone, and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from emubot.cli import actions, main, usage
from tests.cli.refusals import sentence


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("play", "usage: emubot play "),
        ("play tetris", "usage: emubot play "),
        ("core", "usage: emubot core "),
        ("core install", "usage: emubot core "),
        ("maps learn", "usage: emubot maps learn "),
        ("maps check", "usage: emubot maps "),
        ("trace record", "usage: emubot play "),
        ("train plot", "usage: emubot train plot "),
        ("train tetris", "usage: emubot train "),
    ],
)
def test_help_of_a_command_is_its_own_help(line: str, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", *line.split()])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(first)


def test_help_of_nothing_or_of_help_is_that_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["help"], ["help", "help"], ["help", "--help"]):
        assert main(words) == 0
        assert capsys.readouterr().out == usage() + "\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("plya", "there is no command 'plya'; did you mean \"emubot play\"?"),
        ("core instal", "core has no action 'instal' (did you mean install?); it has install, list."),
    ],
)
def test_help_of_a_mistyped_word(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", *line.split()]) == 2
    assert sentence(capsys) == f"emubot: {said}\n"


@pytest.mark.parametrize("command", ["evaluate", "selfplay", "train"])
def test_help_of_a_game_lists_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = []
    for line in ([command, "puyo", "--help"], ["help", command, "puyo"]):
        with pytest.raises(SystemExit):
            main(line)
        listed.append(capsys.readouterr().out)
    assert listed[0] == listed[1]
    assert "--colors" in listed[0]


@pytest.mark.parametrize("command", actions.ACTIONS)
def test_a_command_alone_lists_its_actions_in_lines_of_a_terminal(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == actions.usage(command) + "\n"
    assert max(map(len, said.err.splitlines())) <= 80
    with pytest.raises(SystemExit):
        main(["help", command])
    assert actions.listed(command) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play tetris", "'tetris' is a built-in cartridge: --demo tetris plays it, and --rom FILE one of yours."),
        ("play tetrs", "'tetrs' is not understood (did you mean --demo tetris?): play takes one speed"),
        ("play aivai", "'aivai' is not understood (did you mean AIvsAI?): play takes one speed"),
        ("play --bridge fcuex", "invalid choice: 'fcuex' (did you mean fceux? choose from libretro, "),
        ("play --demo tetriss", "invalid choice: 'tetriss' (did you mean tetris? choose from tetris, "),
        ("play --view bord", "invalid choice: 'bord' (did you mean board? choose from board, "),
        ("core instal", "invalid choice: 'instal' (did you mean install? choose from install, list)"),
        ("core install nestopa", "cannot be installed from here (did you mean nestopia?); known: fceumm, nestopia."),
        ("doctor --bridge fcuex", "invalid choice: 'fcuex' (did you mean fceux? choose from nintaco, "),
        ("train plto runs", "There is no game 'plto'; did you mean emubot train plot?"),
        ("train tetris --method psoo --out x", "invalid choice: 'psoo' (did you mean pso? choose from battle, "),
        (
            "bench tetriss",
            "there is no subject 'tetriss' (did you mean tetris?); known: tetris, puyo, ",
        ),
        ("play --map nes_tetris_us --bridge simulated", "'nes_tetris_us' (did you mean nes_tetris_usa?); known are "),
        ("play --demo tetris --bridge simulated --weights dt2", "'dt2' (did you mean dt20?): known are "),
        ("play --demo tetris --bridge simulated --taps 12h", "'12h' (did you mean 12hz?): use 10hz"),
        ("play --demo tetris --bridge simulated --aim lnes", "'lnes' (did you mean lines?): --aim is one of"),
        ("play --demo puyo --bridge simulated --aim scor", "'scor' (did you mean score?): --aim is one of"),
        ("play --demo tetris --core nestopai", "core 'nestopai' (did you mean nestopia?)"),
        ("selfplay tetrs --pieces 5", "There is no game 'tetrs' (did you mean tetris?); known: "),
        ("selfplay tetris --pieces 5 --rules nes-ntcs", "'nes-ntcs' (did you mean nes-ntsc?); known: "),
        ("selfplay puyo --pieces 5 --rules tsuu", "There are no rules 'tsuu' (did you mean tsu?): known are "),
        ("evaluate tetris --rules textbok", "'textbok' for one player (did you mean textbook?); known: "),
        ("train tetris --method pso --out x --final cap-linse=3", "(did you mean --cap-lines?): its options are "),
        ("train tetris --method pso --out x --set inertai=1", "no setting 'inertai' (did you mean inertia?); it has "),
        ("train tetris --method pso --out x --figure lins", "no figure 'lins' (did you mean lines?): choose one of"),
        ("explain board.txt --piece T --rules nes-pla", "to explain (did you mean nes-pal?); known: "),
        ("doctor -jsn", "unrecognized arguments: -jsn (did you mean --json?)"),
    ],
)
def test_what_was_meant_is_said(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text("##########\n"[1:], encoding="utf-8")
    assert main(line.split()) in {2, 3}  # 3: there is no such core
    assert said in sentence(capsys)


@pytest.mark.parametrize("name", ["none.nes", "none.NES", "none.zip"])
def test_a_word_that_is_a_file_is_the_cartridge(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "5", name, "AIvsAI"]) == 2
    assert sentence(capsys).startswith(f"emubot: There is no file {name}")


def test_an_existing_file_of_any_name_is_the_cartridge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.bin"
    file.write_bytes(b"just words")
    assert main(["play", str(file)]) == 2
    assert "is not a cartridge image but a text file" in sentence(capsys)


@pytest.mark.parametrize("line", ["a.nes b.nes", "a.nes --rom b.nes", "--demo tetris a.nes"])
def test_two_cartridges_are_refused(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *line.split()]) == 2
    assert "is a second cartridge: name one of " in sentence(capsys)
