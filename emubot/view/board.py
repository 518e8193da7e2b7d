"""Draws the board live in a terminal, one per player: playfield, piece, plan, figures; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from emubot.snapshot import Cell, Phase, Piece, Placement, Snapshot
from emubot.view.appearance import Appearance

_REDRAW: Final = 1 / 30  # seconds; a terminal does not need more
# Colours by kind of cell: the family's kinds in order, then any other kind.
_COLOURS: Final = (
    "black",
    "bright_red",
    "bright_cyan",
    "bright_yellow",
    "bright_magenta",
    "bright_green",
    "bright_blue",
    "white",
    "grey50",
)
_TARGET: Final = "bright_black"


class Figures(Protocol):
    """A player's running figures that the board shows."""

    pieces: int
    wins: int | None
    misplaced: int
    decision_ms: list[float]


class TerminalBoard:
    """A context manager that draws the players' snapshots side by side."""

    def __init__(self, title: str, look: Appearance, console: Console | None = None, players: int = 1) -> None:
        self._title = title
        self._look = look
        self._console = console or Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=False)
        self._due = 0.0
        self._frames = [0] * players
        self._started = time.monotonic()
        self._latest: list[tuple[Snapshot, Placement | None, Figures, Piece | None] | None] = [None] * players

    def __enter__(self) -> Self:
        self._live.__enter__()
        self._started = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def show(
        self,
        snapshot: Snapshot,
        chosen: Placement | None,
        tally: Figures,
        seat: int = 0,
        called: Piece | None = None,
    ) -> None:
        """Draw this frame of one player, unless the last drawing was less than a thirtieth of a second ago.

        `seat` is the player's place on the screen, from 0. The other players' last frames stay beside it. `called` is
        the piece after the next one, if the bot knows it in advance.
        """
        self._latest[seat] = (snapshot, chosen, tally, called)
        self._frames[seat] += 1
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _REDRAW
        self._live.update(self.picture(max(self._frames) / max(now - self._started, 1e-9)), refresh=True)

    def picture(self, frames_per_second: float) -> Panel:
        """Returns the drawing of each player's latest frame."""
        table = Table.grid(padding=(0, 1))
        shown = [latest for latest in self._latest if latest is not None]
        fields = [Panel(self._playfield(snapshot, chosen), padding=0, expand=False) for snapshot, chosen, *_ in shown]
        coming = Table.grid(padding=(0, 1))
        coming.add_row(*(panel for snapshot, _, _, called in shown for panel in self._coming(snapshot, called)))
        figures = _figures([(snapshot, tally) for snapshot, _, tally, _ in shown], frames_per_second)
        table.add_row(*fields, Group(coming, Text(""), figures))
        return Panel(table, title=self._title, expand=False)

    def _playfield(self, snapshot: Snapshot, chosen: Placement | None) -> Text:
        rows, columns = snapshot.playfield.shape
        paint = {
            (row, column): colour_of(int(snapshot.playfield[row, column]))
            for row in range(rows)
            for column in range(columns)
            if snapshot.playfield[row, column]
        }
        shades: dict[tuple[int, int], str] = {}
        if snapshot.phase is Phase.PLAYING:
            if chosen is not None:
                there = Piece(chosen.orientation, chosen.column, chosen.row)
                shades = {(cell.row, cell.column): _TARGET for cell in self._look.cells(snapshot, there)}
            if snapshot.current is not None:
                air = self._look.cells(snapshot, snapshot.current)
                paint |= {(cell.row, cell.column): colour_of(cell.kind) for cell in air}
        text = Text()
        for row in range(rows):
            for column in range(columns):
                at = (row, column)
                if at in paint:
                    text.append("██", style=paint[at])
                elif at in shades:
                    text.append("░░", style=shades[at])
                else:
                    text.append(" ·", style="grey23")
            text.append("\n" if row < rows - 1 else "")
        return text

    def _coming(self, snapshot: Snapshot, called: Piece | None) -> Iterator[Panel]:
        yield _piece("next", self._look.next_cells(snapshot))
        if called is not None:
            yield _piece("then", self._look.cells(snapshot, called))


def _piece(title: str, cells: Sequence[Cell]) -> Panel:
    text = Text()
    paint = {(cell.row, cell.column): colour_of(cell.kind) for cell in cells}
    for row in (-1, 0, 1):
        for column in (-2, -1, 0, 1):
            style = paint.get((row, column))
            text.append("██" if style else "  ", style=style or "")
        text.append("\n" if row < 1 else "")
    return Panel(text, title=title, padding=0, expand=False)


def colour_of(kind: int) -> str:
    """Returns the terminal's colour for a kind of cell."""
    return _COLOURS[min(kind, len(_COLOURS) - 1)]


def _figures(shown: Sequence[tuple[Snapshot, Figures]], frames_per_second: float) -> Table:
    """Returns a row per figure and a column per player; two players fit a terminal of 80 columns."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="left", style="bold")
    for _ in shown:
        table.add_column(justify="right", min_width=8, max_width=None if len(shown) == 1 else 9, no_wrap=True)
    players = [_figures_of(snapshot, tally, frames_per_second) for snapshot, tally in shown]
    for name in dict.fromkeys(name for figures in players for name in figures):
        table.add_row(name, *(figures.get(name, "") for figures in players))
    return table


def _figures_of(snapshot: Snapshot, tally: Figures, frames_per_second: float) -> dict[str, str]:
    counters = snapshot.counters
    known = {name: f"{counters[name]:,}" for name in ("score", "lines", "level") if name in counters}
    won = {"won": f"{tally.wins:,}"} if tally.wins else {}
    latest = tally.decision_ms[-1] if tally.decision_ms else 0.0
    return {
        **known,
        "pieces": f"{tally.pieces:,}",
        **won,
        "misplaced": str(tally.misplaced),
        "thinking": f"{latest:.1f} ms",
        "frames/s": f"{frames_per_second:.0f}",
        "state": snapshot.state,
    }
