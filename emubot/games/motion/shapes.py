"""The tables by which a piece moves: cells, turns with kicks, the grid, the fall; knows no time and no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emubot.jit import Scalar, kernel
from emubot.pad import Pad
from emubot.rammap.schema import Buttons

CLOCKWISE, COUNTERCLOCKWISE = range(2)
END = -1  # as new orientation: ends a list of attempts

Spot = tuple[int, int, int]  # orientation in the tables, column, row


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """One piece: int8 `cells` (orientations, cells, 2), each (dx, dy) from the pivot, dy downwards.

    `turns` is int8 (2, orientations, attempts, 3), by direction (clockwise, counterclockwise). An attempt is (new
    orientation, dcolumn, drow); the first one that fits is taken, and END ends the list. Kicks are attempts.
    `shown` (orientations,) is the family's orientation id of each orientation. Several may share one id, so that a
    piece can have a state that its cells do not show.
    """

    cells: NDArray[np.int8]
    turns: NDArray[np.int8]
    shown: NDArray[np.int64]

    def __post_init__(self) -> None:
        count = len(self.cells)
        if self.cells.ndim != 3 or self.cells.shape[2] != 2 or self.shown.shape != (count,):
            raise ValueError("cells are (orientations, cells, 2), with an id shown for each orientation")
        if self.turns.shape[:2] != (2, count) or self.turns.shape[3:] != (3,):
            raise ValueError("turns are (2, orientations, attempts, 3)")
        if (self.turns[..., 0] < END).any() or (self.turns[..., 0] >= count).any():
            raise ValueError("a turn leads to an orientation that there is not")

    def index(self, orientation: int) -> int:
        """Returns the first orientation in the tables with this id in `shown`. Raises ValueError if there is none."""
        found = np.flatnonzero(self.shown == orientation)
        if not len(found):
            raise ValueError(f"the piece has no orientation {orientation}")
        return int(found[0])


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The cells that a piece collides with: `solid` (rows, columns), nonzero if filled, hidden rows on top.

    Cells above the array are free; cells beside or below it are solid. Pivot rows count from the first visible row, so
    `solid[0]` is row -`hidden`. No kick lifts the pivot above row `ceiling`.
    """

    solid: NDArray[Any]
    hidden: int
    ceiling: int

    @property
    def floor(self) -> int:
        """The row below the lowest one."""
        return len(self.solid) - self.hidden


@dataclass(frozen=True, slots=True)
class Fall:
    """Frames per row: `gravity` by itself, `soft_drop` while that is held (0: there is no soft drop)."""

    gravity: int
    soft_drop: int = 0

    def __post_init__(self) -> None:
        if self.gravity < 1 or self.soft_drop < 0:
            raise ValueError(f"a row takes at least one frame, not {self.gravity} or {self.soft_drop}")


@dataclass(frozen=True, slots=True)
class Keys:
    """The pad of each move; NONE if there is no such move."""

    left: Pad
    right: Pad
    turns: tuple[Pad, Pad]  # clockwise, counterclockwise
    soft_drop: Pad
    hard_drop: Pad


def keys_of(buttons: Buttons) -> Keys:
    """Returns the moves that a map's buttons offer."""
    return Keys(
        buttons.left,
        buttons.right,
        (buttons.rotate_clockwise or Pad.NONE, buttons.rotate_counterclockwise or Pad.NONE),
        buttons.soft_drop or Pad.NONE,
        buttons.hard_drop or Pad.NONE,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where each orientation fits: uint8 `fits` (orientations, rows, columns), 1 if it fits.

    Row index 0 is pivot row `top`, column index 0 is pivot column `left`: a pivot may be outside the grid.
    """

    fits: NDArray[np.uint8]
    top: int
    left: int
    ceiling: int  # the highest pivot row that a kick can reach

    def free(self, orientation: int, column: int, row: int) -> bool:
        """Returns whether the piece fits there; False outside `fits`."""
        _, height, width = self.fits.shape
        y, x = row - self.top, column - self.left
        return 0 <= y < height and 0 <= x < width and bool(self.fits[orientation, y, x])

    def turned(self, shapes: Shapes, direction: int, spot: Spot) -> Spot:
        """Returns where a turn leads: the first attempt that fits, or the same place if none fits."""
        orientation, column, row = spot
        for turned, shift, lift in shapes.turns[direction, orientation].tolist():
            if turned == END:
                break
            too_high = lift < 0 and row + lift < self.ceiling
            if not too_high and self.free(turned, column + shift, row + lift):
                return turned, column + shift, row + lift
        return spot


def places(grid: Grid, shapes: Shapes, start_row: int) -> Places:
    """Returns where the piece fits, from the highest row that its pivot can reach (`start_row` or the ceiling) down."""
    low, high = shapes.cells.min(axis=(0, 1)), shapes.cells.max(axis=(0, 1))
    top, left = min(start_row, grid.ceiling), -int(high[0])
    rows = max(grid.floor - int(low[1]) - top, 1)
    columns = grid.solid.shape[1] + int(high[0]) - int(low[0])
    fits = np.empty((len(shapes.cells), rows, columns), dtype=np.uint8)
    solid = np.ascontiguousarray(grid.solid, dtype=np.uint8)
    fill_fits(solid, grid.hidden, np.ascontiguousarray(shapes.cells, dtype=np.int8), top, left, fits)
    return Places(fits, top, left, grid.ceiling)


@kernel
def fill_fits(
    solid: NDArray[np.uint8], hidden: Scalar, cells: NDArray[np.int8], top: Scalar, left: Scalar, fits: NDArray[Any]
) -> None:
    """Write fits[orientation, row - top, column - left]: whether every cell of the piece is free there."""
    height, width = solid.shape
    for orientation in range(fits.shape[0]):
        for row in range(fits.shape[1]):
            for column in range(fits.shape[2]):
                free = 1
                for cell in range(cells.shape[1]):
                    x = left + column + cells[orientation, cell, 0]
                    y = top + row + cells[orientation, cell, 1] + hidden
                    if x < 0 or x >= width or y >= height or (y >= 0 and solid[y, x] != 0):
                        free = 0
                        break
                fits[orientation, row, column] = free
