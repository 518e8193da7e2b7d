"""Terminals of all kinds: what `play` draws on one of some size, encoding and TERM."""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import sys

import pytest
from rich.console import Console

from emubot.cli import common, main, streams, terminal
from emubot.view.screen import Screen

PLAY = ["play", "AIvsAI", "--demo", "puyo", "--bridge", "simulated", "--pieces", "4", "--emu-speed", "max"]
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_OF_TERMINALS = ("NO_COLOR", "LC_ALL", "PYTHONIOENCODING", "PYTHONUTF8", "COLORTERM", "FORCE_COLOR")


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def played(monkeypatch: pytest.MonkeyPatch, encoding: str, columns: int, lines: int, **environment: str) -> str:
    """What a short match draws on such a terminal."""
    stream = Terminal(io.BytesIO(), encoding=encoding)
    for name in _OF_TERMINALS:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"COLUMNS": str(columns), "LINES": str(lines), **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(PLAY) == 0
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined,no-any-return]


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    drawn = played(monkeypatch, "utf-8", 80, 24, TERM="dumb")
    assert "\x1b" not in drawn
    assert "player 2: 0 pairs, score 0" in drawn, "a line now and then"
    assert "player 2: pieces: 4 pairs" in drawn


def test_a_terminal_without_colours_or_unicode_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = played(monkeypatch, "ascii", 40, 24, TERM="xterm", NO_COLOR="1")
    text = _ESCAPES.sub("", drawn)
    assert "\\x" not in text
    assert re.search(r"\|[RGBYP. ]*[RGBYP][RGBYP. ]*\|", text)
    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-9]|9[0-7])m", drawn), "no colour"
    assert max(len(line) for line in re.split(r"[\r\n]+", text) if not line.startswith("player ")) <= 40


def test_a_terminal_with_colours_gets_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = played(monkeypatch, "utf-8", 80, 24, TERM="xterm-256color")
    assert re.search(r"\x1b\[[0-9;]*(?:3[0-9]|9[0-7])m██", drawn)


@pytest.mark.parametrize(
    ("columns", "lines"),
    [(20, 10), pytest.param(12, 5, marks=pytest.mark.slow), pytest.param(1, 1, marks=pytest.mark.slow)],
)
def test_a_narrow_terminal_gets_what_fits(columns: int, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = _ESCAPES.sub("", played(monkeypatch, "utf-8", columns, lines, TERM="xterm-256color"))
    board = [line for line in re.split(r"[\r\n]+", drawn) if not line.startswith("player ") and "frames on" not in line]
    assert max(map(len, board)) <= columns


def test_whether_a_terminal_has_colours_is_known() -> None:
    curses = pytest.importorskip("curses")
    code = "from emubot.systems.terminals import has_colours; import sys; sys.exit(has_colours())"
    for term, colours in (("vt100", 0), ("xterm", 1), ("no-such-terminal", 1)):
        try:
            curses.setupterm("vt100", 2)
        except curses.error:
            pytest.skip("this machine has no descriptions of terminals")
        assert subprocess.call([sys.executable, "-c", code], env={**os.environ, "TERM": term}) == colours, term


def test_a_stream_of_few_characters_gets_similar_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding, shown in (("ascii", b"a - b~ Pokemon # ?"), ("utf-8", "a · b… Pokémon █ 字".encode())):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stream)
        streams.prepare()
        stream.write("a · b… Pokémon █ 字")
        stream.flush()
        assert stream.buffer.getvalue() == shown


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "utf-16-le"])
def test_a_name_that_is_no_text_is_printed(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for errors in ("strict", "surrogateescape"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=errors)
        monkeypatch.setattr(sys, "stdout", stream)
        streams.prepare()
        stream.write("x\udcff\ud800.yaml")
        stream.flush()
        assert stream.buffer.getvalue().decode(encoding) == "x??.yaml"


def test_the_locale_c_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONIOENCODING", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)
    for locale, encoding in (("C", "ascii"), ("C.UTF-8", "utf-8"), ("", "utf-8")):
        stream = Terminal(io.BytesIO(), encoding="utf-8")
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("LC_ALL", locale)
        streams.prepare()
        assert stream.encoding == encoding


def test_lines_come_at_growing_intervals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "_FIRST", 5.0)
    now = 0.0
    lines = terminal.NowAndThen(lambda: now)
    came = []
    for second in range(300):
        now = float(second)
        lines.say(lambda: "a line")
        if capsys.readouterr().err:
            came.append(second)
    assert came == [5, 15, 35, 75, 135, 195, 255]


def test_a_log_line_goes_above_the_board_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler that keeps the stderr of its beginning would write into the board."""
    handler = common._Said()
    raw = io.BytesIO()
    stream = Terminal(raw, encoding="utf-8")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    console = Console(stderr=True, width=40, height=10, force_terminal=True)
    with Screen(console) as screen:
        screen.draw("first line\nsecond line")
        handler.emit(logging.LogRecord("emubot", logging.WARNING, "", 0, "waiting for START", None, None))
        screen.draw("first line\nsecond line")
    stream.flush()
    shown: list[str] = []
    row = 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", raw.getvalue().decode()):
        if part == "\n":
            row += 1
        elif part == "\x1b[1A":
            row -= 1
        elif part == "\x1b[2K" and row < len(shown):
            shown[row] = ""
        elif part[0] not in "\x1b\r":
            shown += [""] * (row + 1 - len(shown))
            shown[row] = part.rstrip()
    assert shown == ["waiting for START", "first line", "second line"]
