"""The live board: all that a person wants to see is on it, on terminals of any size and ability, and not too often."""

from __future__ import annotations

import io
import itertools
import re

import numpy as np
import pytest
from rich.console import Console

from emubot import games
from emubot.looks import NUMBERED, Looks
from emubot.pilot.tally import Tally
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.board import TerminalBoard
from emubot.view.cells import Abilities, abilities_of
from emubot.view.figures import table

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
FIELDS = {
    "tetris": (20, 10, (1, 2, 3, 5)),
    "puyo": (12, 6, (1, 2, 3, 4, 5, 7)),
    "matching": (16, 8, (1, 2, 3, 11, 12, 13)),
}


def looks_of(family: str) -> Looks:
    return games.game(family).looks


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


def of_family(family: str) -> Snapshot:
    """A field with all the family's kinds in its floor row."""
    rows, columns, kinds = FIELDS[family]
    playfield = np.zeros((rows, columns), dtype=np.uint8)
    playfield[-1, : len(kinds)] = kinds
    counters = {"score": 1_234_567, "lines": 1234, "level": 29}
    return Snapshot(Phase.PLAYING, "screen_change", playfield, playfield[:2], Piece(0, 3, 1), (1,), counters)


def console_of(width: int, height: int, colours: str | None = "256", encoding: str = "utf-8") -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Console(file=file, width=width, height=height, force_terminal=True, color_system=colours)  # type: ignore[arg-type]


def picture_of(board: TerminalBoard, console: Console) -> list[str]:
    with console.capture() as captured:
        console.print(board.picture(59.6))
    return captured.get().splitlines()


def drawn(shot: Snapshot, chosen: Placement | None, players: int = 1, console: Console | None = None) -> list[str]:
    console = console or console_of(100, 30)
    tally = Tally(pieces=9, misplaced=2, decision_ms=[0.5, 1.25])
    board = TerminalBoard(["title of it"], Squares(), console, players=players, looks=looks_of("tetris"))
    for seat in range(players):
        board.show(shot, chosen, tally, seat)
    return [_ESCAPES.sub("", line) for line in picture_of(board, console)]


def test_the_emulators_picture_stands_beside_the_board_where_there_is_room() -> None:
    red = np.full((240, 256, 3), (255, 0, 0), np.uint8)
    for width, height, colours, pictured in (
        (140, 40, "256", True),
        (100, 40, "256", False),
        (140, 20, "256", False),
        (140, 40, None, False),
    ):
        console = console_of(width, height, colours)
        board = TerminalBoard(["title of it"], Squares(), console, pixels=lambda: red)
        board.show(snapshot(), None, Tally(pieces=9))
        lines = [_ESCAPES.sub("", line) for line in picture_of(board, console)]
        assert (max(line.count("▀") for line in lines) >= 64) == pictured
        assert any("title of it" in line for line in lines)
        assert len(lines) <= height


def test_playfield_piece_target_and_figures_are_shown() -> None:
    lines = drawn(snapshot(), Placement(10, 8, 18))
    text = "\n".join(lines)
    for words in ("title of it", "score", "12,345", "lines", "67", "level", "18", "pieces", "9", "misplaced", "2"):
        assert words in text
    assert "1.2 ms" in text
    assert "60" in text
    field = [line[1:21] for line in lines[2:22]]
    assert field[4] == field[5] == " ·" * 4 + "████" + " ·" * 4, "the piece at columns 4 and 5, rows 4 and 5"
    assert field[18] == " ·" * 7 + "░░░░" + " ·", "where it is meant to go"
    assert field[19] == "██████" + " ·" * 4 + "░░░░" + " ·"


def test_no_piece_is_drawn_when_none_is_in_the_air() -> None:
    text = "\n".join(line[1:21] for line in drawn(snapshot(Phase.CLEARING), Placement(10, 8, 18))[2:21])
    assert "█" not in text
    assert "░" not in text


