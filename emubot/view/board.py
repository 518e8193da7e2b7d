"""Draws the boards live in a terminal of any size, one per player: field, piece, plan, figures; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from emubot.looks import NUMBERED, Looks
from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.text import counted
from emubot.view.appearance import Appearance
from emubot.view.arrangement import GAP, Arrangement, FiguresPlace, arrangement_for, joined, parts_that_fit
from emubot.view.cells import Brush, CellRole, CellSize, Drawn, abilities_of
from emubot.view.figures import Figures, figures_of, in_a_line, table
from emubot.view.half_blocks import COLUMNS, LINES, HalfBlocks, shows_pictures
from emubot.view.screen import Screen, console_of_terminal

Pixels = Callable[[], NDArray[np.uint8]]

_REDRAW: Final = 1 / 30  # seconds; a terminal does not need more
_SHARE: Final = 4  # of the time that a drawing took, until the next one
_BESIDE: Final = 48  # characters that boards and figures want beside the picture
_TITLE_LINES: Final = 2
_BETWEEN_KEYS: Final = "  "
_PIECE_ROWS: Final = 3
_LEAST_FIGURES: Final = 2  # lines that stay below the next piece, or it is not shown
_CUT_SAID: Final = 4  # lines of a field that is cut, from which on one of them says so


class Shown(NamedTuple):
    """A player's latest frame."""

    snapshot: Snapshot
    chosen: Placement | None
    tally: Figures
    called: Piece | None


