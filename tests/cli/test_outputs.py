"""Every file a command writes: never over somebody's without --force, never over a device, told before the work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emubot.cli import main
from emubot.cli import maps_learn as learn_command
from emubot.cli import selfplay as selfplay_command
from tests.special_files import emubot, posix_only

PLAIN = ["bridge-script fceux --out", "bridge-script retroarch --out"]
PLOTS = ["selfplay tetris --pieces 10 --plot", "selfplay --sum run.json --plot", "evaluate tetris --plot"]
NEW = [*PLAIN, *PLOTS, "selfplay --sum run.json --out", "maps learn --demo puyo --out"]
GONE_ON_WITH = ["selfplay tetris --pieces 10 --out"]


def refused(words: str, output: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence of a command that ends with exit code 2."""
    assert main([*words.split(), str(output)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that would work for long do not begin."""
    monkeypatch.setattr(selfplay_command, "_played", lambda options: pytest.fail("it began to play"))
    monkeypatch.setattr(learn_command, "_learn", lambda options: pytest.fail("it began to play"))


@pytest.mark.parametrize("words", NEW)
def test_a_file_that_is_there_is_refused_before_the_work(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine"
    file.write_bytes(b"somebody's own")
    assert refused(words, file, capsys).endswith(
        f"{file} is there already: name another file, or replace it with --force.\n"
    )
    assert file.read_bytes() == b"somebody's own"
    assert list(tmp_path.iterdir()) == [file]


@posix_only
@pytest.mark.parametrize("words", [*NEW, *GONE_ON_WITH])
def test_a_device_is_refused_even_by_root_and_with_force(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    device = tmp_path / "null"
    device.symlink_to(os.devnull)
    forced = words if words in GONE_ON_WITH else words.replace(" --", " --force --", 1)
    assert "is a device, which is never replaced" in refused(forced, device, capsys)
    assert device.is_char_device()


@posix_only
@pytest.mark.parametrize("words", [*PLAIN, *GONE_ON_WITH])
def test_a_pipe_is_refused_unopened(words: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ended = emubot(*words.split(), pipe)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"emubot: {pipe} is a pipe, which is never replaced: name a file.\n"
    assert pipe.is_fifo()
