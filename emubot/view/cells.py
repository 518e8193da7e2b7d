"""Draws cells for a terminal: blocks of colour, or letters where it has no colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rich.console import Console
from rich.text import Text

from emubot.looks import Looks

_DIM: Final = "bright_black"


class CellSize(Enum):
    """The size of a cell: characters in a line, and rows of cells in a line."""

    WIDE = (2, 1)  # looks square
    NARROW = (1, 1)
    HALF = (1, 2)  # looks square and small; needs colours and Unicode

    @property
    def characters(self) -> int:
        """The characters that a cell is wide."""
        return self.value[0]

    @property
    def rows(self) -> int:
        """The rows of cells in a line."""
        return self.value[1]


class CellRole(Enum):
    """What a cell is to the person who looks at it."""

    STACK = "stack"
    AIR = "air"  # of the piece under control
    PLAN = "plan"  # where that piece is meant to lock
    UNKNOWN = "unknown"  # its code is not in the map


Drawn = tuple[int, CellRole]  # a cell that is not empty: its kind and its role
Drawing = Mapping[tuple[int, int], Drawn]  # by row and column


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a terminal can show: colours, and characters beyond ASCII."""

    colours: bool = True
    unicode: bool = True


def abilities_of(console: Console) -> Abilities:
    """Returns what the console's terminal can show."""
    colours = console.color_system is not None and not console.no_color
    return Abilities(colours, console.encoding.startswith("utf"))


class Brush:
    """Draws cells by their looks for a terminal of these abilities."""

    def __init__(self, looks: Looks, able: Abilities, air: str = "") -> None:
        """`air` is drawn for the cells of the piece under control, in place of what the stack looks like."""
        self._looks = looks
        self.able = able
        self._air = air if able.unicode else air and "o"
        self._dot, self._plan = ("·", "░") if able.unicode else (".", ":")

    def lines(self, drawing: Drawing, rows: range, columns: range, size: CellSize, dots: bool = True) -> list[Text]:
        """Returns these rows and columns of a drawing as lines of equal width; `dots` mark the empty cells."""
        if size is CellSize.HALF:
            return [self._two_rows(drawing, row, rows, columns) for row in rows[::2]]
        empty = (self._dot if dots else " ").rjust(size.characters)
        return [self._row(drawing, row, columns, size, empty) for row in rows]

    def boxed(self, lines: Sequence[Text], title: str = "") -> list[Text]:
        """Returns the lines in a box; the title stands in its upper side if there is room for it."""
        width = lines[0].cell_len if lines else 0
        corners, level = ("╭╮╰╯", "─") if self.able.unicode else ("++++", "-")
        head = f" {title} " if title and len(title) + 2 <= width else ""
        upper = Text(f"{corners[0]}{head.center(width, level)}{corners[1]}")
        return [upper, *self.walled(lines), Text(f"{corners[2]}{level * width}{corners[3]}")]

    def walled(self, lines: Sequence[Text]) -> list[Text]:
        """Returns the lines between two walls."""
        wall = "│" if self.able.unicode else "|"
        return [Text.assemble(wall, line, wall) for line in lines]

    def _row(self, drawing: Drawing, row: int, columns: range, size: CellSize, empty: str) -> Text:
        text = Text()
        for column in columns:
            drawn = drawing.get((row, column))
            if drawn is None:
                text.append(empty, style=_DIM)
            else:
                text.append(self._sign(drawn) * size.characters, style=self._style(drawn))
        return text

    def _sign(self, drawn: Drawn) -> str:
        kind, role = drawn
        if role is CellRole.PLAN:
            return self._plan
        if role is CellRole.UNKNOWN:
            return "?"
        if role is CellRole.AIR and self._air:
            return self._air
        if not (self.able.colours and self.able.unicode):
            return self._looks.kind(kind).mark
        return "▓" if self._looks.kind(kind).texture else "█"

    def _style(self, drawn: Drawn) -> str:
        kind, role = drawn
        if role is CellRole.UNKNOWN:
            return "bold red"
        if role is CellRole.PLAN:
            return _DIM
        if not self.able.colours:
            return "bold" if role is CellRole.AIR else ""
        colour = self._looks.kind(kind).terminal
        return colour if self.able.unicode else f"black on {colour}"

    def _two_rows(self, drawing: Drawing, row: int, rows: range, columns: range) -> Text:
        text = Text()
        for column in columns:
            upper = self._colour(drawing.get((row, column)))
            lower = self._colour(drawing.get((row + 1, column))) if row + 1 in rows else ""
            if upper and lower:
                text.append("▀", style=f"{upper} on {lower}")
            else:
                text.append("▀" if upper else "▄" if lower else " ", style=upper or lower)
        return text

    def _colour(self, drawn: Drawn | None) -> str:
        if drawn is None:
            return ""
        kind, role = drawn
        if role is CellRole.UNKNOWN:
            return "red"
        return _DIM if role is CellRole.PLAN else self._looks.kind(kind).terminal