class TerminalBoard:
    """A context manager that draws the players' snapshots side by side."""

    def __init__(
        self,
        title: Sequence[str],
        look: Appearance,
        console: Console | None = None,
        players: int = 1,
        looks: Looks = NUMBERED,
        pixels: Pixels | None = None,
    ) -> None:
        """`title` is in parts, the most important first; `looks` are those of the cells.

        `pixels` returns the emulator's picture, which is drawn beside the boards if the terminal has the room.
        """
        self._title = title
        self.note = ""  # words beside the title, while there are any
        self.keys: Sequence[str] = ()  # what the viewer's keys do: a line at the bottom, if there is room for it
        self._look = look
        self._console = console or console_of_terminal()
        self._looks = looks
        self._brush = Brush(looks, abilities_of(self._console))
        self._pixels = pixels if shows_pictures(self._console) else None
        self._screen = Screen(self._console)
        self._due = 0.0
        self._frames = [0] * players
        self._started = time.monotonic()
        self._latest: list[Shown | None] = [None] * players

    def __enter__(self) -> Self:
        self._screen.__enter__()
        self._started = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._screen.__exit__(kind, error, trace)

    def show(
        self,
        snapshot: Snapshot,
        chosen: Placement | None,
        tally: Figures,
        seat: int = 0,
        called: Piece | None = None,
    ) -> None:
        """Draw this frame of one player, unless the last drawing was less than a thirtieth of a second ago.

        A drawing that takes long is less frequent, so that the game goes on.

        `seat` is the player's place on the screen, from 0. The other players' last frames stay beside it. `called` is
        the piece after the next one, if the bot knows it in advance.
        """
        self._latest[seat] = Shown(snapshot, chosen, tally, called)
        self._frames[seat] += 1
        now = time.monotonic()
        if now < self._due or any(latest is None for latest in self._latest):
            return
        self.redraw()
        self._due = now + max(_REDRAW, _SHARE * (time.monotonic() - now))

    def redraw(self) -> None:
        """Draw the latest frames now; nothing before the first ones."""
        if all(latest is not None for latest in self._latest):
            seconds = time.monotonic() - self._started
            self._screen.draw(self.picture(max(self._frames) / max(seconds, 1e-9)))

    def leave(self) -> None:
        """Give the terminal to another program for a while."""
        self._screen.leave()

    def come_back(self) -> None:
        """Take the terminal again, and draw the latest frames."""
        self._screen.come_back()
        self.redraw()

    def measure_anew(self) -> None:
        """Count the frames per second from now on: the game has another speed, or stood still."""
        self._started, self._frames = time.monotonic(), [0] * len(self._frames)

    def picture(self, frames_per_second: float) -> Group:
        """Returns the drawing of each player's latest frame, which fits the terminal."""
        width, height = self._console.size
        if self._pixels is None or width < COLUMNS + GAP + _BESIDE or height < LINES:
            return Group(*self._lines(frames_per_second, width, height))
        both = Table.grid(padding=(0, GAP, 0, 0))
        both.add_row(HalfBlocks(self._pixels()), Group(*self._lines(frames_per_second, width - COLUMNS - GAP, height)))
        return Group(both)

    def _lines(self, frames_per_second: float, width: int, height: int) -> list[Text]:
        """Returns the boards and figures in this room."""
        boards = [latest for latest in self._latest if latest is not None]
        figures = [figures_of(self._looks, board.snapshot, board.tally, frames_per_second) for board in boards]
        rows, columns = boards[0].snapshot.playfield.shape
        chosen = arrangement_for(len(boards), (rows, columns), (width, height), self._brush.able)
        smaller = arrangement_for(len(boards), (rows, columns), (width, height - 1), self._brush.able)
        bottom: list[Text] = []
        if self.keys and smaller == chosen and chosen.field_lines(rows) + chosen.boxed < height:
            height -= 1
            bottom = [Text(parts_that_fit(self.keys, _BETWEEN_KEYS, width)[0], style="dim")]
        lines = joined([self._field(board, chosen, height) for board in boards])
        if chosen.figures is FiguresPlace.BESIDE:
            room = width - chosen.field_columns(len(boards), columns) - GAP
            lines = joined([lines, self._beside(boards, figures, chosen, room, len(lines))])
        elif chosen.figures is FiguresPlace.BELOW:
            lines += _below(figures, width, height - len(lines) - chosen.boxed)
        between = " · " if self._brush.able.unicode else " - "
        parts = [*self._title[:1], *filter(None, [self.note]), *self._title[1:]]
        title = parts_that_fit(parts, between, width)[: min(_TITLE_LINES, height - len(lines))]
        lines = [*(Text(line, style="bold") for line in title), *lines, *bottom]
        for line in lines:
            line.truncate(width)
            line.no_wrap, line.overflow = True, "crop"
        return lines

    def _field(self, board: Shown, chosen: Arrangement, height: int) -> list[Text]:
        rows, columns = board.snapshot.playfield.shape
        cut = max(0, chosen.field_lines(rows) - height)
        if cut and height >= _CUT_SAID:
            cut += 1
        lines = self._brush.lines(self._drawing(board), range(cut, rows), range(columns), chosen.size)
        if chosen.boxed:
            return self._brush.boxed(lines)
        if cut and len(lines) < height:
            wide = columns * chosen.size.characters
            above = f"^{counted(cut, 'row')}"
            above = above if len(above) <= wide else f"^{cut}"
            lines.insert(0, Text(above.ljust(wide)[:wide], style="bold"))
        return self._brush.walled(lines)

    def _drawing(self, board: Shown) -> dict[tuple[int, int], Drawn]:
        snapshot, field = board.snapshot, board.snapshot.playfield
        drawing: dict[tuple[int, int], Drawn] = {}
        if snapshot.phase is Phase.PLAYING and board.chosen is not None:
            there = Piece(board.chosen.orientation, board.chosen.column, board.chosen.row)
            drawing |= _cells(self._look.cells(snapshot, there), CellRole.PLAN)
        drawing |= {
            (row, column): (int(field[row, column]), CellRole.STACK)
            for row, column in zip(*(places.tolist() for places in field.nonzero()), strict=True)
        }
        if snapshot.phase is Phase.PLAYING and snapshot.current is not None:
            drawing |= _cells(self._look.cells(snapshot, snapshot.current), CellRole.AIR)
        return drawing

    def _beside(
        self, boards: Sequence[Shown], figures: Sequence[dict[str, str]], chosen: Arrangement, width: int, height: int
    ) -> list[Text]:
        """Returns the next pieces and the figures below them, in at most `height` lines."""
        coming = joined([box for board in boards for box in self._coming(board, chosen.size)])
        below = table(figures, width)
        if len(coming) + _LEAST_FIGURES > height:
            coming = []
        elif len(coming) + 1 + len(below) <= height:
            coming.append(Text())
        return [*coming, *below][:height]

    def _coming(self, board: Shown, size: CellSize) -> list[list[Text]]:
        boxes = [self._piece("next", self._look.next_cells(board.snapshot), size)]
        if board.called is not None:
            boxes.append(self._piece("then", self._look.cells(board.snapshot, board.called), size))
        return boxes

    def _piece(self, title: str, cells: Sequence[Cell], size: CellSize) -> list[Text]:
        top = min([-1, *(cell.row for cell in cells)])
        columns = range(-2, 2) if size is CellSize.WIDE else range(-3, 3)  # at least as wide as the title
        drawing = _cells(cells, CellRole.STACK)
        return self._brush.boxed(
            self._brush.lines(drawing, range(top, top + _PIECE_ROWS), columns, size, dots=False), title
        )


def _cells(cells: Sequence[Cell], role: CellRole) -> dict[tuple[int, int], Drawn]:
    return {(cell.row, cell.column): (cell.kind, role) for cell in cells}


def _below(figures: Sequence[dict[str, str]], width: int, height: int) -> list[Text]:
    """Returns the figures as a table if there is room for it, else as a line for each player."""
    lines = table(figures, width)
    if len(lines) <= height and max(line.cell_len for line in lines) <= width:
        return lines
    many = len(figures) > 1
    return [in_a_line(number if many else None, own, width) for number, own in enumerate(figures, start=1)]
