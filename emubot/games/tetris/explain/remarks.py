"""What one placement of falling blocks does worse than another, in words; knows no search and no values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import DX, DY
from emubot.snapshot import Placement, Snapshot
from emubot.text import counted

_MOST_LINES: Final = 4
_HIGHER: Final = 2  # rows, from which on a higher stack is worth a word
_ROUGHER: Final = 4  # sum of steps between neighbouring columns


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a field after a placement. Columns and rows are as on the screen."""

    lines: int
    holes: int
    height: int
    steps: int
    covered: bool  # whether the deepest column of the field before is closed at its top


def remarks(snapshot: Snapshot, played: Placement, best: Placement) -> Sequence[str]:
    """Returns what is worse after `played` than after `best`, the worst first."""
    field = np.asarray(snapshot.playfield) != 0
    well = _well_of(field)
    before = _shape(field, well)
    mine, other = (_shape(_after(field, one), well, _lines(field, one)) for one in (played, best))
    said = []
    if other.lines == _MOST_LINES > mine.lines:
        said.append("gives up a clear of four lines")
    if (holes := mine.holes - max(other.holes, 0)) > 0:
        made = mine.holes - before.holes
        kept = "makes" if made > 0 else "leaves"
        said.append(f"{kept} {'a hole' if holes == 1 else f'{holes} holes'}")
    if mine.covered and not other.covered and not before.covered:
        said.append("covers the well")
    if 0 < mine.lines < _MOST_LINES and other.lines == 0:
        said.append(f"burns {'a line' if mine.lines == 1 else f'{mine.lines} lines'}")
    if other.lines > mine.lines and other.lines < _MOST_LINES:
        said.append(f"clears {counted(mine.lines, 'line') if mine.lines else 'no lines'} where {other.lines} go")
    if mine.height - other.height >= _HIGHER:
        said.append(f"stacks {counted(mine.height - other.height, 'row')} higher")
    if mine.steps - other.steps >= _ROUGHER:
        said.append("leaves a rougher surface")
    return said


def _cells(one: Placement) -> list[tuple[int, int]]:
    return [
        (one.row + int(DY[one.orientation, cell]), one.column + int(DX[one.orientation, cell])) for cell in range(4)
    ]


def _locked(field: NDArray[Any], one: Placement) -> NDArray[Any]:
    locked = field.copy()
    for row, column in _cells(one):
        if row >= 0:
            locked[row, column] = True
    return locked


def _lines(field: NDArray[Any], one: Placement) -> int:
    return int(_locked(field, one).all(axis=1).sum())


def _after(field: NDArray[Any], one: Placement) -> NDArray[Any]:
    locked = _locked(field, one)
    left = locked[~locked.all(axis=1)]
    return np.vstack((np.zeros((len(field) - len(left), field.shape[1]), dtype=bool), left))


def _heights(field: NDArray[Any]) -> NDArray[Any]:
    return np.where(field.any(axis=0), len(field) - field.argmax(axis=0), 0)


def _well_of(field: NDArray[Any]) -> int | None:
    """Returns the column that is at least two rows lower than all others, None if there is none."""
    heights = _heights(field)
    lowest = int(heights.argmin())
    others = np.delete(heights, lowest)
    return lowest if others.min() - heights[lowest] >= 2 else None


def _shape(field: NDArray[Any], well: int | None, lines: int = 0) -> Shape:
    heights = _heights(field)
    holes = int((heights - field.sum(axis=0)).sum())
    covered = well is not None and bool((~field[len(field) - heights[well] :, well]).any())
    steps = int(np.abs(np.diff(heights)).sum())
    return Shape(lines, holes, int(heights.max()), steps, covered)
