"""The board drawn live in a terminal: playfield, piece, planned placement, figures; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from emubot.report import Tally
from emubot.snapshot import Phase, Piece, Placement, Snapshot

Cells = Sequence[tuple[int, int]]

_REDRAW: Final = 1 / 30  # seconds; more often is wasted on a terminal
# Kind of cell -> colour: the family's kinds in the map's order, then "anything else".
_COLOURS: Final = ("black", "white", "cyan", "magenta", "yellow", "green", "blue", "red")
_PIECE: Final = "bright_yellow"
_TARGET: Final = "bright_black"


class TerminalBoard:
    """A context manager that draws Snapshots; `cells_of` gives an orientation's (dx, dy) cells, dy downwards."""

    def __init__(self, title: str, cells_of: Callable[[int], Cells], console: Console | None = None) -> None:
        self._title = title
        self._cells_of = cells_of
        self._console = console or Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=False)
        self._due = 0.0
        self._frames = 0
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        self._live.__enter__()
        self._started = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def show(self, snapshot: Snapshot, chosen: Placement | None, tally: Tally) -> None:
        """Draw this frame, unless the last drawing was less than a thirtieth of a second ago."""
        self._frames += 1
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _REDRAW
        frames_per_second = self._frames / max(now - self._started, 1e-9)
        self._live.update(self.picture(snapshot, chosen, tally, frames_per_second), refresh=True)

    def picture(self, snapshot: Snapshot, chosen: Placement | None, tally: Tally, frames_per_second: float) -> Panel:
        """The drawing of one frame."""
        left = Panel(self._playfield(snapshot, chosen), padding=0, expand=False)
        right = Group(self._next(snapshot), Text(""), _figures(snapshot, tally, frames_per_second))
        table = Table.grid(padding=(0, 2))
        table.add_row(left, right)
        return Panel(table, title=self._title, expand=False)

    def _playfield(self, snapshot: Snapshot, chosen: Placement | None) -> Text:
        rows, columns = snapshot.playfield.shape
        paint = {
            (row, column): _COLOURS[min(int(snapshot.playfield[row, column]), len(_COLOURS) - 1)]
            for row in range(rows)
            for column in range(columns)
            if snapshot.playfield[row, column]
        }
        shades: dict[tuple[int, int], str] = {}
        if snapshot.phase is Phase.PLAYING:
            if chosen is not None:
                shades = dict.fromkeys(self._spread(Piece(chosen.orientation, chosen.column, chosen.row)), _TARGET)
            if snapshot.current is not None:
                paint |= dict.fromkeys(self._spread(snapshot.current), _PIECE)
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

    def _spread(self, piece: Piece) -> list[tuple[int, int]]:
        return [(piece.row + dy, piece.column + dx) for dx, dy in self._cells_of(piece.orientation)]

    def _next(self, snapshot: Snapshot) -> Panel:
        text = Text()
        cells = {(dy, dx) for dx, dy in self._cells_of(snapshot.next[0])} if snapshot.next else set()
        for dy in (-1, 0, 1):
            for dx in (-2, -1, 0, 1):
                text.append("██" if (dy, dx) in cells else "  ", style=_PIECE)
            text.append("\n" if dy < 1 else "")
        return Panel(text, title="next", padding=0, expand=False)


def _figures(snapshot: Snapshot, tally: Tally, frames_per_second: float) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="left", style="bold")
    table.add_column(justify="right", min_width=8)
    counters = snapshot.counters
    for name in ("score", "lines", "level"):
        table.add_row(name, f"{counters.get(name, 0):,}")
    latest = tally.decision_ms[-1] if tally.decision_ms else 0.0
    table.add_row("pieces", f"{tally.pieces:,}")
    table.add_row("misplaced", str(tally.misplaced))
    table.add_row("thinking", f"{latest:.1f} ms")
    table.add_row("frames/s", f"{frames_per_second:.0f}")
    table.add_row("state", snapshot.state)
    return table
