"""Chooses how fields and figures share a terminal of any size, and joins lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rich.text import Text

from emubot.view.cells import Abilities, CellSize

GAP: Final = 1  # characters between two blocks
_ASIDE: Final = {1: 19, 2: 29}  # characters that the figures of so many players want beside the fields
_LEAST_ASIDE: Final = {1: 16, 2: 29}  # and the least with which no number is cut


class FiguresPlace(Enum):
    """Where the figures are."""

    BESIDE = "beside"
    BELOW = "below"  # a line for each player
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The size of the cells, whether each field has a box and all have a title above, and where the figures are."""

    size: CellSize
    boxed: bool
    figures: FiguresPlace

    def field_columns(self, players: int, columns: int) -> int:
        """Returns the characters that the fields take side by side: each has a wall on both sides."""
        return players * (columns * self.size.characters + 2) + (players - 1) * GAP

    def field_lines(self, rows: int) -> int:
        """Returns the lines that the fields take."""
        return -(-rows // self.size.rows) + 2 * self.boxed

    def fits(self, players: int, shape: tuple[int, int], room: tuple[int, int], able: Abilities) -> bool:
        """Returns whether everything fits a terminal of (columns, lines) that has these abilities."""
        (rows, columns), (width, height) = shape, room
        if self.size is CellSize.HALF and not (able.colours and able.unicode):
            return False
        wide, high = self.field_columns(players, columns), self.field_lines(rows) + self.boxed
        if self.figures is FiguresPlace.BESIDE:
            wide += GAP + (_ASIDE if self.boxed else _LEAST_ASIDE)[players]
        elif self.figures is FiguresPlace.BELOW:
            high += players
        return wide <= width and high <= height


_FROM_THE_BEST: Final = (
    Arrangement(CellSize.WIDE, True, FiguresPlace.BESIDE),
    Arrangement(CellSize.NARROW, True, FiguresPlace.BESIDE),
    Arrangement(CellSize.HALF, True, FiguresPlace.BESIDE),
    Arrangement(CellSize.NARROW, True, FiguresPlace.BELOW),
    Arrangement(CellSize.HALF, True, FiguresPlace.BELOW),
    Arrangement(CellSize.HALF, False, FiguresPlace.BESIDE),
    Arrangement(CellSize.NARROW, False, FiguresPlace.BESIDE),
    Arrangement(CellSize.NARROW, False, FiguresPlace.BELOW),
    Arrangement(CellSize.HALF, False, FiguresPlace.BELOW),
    Arrangement(CellSize.HALF, False, FiguresPlace.NOWHERE),
)


def arrangement_for(players: int, shape: tuple[int, int], room: tuple[int, int], able: Abilities) -> Arrangement:
    """Returns the best arrangement of fields of (rows, columns) on a terminal of (columns, lines).

    If none fits, the fields are to be cut at the top: their floors are always visible.
    """
    for arrangement in _FROM_THE_BEST:
        if arrangement.fits(players, shape, room, able):
            return arrangement
    beside = Arrangement(CellSize.NARROW, False, FiguresPlace.BESIDE)
    fits = beside.fits(players, (1, shape[1]), room, able)
    return beside if fits else Arrangement(CellSize.NARROW, False, FiguresPlace.NOWHERE)


def joined(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    """Returns blocks of lines side by side."""
    blocks = [block for block in blocks if block]
    widths = [max(line.cell_len for line in block) for block in blocks]
    lines = []
    for number in range(max(map(len, blocks), default=0)):
        line = Text()
        for place, (block, width) in enumerate(zip(blocks, widths, strict=True)):
            if place:
                line.append(" " * GAP)
            own = block[number] if number < len(block) else Text()
            line.append_text(own)
            line.append(" " * (width - own.cell_len))
        lines.append(line)
    return lines


def parts_that_fit(parts: Sequence[str], between: str, width: int) -> list[str]:
    """Returns the parts joined in lines of at most `width` characters; only a part that is too long alone is cut."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(between) + len(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(part if len(part) <= width else f"{part[: max(width - 3, 0)]}..."[:width])
    return lines
