"""`trace play`: a recorded game on the board in the terminal, at its own speed."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from emubot.cli import main, trace_play
from emubot.trace import read_trace
from tests.cli.refusals import sentence
from tests.paths import ROOT

KEPT = ROOT / "tests" / "data" / "kept"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def game() -> Path:
    return min(KEPT.glob("*.npz"), key=lambda path: path.stat().st_size)


def drawn(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What is on a terminal of 80 columns and 24 lines, from first to last."""
    stream = Terminal(io.BytesIO(), encoding="utf-8")
    for name, value in {"COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(["trace", "play", *words]) == 0
    stream.flush()
    return _ESCAPES.sub("", stream.buffer.getvalue().decode())  # type: ignore[attr-defined]


def test_it_shows_all_of_it(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = drawn(monkeypatch, str(game), "--speed", "max")
    assert game.name in shown
    assert "██" in shown or "##" in shown, "how many frames are drawn is a matter of time"
    assert "pieces" in shown or "pairs" in shown
    assert "misplaced" not in shown, "nothing is known of who played"


def test_it_takes_the_time_that_the_game_took(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = read_trace(game).frames
    waits: list[float] = []

    def wait(clock: trace_play._Clock) -> None:
        waits.append(clock._rate * (clock.emu_speed or 0))

    monkeypatch.setattr(trace_play._Clock, "wait", wait)
    drawn(monkeypatch, str(game), "--speed", "2", "--frame", "10", "--json")
    assert len(waits) == frames - 10
    assert 99 < waits[0] < 121, "PAL or NTSC, twice as fast"
    assert f'"frames": {frames}, "shown": {frames - 10}' in capsys.readouterr().out


def test_without_a_terminal_it_says_what_prints_a_row(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "play", str(game)]) == 2
    assert 'trace play needs a terminal that can be drawn over: "emubot trace show"' in sentence(capsys)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("none.npz", "There is no trace none.npz"),
        ("{game} --speed 3", "invalid choice: '3' (choose from 0.25, 0.5, 1, 2, 4, max)"),
        ("", "play needs a FILE;"),
    ],
)
def test_what_is_no_game_is_one_sentence(line: str, said: str, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "play", *line.format(game=game).split()]) == 2
    assert said in sentence(capsys)
