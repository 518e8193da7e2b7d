"""`emubot ... | head` ends quietly: every command, with a stdout that nobody reads any more, or that is closed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from emubot.cli import COMMANDS, main
from emubot.cli.actions import ACTIONS
from tests.paths import ROOT

KEPT = ROOT / "tests" / "data" / "kept"
SHORT = "--demo tetris --bridge simulated"
PRINTING = [
    "--help",
    "--version",
    *(f"{command} --help" for command in COMMANDS),
    *(f"{command} {action.split()[0]} --help" for command, actions in ACTIONS.items() for action in actions),
    "core list --json",
    "maps list",
    "maps list --json",
    "maps check demo_pairs",
    "maps schema",
    f"maps watch {SHORT} --frames 2",
    f"play {SHORT} --emu-speed max --pieces 1 --view none --json",
    "bridge-script fceux",
    "completion bash",
    "clean",
    "explain {board} --piece T --top 1 --rollouts 0",
    "trace show {game}",
]


@pytest.fixture
def words(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    board = tmp_path / "board.txt"
    board.write_text("######....\n", encoding="utf-8")
    game = min(KEPT.glob("*.npz"), key=lambda path: path.stat().st_size)
    return str(request.param).format(board=board, game=game).split()


@pytest.mark.few(32)
@pytest.mark.skipif(sys.platform == "win32", reason="pipes fail otherwise there")
@pytest.mark.parametrize("words", PRINTING, indirect=True)
@pytest.mark.parametrize("at_once", [False, True])
def test_a_reader_that_has_gone_is_no_news(
    words: list[str], at_once: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = io.TextIOWrapper(os.fdopen(writing, "wb", 0), encoding="utf-8", write_through=at_once)
    monkeypatch.setattr(sys, "stdout", stream)
    try:
        code = main(words)
    except SystemExit as end:
        code = int(end.code or 0)
    said = [line for line in capfd.readouterr().err.splitlines() if not line.startswith("emubot: compil")]
    assert said == []
    assert code == 4 or "--help" in words  # argparse itself passes over a message that cannot be written
    stream.close()  # it was given /dev/null, so the interpreter has nothing to complain of


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_streams_that_are_closed_take_nothing_of_each_other() -> None:
    line = f"{sys.executable} -m emubot explain no-such-file.txt --json 2>&-"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stdout.startswith('{"error"')
    assert done.stdout.count("\n") == 1, "nothing that is for stderr"
