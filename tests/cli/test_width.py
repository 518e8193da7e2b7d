"""On a terminal of 80 columns every progress line, board and table fits, the most important first."""

from __future__ import annotations

import io
import os
import re
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from rich.console import Console

from emubot.cli import compiling, evaluate, progress, training_progress
from emubot.pilot.tally import Tally
from emubot.session.compiling import Purpose
from emubot.snapshot import Cell, Phase, Piece, Snapshot
from emubot.training.trainer import Report
from emubot.view.board import TerminalBoard
from tests.paths import ROOT

COLUMNS = 80
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(*command: str, seconds: float = 120) -> list[str]:
    """What a program draws on a pseudo-terminal of 80 columns: all lines that were ever on it, without escapes."""
    pytest.importorskip("pty", reason="a terminal of a test is a pty")
    import fcntl
    import pty
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    env["TERM"] = "xterm-256color"
    program = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=env, close_fds=True)
    os.close(follower)
    drawn = b""
    try:
        while chunk := _read(leader):
            drawn += chunk
        assert program.wait(seconds) == 0, drawn.decode(errors="replace")
    finally:
        program.kill()
        os.close(leader)
    return re.split(r"[\r\n]+", _ESCAPES.sub("", drawn.decode()))


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError:  # Linux: the program has closed its terminal
        return b""


def drawn_by(name: str) -> list[str]:
    """What a function of this file draws on stderr, of a process of its own."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.cli import test_width as own; own.{name}()"
    return [line for line in on_a_terminal(sys.executable, "-c", code) if line.strip()]


def train() -> None:
    told = {"best": 123456.0, "mean": 98765.0, "low95": 95000.0, "high95": 102000.0}
    with training_progress.listener(100, quiet=False) as heard:
        heard.on_round(24, 1000)
        heard.on_games(450)
        heard.on_generation(Report(24, 1000, told))
        heard.on_round(25, 1000)
        heard.on_games(300)


def evaluating() -> None:
    with progress.progress(0, 1_000_000, "games", quiet=False) as advance:
        advance(123_456)


def compile_for_long() -> None:
    jobs = [("search by a map's tables", lambda: time.sleep(0.3))] * 4
    compiling.compile_purpose(Purpose("falling blocks", "emubot", f"test-{os.getpid()}", lambda: jobs), quiet=False)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("train", ("generation 25/100", "━", "300/1000", "left", "best 123,456", "mean 98,765 (95,000 to 102,000)")),
        ("evaluating", ("123,456/1,000,000 games", "━", "games/s")),
        ("compile_for_long", ("Compiling for this machine, first use of falling blocks", "━", "(3/4), about 1 s")),
    ],
)
def test_progress_keeps_label_bar_and_figures(name: str, words: tuple[str, ...]) -> None:
    lines = drawn_by(name)
    text = "\n".join(lines)
    for word in words:
        assert word in text, text
    assert max(map(len, lines)) <= COLUMNS
    assert "…" not in text


EACH = "import sys; from emubot.cli import main; sys.exit(max([main(line.split()) for line in sys.argv[1:]]))"


def test_lists_fit() -> None:
    lines = on_a_terminal(sys.executable, "-c", EACH, "maps list", "maps check famicom_puyo", "doctor")
    for first in ("nes_tetris_usa: ", "famicom_puyo: ok", "ok    python "):
        assert any(line.startswith(first) for line in lines), lines
    wide = [line for line in lines if len(line) > COLUMNS and len(max(line.split(), key=len)) < 40]
    assert wide == [], "only a path that is longer than the line may be cut by the terminal"


def board(players: int, rows: int, columns: int) -> list[str]:
    class Look:
        def cells(self, snapshot: Snapshot, piece: Piece) -> list[Cell]:
            return []

        def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> list[Cell]:
            return []

    counters = {"score": 1_234_567, "lines": 1234, "level": 29}
    kinds = np.ones((rows, columns), np.uint8)
    shot = Snapshot(Phase.PLAYING, "screen_change", kinds, kinds[:2], None, (), counters)
    console = Console(file=io.StringIO(), width=COLUMNS, height=24, force_terminal=True)
    drawing = TerminalBoard(["emubot", "a title", "both get the same pieces"], Look(), console, players)
    for seat in range(players):
        drawing.show(shot, None, Tally(pieces=12_345, misplaced=17, wins=8, decision_ms=[123.4]), seat)
    with console.capture() as captured:
        console.print(drawing.picture(1234.0))
    return _ESCAPES.sub("", captured.get()).splitlines()


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize(("rows", "columns"), [(20, 10), (13, 6)])
def test_boards_fit(players: int, rows: int, columns: int) -> None:
    lines = board(players, rows, columns)
    assert max(map(len, lines)) <= COLUMNS
    assert len(lines) <= 24
    for word in ("1,234,567", "12,345", "123.4 ms", "1,234", "29", "17"):
        assert sum(line.count(word) for line in lines) >= players


@pytest.mark.parametrize("value", [0, 7, 0.25, 123456.0, 9_999_999, -9_999.5, 12_345_678_901.0, 1e-3])
def test_a_number_of_a_table_takes_nine_characters_at_most(value: float) -> None:
    assert len(evaluate._number(value)) <= 9
    assert "e" not in evaluate._number(value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (9_999_999, "9,999,999"),
        (10_449_999, "10.450 M"),
        (-1_234_567, "-1.235 M"),
        (123_456_789.5, "123.457 M"),
        (1_234_567_890, "1,234.6 M"),
        (999_999_999_999, "1000000 M"),
    ],
)
def test_millions_keep_the_decimals_that_fit(value: float, shown: str) -> None:
    assert evaluate._number(value) == shown


def test_rows_of_figures_fit() -> None:
    big = dict.fromkeys(("mean", "se", "low95", "high95", "median", "min", "max"), 9_876_543.21)
    assert len(evaluate._row("best_chain", big)) <= COLUMNS


def test_a_first_start_that_is_on_no_terminal_says_that_it_compiles(capfd: pytest.CaptureFixture[str]) -> None:
    for quiet, lines in ((False, 2), (True, 0)):
        purpose = Purpose("pairs", "tests", f"test-{quiet}-{os.getpid()}", lambda: [("a job", lambda: None)])
        compiling.compile_purpose(purpose, quiet)
        said = capfd.readouterr().err.splitlines()
        assert len(said) == lines
        if said:
            assert said[0] == "emubot: compiling for this machine, first use of pairs: about 1 s ..."
            assert re.fullmatch(r"emubot: compiled in \d+ s\.", said[1])