def test_an_empty_next_box_is_no_error() -> None:
    shot = snapshot()
    without = Snapshot(shot.phase, shot.state, shot.playfield, shot.hidden, None, (), shot.counters)
    assert drawn(without, None)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("size", [(80, 24), (80, 15), (40, 24), (30, 10), (200, 60), (20, 5), (5, 2)])
@pytest.mark.parametrize("family", FIELDS)
def test_a_board_fits_every_terminal_and_shows_its_floor(family: str, size: tuple[int, int], players: int) -> None:
    width, height = size
    for colours, encoding in itertools.product(("256", None), ("utf-8", "ascii")):
        console = console_of(width, height, colours, encoding)
        board = TerminalBoard(
            ["emubot", "a cartridge of a long name", "x" * 300], Squares(), console, players, looks_of(family)
        )
        for seat in range(players):
            board.show(of_family(family), Placement(0, 2, 3), Tally(pieces=12_345, wins=8, decision_ms=[123.4]), seat)
        lines = [_ESCAPES.sub("", line) for line in picture_of(board, console)]
        assert max(map(len, lines)) <= width, lines
        assert len(lines) <= height, lines
        if encoding == "ascii":
            "".join(lines).encode("ascii")
        walls = [line for line in lines if line.count("│" if encoding != "ascii" else "|") >= min(2, width // 5)]
        kinds = FIELDS[family][2]
        rest = walls[-1] if walls else lines[-1]
        if width >= 30:
            assert rest.count("│" if encoding != "ascii" else "|") >= 2 * players, (lines, "all fields are there")
        if colours is None or encoding == "ascii":
            letters = "".join(looks_of(family).kind(kind).mark for kind in kinds)
            shown = rest[1 : 1 + 2 * len(kinds)]
            assert shown[: len(letters)] == letters[: width - 1] or shown.startswith(
                "".join(letter * 2 for letter in letters)
            ), (lines, "the floor row, in letters")
        else:
            assert rest[1] in "█▄▀", lines


@pytest.mark.parametrize("family", FIELDS)
def test_kinds_differ_in_letter_and_in_colour(family: str) -> None:
    kinds = range(1, 6) if family == "tetris" else [*range(1, 9), *(range(11, 17) if family == "matching" else ())]
    assert len({looks_of(family).kind(kind).mark for kind in kinds}) == len(kinds)
    colours = [looks_of(family).kind(kind).terminal for kind in kinds]
    assert len(set(colours)) == len(kinds)
    assert NUMBERED.kind(3).mark != NUMBERED.kind(2).mark
    assert looks_of(family).kind(200).mark.isprintable(), "kinds that no one knows are drawn too"
    assert looks_of(family).kind(200).terminal


def test_a_piece_above_a_field_that_is_cut_is_told() -> None:
    lines = drawn(snapshot(), None, console=console_of(80, 15, None))
    assert lines[0].startswith("│^6 rows   │"), lines


@pytest.mark.parametrize(
    ("encoding", "colours", "no_color", "able"),
    [
        ("utf-8", "standard", False, Abilities(True, True)),
        ("ascii", "256", True, Abilities(False, False)),
        ("latin-1", "256", False, Abilities(True, False)),
        ("utf-8", None, False, Abilities(False, True)),
        ("utf-8", "256", True, Abilities(False, True)),
    ],
)
def test_what_a_terminal_can_show(encoding: str, colours: str | None, no_color: bool, able: Abilities) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert abilities_of(Console(file=file, force_terminal=True, color_system=colours, no_color=no_color)) == able  # type: ignore[arg-type]


def test_the_screen_is_cleared_when_the_terminal_changes_its_size() -> None:
    console = console_of(80, 24)
    board = TerminalBoard(["title"], Squares(), console, looks=looks_of("tetris"))
    with board:
        board.show(snapshot(), None, Tally())
        console.size = (40, 15)
        board._due = 0.0
        with console.capture() as captured:
            board.show(snapshot(), None, Tally())
    text = captured.get()
    assert "\x1b[2J" in text
    assert max(len(_ESCAPES.sub("", line)) for line in text.splitlines()) <= 40


def test_it_is_redrawn_thirty_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("emubot.view.board.time.monotonic", lambda: now)
    shown: list[object] = []

    def picture(*parts: object) -> str:
        shown.append(parts)
        return ""

    with TerminalBoard(["title"], Squares(), console_of(80, 24)) as terminal:
        monkeypatch.setattr(terminal, "picture", picture)
        for frame in range(120):
            now = 100.0 + frame / 120
            terminal.show(snapshot(), None, Tally())
    assert 28 <= len(shown) <= 31


def test_two_players_stand_side_by_side() -> None:
    lines = drawn(snapshot(), Placement(10, 8, 18), players=2)
    assert sum(line.count("12,345") for line in lines) == 2
    bottom = next(line for line in lines if "██████ ·" in line)
    assert bottom.count("██████") == 2


@pytest.mark.parametrize(("players", "width"), [(1, 19), (2, 29)])
def test_a_number_without_room_loses_its_separators_and_no_digit(players: int, width: int) -> None:
    own = {"score": "12,345,678", "lines": "1,234", "thinking": "1,234.5 ms", "state": "choose_the_level_and_music"}
    lines = [str(line) for line in table([own] * players, width)]
    assert [line.split() for line in lines] == [
        ["score", *["12345678"] * players],
        ["lines", *["1,234"] * players],
        ["thinking", *["1234.5", "ms"] * players],
        ["state", *["choose_th"] * players],
    ]
    assert {len(line) for line in lines} == {width}
    narrow = table([{"score": "123,456,789", "lines": "1,234"}], 16)
    assert [str(line) for line in narrow] == ["score 123456789", "lines 1,234"]


def test_a_player_whose_console_is_done_does_not_stop_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("emubot.view.board.time.monotonic", lambda: now)
    for going_on in (0, 1):
        shown: list[float] = []
        with TerminalBoard(["title"], Squares(), console_of(100, 30), players=2) as board:
            board.show(snapshot(), None, Tally(), 0)
            board.show(snapshot(), None, Tally(), 1)
            monkeypatch.setattr(board, "picture", lambda rate, shown=shown: str(shown.append(rate)))
            for _ in range(10):
                now += 1.0
                board.show(snapshot(), None, Tally(), going_on)
        assert len(shown) == 10


def test_the_called_piece_is_shown_beside_the_next_one() -> None:
    console = console_of(100, 30)
    board = TerminalBoard(["title"], Squares(), console, looks=looks_of("tetris"))
    board.show(snapshot(), None, Tally(), called=Piece(10, 0, 0))
    lines = [_ESCAPES.sub("", line) for line in picture_of(board, console)]
    (head,) = (line for line in lines if "next" in line)
    assert head.index("next") < head.index("then")
    below = lines[lines.index(head) + 2]
    assert below[23:].count("████") == 2
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("players", [1, 2])
def test_the_keys_stand_below_where_nothing_has_to_make_room_for_them(players: int) -> None:
    keys = ("space pause", "q quit", "- + speed 1x")
    shown = set()
    for width, height in itertools.product((20, 40, 100), range(4, 34, 3)):
        console = console_of(width, height)
        board = TerminalBoard(["title"], Squares(), console, players=players, looks=looks_of("tetris"))
        for seat in range(players):
            board.show(snapshot(), None, Tally(pieces=9), seat)
        without = [_ESCAPES.sub("", line) for line in picture_of(board, console)]
        board.keys = keys
        lines = [_ESCAPES.sub("", line) for line in picture_of(board, console)]
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        walls = [sum(line.count(wall) for line in each) for each in (lines, without) for wall in "│|"]
        assert walls[:2] == walls[2:], "the field has the size that it had"
        if lines[-1].startswith("space pause"):
            shown.add((width, height))
            assert ("- + speed 1x" in lines[-1]) is (width > 30)
        else:
            assert "pause" not in "".join(lines)
    assert (100, 31) in shown
    assert (100, 4) not in shown
