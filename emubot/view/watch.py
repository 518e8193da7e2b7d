"""Draws what a map reads, live in a terminal: board, values, phase and why the others do not hold; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from emubot.rammap.grid import UNKNOWN
from emubot.rammap.sight import Sight
from emubot.view.board import colour_of

_REDRAW: Final = 1 / 30  # seconds
_FRESH: Final = 60  # frames for which a value that changed is marked
_LINES: Final = 16  # of values in a column


class WatchBoard:
    """A context manager that draws the players' sights."""

    def __init__(self, title: str, console: Console | None = None) -> None:
        self._title = title
        self._live = Live(console=console or Console(stderr=True), auto_refresh=False, transient=False)
        self._due = 0.0
        self._frame = 0
        self._seen: dict[tuple[int, str], tuple[int, int]] = {}  # player and value -> number, frame of the last change

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def show(self, sights: Sequence[Sight], frame: int) -> None:
        """Draw this frame of all players, unless the last drawing was less than a thirtieth of a second ago."""
        self.note(sights, frame)
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _REDRAW
            self._live.update(self.picture(sights), refresh=True)

    def note(self, sights: Sequence[Sight], frame: int) -> None:
        """Take note of the values that have changed since the last frame."""
        self._frame = frame
        for sight in sights:
            for name, number in sight.values.items():
                key = (sight.player, name)
                last = self._seen.get(key)
                if last is None or last[0] != number:
                    self._seen[key] = (number, frame if last else frame - _FRESH)

    def picture(self, sights: Sequence[Sight]) -> Panel:
        """Returns the drawing of all players' sights of one frame."""
        table = Table.grid(padding=(0, 1))
        table.add_row(*(_board(sight) for sight in sights), Group(*(_reasons(sight, len(sights)) for sight in sights)))
        return Panel(Group(table, self._values(sights)), title=f"{self._title} · frame {self._frame}", expand=False)

    def _values(self, sights: Sequence[Sight]) -> Table:
        """Returns all values in columns: the name, then each player's number."""
        names = list(dict.fromkeys(name for sight in sights for name in sight.values))
        lines = max(_LINES, -(-len(names) // 4))
        table = Table.grid(padding=(0, 2))
        table.add_row(*(self._column(names[at : at + lines], sights) for at in range(0, len(names), lines)))
        return table

    def _column(self, names: Sequence[str], sights: Sequence[Sight]) -> Table:
        column = Table.grid(padding=(0, 1))
        for name in names:
            column.add_row(name, *(self._number(sight, name) for sight in sights))
        return column

    def _number(self, sight: Sight, name: str) -> Text:
        if name not in sight.values:
            return Text("-", style="grey50", justify="right")
        _, changed = self._seen.get((sight.player, name), (0, self._frame - _FRESH))
        fresh = self._frame - changed < _FRESH
        return Text(str(sight.values[name]), style="bold yellow" if fresh else "", justify="right")


def _board(sight: Sight) -> RenderableType:
    """Returns the cells by the map's kinds: hidden rows above a line, `??` for a code that the map does not have."""
    air = {(cell.row, cell.column): cell.kind for cell in sight.piece}
    rows = [*reversed([*sight.hidden]), *sight.playfield]
    text = Text()
    for number, row in enumerate(rows, start=-len(sight.hidden)):
        for column, kind in enumerate(row):
            if (number, column) in air:
                text.append("▒▒", style=colour_of(air[number, column]))
            elif kind == UNKNOWN:
                text.append("??", style="bold red")
            elif kind:
                text.append("██", style=colour_of(int(kind)))
            else:
                text.append(" ·", style="grey23")
        text.append("\n" if number < len(sight.playfield) - 1 else "")
        if number == -1:
            text.append("──" * len(row) + "\n", style="grey50")
    return Panel(text, title=f"player {sight.player + 1}", padding=0, expand=False)


def _reasons(sight: Sight, players: int) -> RenderableType:
    """Returns the state, and a line for each phase above it that does not hold."""
    whose = f"player {sight.player + 1}: " if players > 1 else ""
    text = Text(f"{whose}{sight.phase.value}, {sight.state}\n", style="bold")
    if sight.note:
        text.append(f"{sight.note}\n", style="yellow")
    for refusal in sight.refusals:
        text.append(f"not {refusal}\n", style="grey50")
    return text
