"""Moves of a colour game as data: the field before and after each piece, where it locked; plays nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.colours.findings import EMPTY, ColourFindings, Numbers
from emubot.discovery.lab import History
from emubot.pad import Pad

Cell = tuple[int, int, int]  # row, column, colour

_APART: Final = 2  # frames that a frame of certain control is away from the first and the last one


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A field without the piece in the air: masked codes, colours (0 empty, -1 unknown) and links, (rows, columns)."""

    codes: NDArray[np.uint8]
    kinds: Numbers
    sides: Numbers

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.kinds)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.kinds[0])

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Which cells are not empty."""
        return np.asarray(self.kinds != EMPTY, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A piece from the first frame in which it obeyed to the next piece's.

    `pads` are what was pressed in each of `frames`. `last` is the last frame in which it was certainly not yet locked,
    `gone` the first one in which it certainly was, `entered` the first one in which the next piece was where pieces
    appear.
    `cells` are those in which it came to rest; rows may be negative. `after` is None where no next piece came.
    """

    frames: History
    pads: tuple[Pad, ...]
    last: int
    gone: int
    entered: int
    before: Board
    cells: tuple[Cell, ...]
    after: Board | None

    @property
    def controlled(self) -> History:
        """The frames in which it was certainly under control."""
        return self.frames[_APART : max(self.last - _APART, _APART)]

    @property
    def between(self) -> History:
        """The frames from its lock to the next piece."""
        return self.frames[self.gone : self.entered]


def boards(findings: ColourFindings, images: History, in_air: bool) -> tuple[NDArray[np.uint8], Numbers, Numbers]:
    """Returns codes, colours and links of the fields: (frames, rows, columns).

    `in_air`: where the piece stands in the field as what locks does, it is taken out.
    """
    field = findings.field
    codes, kinds, sides = field.codes(images), field.kinds(images), field.sides(images)
    if field.drawn and in_air:
        for column, row in np.moveaxis(findings.piece.cells(images), 1, 0).transpose(0, 2, 1):
            inside = (column >= 0) & (column < field.columns) & (row >= 0) & (row < field.rows)
            at = (np.flatnonzero(inside), row[inside], column[inside])
            codes[at], kinds[at], sides[at] = field.empty, EMPTY, 0
    return codes, kinds, sides


def board_of(findings: ColourFindings, image: History, in_air: bool = True) -> Board:
    """Returns the field of one image, (1, bytes)."""
    codes, kinds, sides = boards(findings, image, in_air)
    return Board(codes[0], kinds[0], sides[0])


def fallen(filled: NDArray[np.bool_], cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Returns the cells of a piece that falls in one until something is below it. Cells above the field are free.

    A piece that is not between the walls and above the floor stays where it is.
    """
    rows = len(filled)
    if not are_inside(filled, cells):
        return tuple(cells)
    down = 0
    while all(
        row + down + 1 < rows and (row + down + 1 < 0 or not filled[row + down + 1, column]) for row, column, _ in cells
    ):
        down += 1
    return tuple((row + down, column, kind) for row, column, kind in cells)


def are_inside(filled: NDArray[np.bool_], cells: Sequence[Cell]) -> bool:
    """Returns whether all cells are between the walls and above the floor."""
    return all(row < len(filled) and 0 <= column < len(filled[0]) for row, column, _ in cells)
