"""Draws what a map reads, live in a terminal: picture, board, values, phases and why not; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from emubot.rammap.grid import UNKNOWN
from emubot.rammap.sight import Sight
from emubot.view.board import colour_of
from emubot.view.half_blocks import COLUMNS, HalfBlocks, shows_pictures

Picture = Callable[[], NDArray[np.uint8]]

_REDRAW: Final = 1 / 15  # seconds
_BESIDE: Final = 90  # characters that boards and reasons want beside the picture
_FRESH: Final = 60  # frames for which a value that changed is marked
_LINES: Final = 16  # of values in a column


class WatchBoard:
    """A context manager that draws the players' sights.

    The emulator's picture is drawn beside them if the terminal has the colours and the width for it.
    """

    def __init__(self, title: str, console: Console | None = None, picture: Picture | None = None) -> None:
        """`picture` returns the emulator's picture, uint8 (height, width, 3), RGB; None: there is none."""
        self._title = title
        self._console = console or Console(stderr=True)
        self._pixels = picture if shows_pictures(self._console) else None
        self._live = Live(console=self._console, auto_refresh=False, transient=False)
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
        """Draw this frame of all players, unless the last drawing is too recent.

        That is less than a fifteenth of a second ago, or less than three times as long ago as it took.
        """
        self.note(sights, frame)
        began = time.monotonic()
        if began >= self._due:
            self._live.update(self.picture(sights), refresh=True)
            self._due = began + max(_REDRAW, 4 * (time.monotonic() - began))

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
        shown: list[RenderableType] = [_board(sight) for sight in sights]
        if self._pixels is not None and self._console.width >= COLUMNS + _BESIDE:
            shown.insert(0, HalfBlocks(self._pixels()))
        table.add_row(*shown, Group(*(_reasons(sight, len(sights)) for sight in sights)))
        return Panel(Group(table, self._values(sights)), title=f"{self._title} · frame {self._frame}", expand=False)

    def _values(self, sights: Sequence[Sight]) -> Text:
        """Returns all values in columns: the name, then each player's number. One text, because tables are slow."""
        names = list(dict.fromkeys(name for sight in sights for name in sight.values))
        lines = max(_LINES, -(-len(names) // 4))
        columns = [names[at : at + lines] for at in range(0, len(names), lines)]
        text = Text()
        for line in range(min(lines, len(names))):
            for column in columns:
                if line < len(column):
                    self._add_value(text, column, column[line], sights)
            text.append("\n")
        return text

    def _add_value(self, text: Text, column: Sequence[str], name: str, sights: Sequence[Sight]) -> None:
        text.append(f"{name:<{max(map(len, column))}}")
        for sight in sights:
            width = max((len(str(sight.values[other])) for other in column if other in sight.values), default=1)
            number = sight.values.get(name)
            _, changed = self._seen.get((sight.player, name), (0, self._frame - _FRESH))
            fresh = number is not None and self._frame - changed < _FRESH
            text.append(f" {'-' if number is None else number:>{width}}", style="bold yellow" if fresh else "")
        text.append("   ")


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
