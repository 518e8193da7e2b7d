"""Draws what a map reads, live in a terminal: picture, board, values, phases and why not; decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from emubot.looks import NUMBERED
from emubot.rammap.grid import UNKNOWN
from emubot.rammap.sight import Sight
from emubot.view.arrangement import GAP, arrangement_for, joined
from emubot.view.cells import Brush, CellRole, CellSize, Drawn, abilities_of
from emubot.view.half_blocks import COLUMNS, LINES, HalfBlocks, shows_pictures
from emubot.view.screen import Screen, console_of_terminal

Picture = Callable[[], NDArray[np.uint8]]

_REDRAW: Final = 1 / 15  # seconds
_BESIDE: Final = 90  # characters that boards and reasons want beside the picture
_FRESH: Final = 60  # frames for which a value that changed is marked
_LINES: Final = 16  # of values in a column
_BETWEEN: Final = 2  # characters between two columns of values, besides the gap
_REASONS: Final = 24  # characters that reasons want at least beside the boards
_LEAST_VALUES: Final = 4  # lines of values and reasons for which a board is drawn smaller


class WatchBoard:
    """A context manager that draws the players' sights on a terminal of any size.

    The emulator's picture is drawn beside them if the terminal has the colours and the room for it.
    """

    def __init__(self, title: str, console: Console | None = None, picture: Picture | None = None) -> None:
        """`picture` returns the emulator's picture, uint8 (height, width, 3), RGB; None: there is none."""
        self._title = title
        self._console = console or console_of_terminal()
        self._brush = Brush(NUMBERED, abilities_of(self._console), air="▒")
        self._pixels = picture if shows_pictures(self._console) else None
        self._screen = Screen(self._console)
        self._due = 0.0
        self._frame = 0
        self._seen: dict[tuple[int, str], tuple[int, int]] = {}  # player and value -> number, frame of the last change

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._screen.__exit__(kind, error, trace)

    def show(self, sights: Sequence[Sight], frame: int) -> None:
        """Draw this frame of all players, unless the last drawing is too recent.

        That is less than a fifteenth of a second ago, or less than three times as long ago as it took.
        """
        self.note(sights, frame)
        began = time.monotonic()
        if began >= self._due:
            self._screen.draw(self.picture(sights))
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

    def picture(self, sights: Sequence[Sight]) -> Group:
        """Returns the drawing of all players' sights of one frame, which fits the terminal."""
        width, height = self._console.size
        dot = " · " if self._brush.able.unicode else " - "
        lines = [Text(f"{self._title}{dot}frame {self._frame:,}", style="bold")]
        shows_pixels = self._pixels is not None and width >= COLUMNS + _BESIDE and height > LINES
        right = self._boards_and_reasons(sights, width - (COLUMNS + GAP) * shows_pixels, height - 1)
        used = 1 + max(len(right), LINES * shows_pixels)
        values = self._values(sights, width, height - used)
        for line in (*lines, *right, *values):
            line.no_wrap, line.overflow = True, "crop"
            line.truncate(width)
        beside: list[RenderableType] = list(right)
        if shows_pixels and self._pixels is not None:
            table = Table.grid(padding=(0, GAP, 0, 0))
            table.add_row(HalfBlocks(self._pixels()), Group(*right))
            beside = [table]
        return Group(*lines, *beside, *values)

    def _boards_and_reasons(self, sights: Sequence[Sight], width: int, height: int) -> list[Text]:
        """Returns the boards, and the reasons beside or below them."""
        rows, columns = _shape(sights[0])
        room = max(height - _LEAST_VALUES, 1)
        chosen = arrangement_for(min(len(sights), 2), (rows, columns), (width, room), self._brush.able)
        drawn = joined([self._board(sight, chosen.size, chosen.boxed, room) for sight in sights])
        left = width - chosen.field_columns(len(sights), columns) - GAP
        beside = left >= _REASONS
        reasons = [
            line
            for sight in sights
            for line in self._reasons(sight, len(sights)).wrap(self._console, left if beside else max(width, 1))
        ]
        if beside:
            return joined([drawn, reasons[: max(room, len(drawn))]])[:height]
        return [*drawn, *reasons[: max(height - len(drawn), 0) // 2]][:height]

    def _board(self, sight: Sight, size: CellSize, boxed: bool, height: int) -> list[Text]:
        """Returns the cells by the map's kinds: hidden rows above a line, `?` for a code that the map does not have."""
        rows, columns = sight.playfield.shape
        drawing: dict[tuple[int, int], Drawn] = {}
        for number, row in enumerate([*reversed([*sight.hidden]), *sight.playfield], start=-len(sight.hidden)):
            drawing |= {
                (number, column): (int(kind), CellRole.UNKNOWN if kind == UNKNOWN else CellRole.STACK)
                for column, kind in enumerate(row)
                if kind
            }
        drawing |= {(cell.row, cell.column): (cell.kind, CellRole.AIR) for cell in sight.piece}
        lines = self._brush.lines(drawing, range(rows), range(columns), size)
        if len(sight.hidden):
            hidden = self._brush.lines(drawing, range(-len(sight.hidden), 0), range(columns), size)
            lines = [*hidden, Text(("─" if self._brush.able.unicode else "-") * lines[0].cell_len), *lines]
        if boxed:
            return self._brush.boxed(lines, f"player {sight.player + 1}")
        return self._brush.walled(lines[-height:])

    def _values(self, sights: Sequence[Sight], width: int, height: int) -> list[Text]:
        """Returns all values in columns, as many as fit: the name, then each player's number."""
        names = list(dict.fromkeys(name for sight in sights for name in sight.values))
        lines = min(max(_LINES, -(-len(names) // 4)), max(height, 0))
        if not lines:
            return []
        blocks: list[list[Text]] = []
        for at in range(0, len(names), lines):
            column = [self._value(names[at : at + lines], name, sights) for name in names[at : at + lines]]
            if blocks and sum(block[0].cell_len + GAP for block in blocks) + column[0].cell_len > width:
                blocks[-1][-1] = Text(f"{len(names) - at + 1} more"[: blocks[-1][0].cell_len])
                break
            blocks.append(column)
        return joined(blocks)

    def _value(self, column: Sequence[str], name: str, sights: Sequence[Sight]) -> Text:
        text = Text(f"{name:<{max(map(len, column))}}")
        for sight in sights:
            width = max((len(str(sight.values[other])) for other in column if other in sight.values), default=1)
            number = sight.values.get(name)
            _, changed = self._seen.get((sight.player, name), (0, self._frame - _FRESH))
            fresh = number is not None and self._frame - changed < _FRESH
            text.append(f" {'-' if number is None else number:>{width}}", style="bold yellow" if fresh else "")
        text.append(" " * _BETWEEN)
        return text

    def _reasons(self, sight: Sight, players: int) -> Text:
        """Returns the state, and a line for each phase above it that does not hold; without colours the kinds too."""
        whose = f"player {sight.player + 1}: " if players > 1 else ""
        text = Text(f"{whose}{sight.phase.value}, {sight.state}\n", style="bold")
        if sight.note:
            text.append(f"{sight.note}\n", style="not bold yellow")
        for refusal in sight.refusals:
            text.append(f"not {refusal}\n", style="not bold bright_black")
        if not self._brush.able.colours and sight.player == 0:
            names = (f"{NUMBERED.kind(kind).mark} {name}" for kind, name in enumerate(sight.kinds) if kind)
            text.append(f"{', '.join(names)}\n", style="not bold")
        return text


def _shape(sight: Sight) -> tuple[int, int]:
    """Returns the rows and columns of a board, with its hidden rows and the line below them."""
    rows, columns = sight.playfield.shape
    hidden = len(sight.hidden)
    return rows + hidden + (1 if hidden else 0), columns
