"""The live board: all that a person wants to see is on it, and it is drawn no more often than a terminal can show."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from emubot.pilot.tally import Tally
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.board import TerminalBoard


class Squares:
    """A family whose only piece is a square."""

    def cells(self, snapshot: Snapshot, piece: Piece) -> list[Cell]:
        return [Cell(piece.column + dx, piece.row + dy, 1) for dx, dy in ((-1, 0), (0, 0), (-1, 1), (0, 1))]

    def next_cells(self, snapshot: Snapshot, there: Piece | None = None) -> list[Cell]:
        return self.cells(snapshot, Piece(0, 0, 0)) if snapshot.next else []


def snapshot(phase: Phase = Phase.PLAYING) -> Snapshot:
    playfield = np.zeros((20, 10), dtype=np.uint8)
    playfield[19, 0:3] = 1
    counters = {"score": 12345, "lines": 67, "level": 18}
    return Snapshot(phase, "playing", playfield, np.zeros((2, 10), np.uint8), Piece(10, 5, 4), (10,), counters)


def drawn(shot: Snapshot, chosen: Placement | None, players: int = 1) -> list[str]:
    console = Console(file=io.StringIO(), width=100, force_terminal=False)
    tally = Tally(pieces=9, misplaced=2, decision_ms=[0.5, 1.25])
    board = TerminalBoard("title of it", Squares(), console, players=players)
    for seat in range(players):
        board.show(shot, chosen, tally, seat)
    with console.capture() as captured:
        console.print(board.picture(59.6))
    return captured.get().splitlines()


def test_playfield_piece_target_and_figures_are_shown() -> None:
    lines = drawn(snapshot(), Placement(10, 8, 18))
    text = "\n".join(lines)
    for words in ("title of it", "score", "12,345", "lines", "67", "level", "18", "pieces", "9", "misplaced", "2"):
        assert words in text
    assert "1.2 ms" in text
    assert "60" in text
    field = [line[3:23] for line in lines[2:22]]
    assert field[4] == field[5] == " ·" * 4 + "████" + " ·" * 4, "the piece at columns 4 and 5, rows 4 and 5"
    assert field[18] == " ·" * 7 + "░░░░" + " ·", "where it is meant to go"
    assert field[19] == "██████" + " ·" * 4 + "░░░░" + " ·"
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24


def test_no_piece_is_drawn_when_none_is_in_the_air() -> None:
    text = "\n".join(line[3:23] for line in drawn(snapshot(Phase.CLEARING), Placement(10, 8, 18))[2:21])
    assert "█" not in text
    assert "░" not in text


def test_an_empty_next_box_is_no_error() -> None:
    shot = snapshot()
    without = Snapshot(shot.phase, shot.state, shot.playfield, shot.hidden, None, (), shot.counters)
    assert drawn(without, None)


def test_it_is_redrawn_thirty_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("emubot.view.board.time.monotonic", lambda: now)
    shown: list[object] = []

    def picture(*parts: object) -> str:
        shown.append(parts)
        return ""

    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    with TerminalBoard("title", Squares(), console) as terminal:
        monkeypatch.setattr(terminal, "picture", picture)
        for frame in range(120):
            now = 100.0 + frame / 120
            terminal.show(snapshot(), None, Tally())
    assert 28 <= len(shown) <= 31


def test_two_players_stand_side_by_side() -> None:
    lines = drawn(snapshot(), Placement(10, 8, 18), players=2)
    assert sum(line.count("12,345") for line in lines) == 2
    assert max(map(len, lines)) <= 100
    bottom = next(line for line in lines if "██████ ·" in line)
    assert bottom.count("██████") == 2


def test_a_player_whose_console_is_done_does_not_stop_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("emubot.view.board.time.monotonic", lambda: now)
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    for going_on in (0, 1):
        shown: list[float] = []
        with TerminalBoard("title", Squares(), console, players=2) as board:
            board.show(snapshot(), None, Tally(), 0)
            board.show(snapshot(), None, Tally(), 1)
            monkeypatch.setattr(board, "picture", lambda rate, shown=shown: str(shown.append(rate)))
            for _ in range(10):
                now += 1.0
                board.show(snapshot(), None, Tally(), going_on)
        assert len(shown) == 10


def test_the_called_piece_is_shown_beside_the_next_one() -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=False)
    board = TerminalBoard("title", Squares(), console)
    board.show(snapshot(), None, Tally(), called=Piece(10, 0, 0))
    with console.capture() as captured:
        console.print(board.picture(60))
    lines = captured.get().splitlines()
    (head,) = (line for line in lines if "next" in line)
    assert head.index("next") < head.index("then")
    below = lines[lines.index(head) + 2]
    assert below[26:].count("████") == 2
    assert max(map(len, lines)) <= 80
