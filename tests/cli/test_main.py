"""The command line's frame: which command, how errors read, where output goes, how it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from emubot import __version__
from emubot.cli import COMMANDS, doctor, main, usage
from tests.cli.refusals import sentence


def shell(line: str) -> subprocess.CompletedProcess[str]:
    line = line.replace("emubot", f'"{sys.executable}" -m emubot')
    return subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["-h"], ["help"]):
        assert main(words) == 0
        assert capsys.readouterr().out == usage() + "\n"
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"emubot {__version__}\n"


def test_no_command_is_usage_on_stderr_and_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", usage() + "\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_listed_has_help_and_takes_v_and_q(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"  {command} " in usage()
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: emubot {command} ")
    assert "--json" in text
    assert "-v, --verbose" in text
    assert "-q, --quiet" in text


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("plya", "there is no command 'plya'; did you mean \"emubot play\"?"),
        ("Doctor", "there is no command 'Doctor'; did you mean \"emubot doctor\"?"),
        ("xyzzy", "there is no command 'xyzzy'; commands are play, arena, core, "),
        ("--jsn", "there is no option '--jsn'; commands are play, arena, core, "),
    ],
)
def test_an_unknown_command_names_the_nearest(word: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 2
    assert words in sentence(capsys)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("play --levle 3", 'unrecognized arguments: --levle (did you mean --level?); "emubot play --help-all" lists'),
        ("play --xyzzy=3", 'unrecognized arguments: --xyzzy=3; "emubot play --help-all" lists'),
        ("play --level", "argument --level: expected one argument"),
        ("play --rom x --demo tetris", "argument --demo: not allowed with argument --rom"),
        ("play --emu-speed 3", "argument --emu-speed: invalid choice: '3' (choose from "),
        ("play --pieces 0", "argument --pieces: '0' is not a whole number of at least 1"),
        ("maps lst", "argument action: invalid choice: 'lst' (did you mean list? choose from list, "),
        ("maps mend", "argument action: invalid choice: 'mend' (choose from list, "),
        ("doctor everything", "unrecognized arguments: everything"),
        ("core -q", "the following arguments are required: action"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_2(line: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert words in sentence(capsys)


def test_a_mistake_of_our_own_says_so_and_shows_its_traceback_with_v(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: list[str]) -> int:
        raise KeyError("piece")

    monkeypatch.setattr(doctor, "run", broken)
    assert main(["doctor"]) == 1
    assert "a mistake in emubot (KeyError: 'piece'); run it again with -v and report it." in sentence(capsys)
    assert main(["doctor", "-vvv"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_verbose_shows_the_traceback_and_keeps_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "verify", "none.npz", "-v"]) == 2
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert told.splitlines()[-1].startswith("emubot: There is no trace none.npz")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def incomplete(_: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(doctor, "run", incomplete)
    assert main(["doctor"]) == 1
    assert "the package numpy is missing; run: " in sentence(capsys)


def test_an_interrupted_command_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "run", interrupted)
    assert main(["doctor"]) == 130
    assert sentence(capsys) == "emubot: interrupted.\n"


def test_an_error_of_the_system_ends_with_4_and_names_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: list[str]) -> int:
        raise OSError(28, "No space left on device", "game.npz")

    monkeypatch.setattr(doctor, "run", full)
    assert main(["doctor"]) == 4
    assert sentence(capsys) == "emubot: game.npz: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("line", ["emubot maps schema | head -1", "emubot maps list | true", "emubot --help | true"])
def test_a_closed_pipe_is_silent(line: str) -> None:
    assert shell(line).stderr == ""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_one_sentence_and_4() -> None:
    done = shell("emubot maps list >/dev/full")
    assert (done.returncode, done.stderr) == (4, "emubot: input or output: No space left on device.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_stdout_disturbs_nothing() -> None:
    done = shell("emubot maps list >&-")
    assert (done.returncode, done.stderr) == (0, "")
