"""Counts the rows of a board from its floor to where pieces enter, by how far pieces fall; knows no pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.board import Lattice
from emubot.discovery.drops import COPIED, Drop, Dropper, GoneAstray
from emubot.discovery.lab import History
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from emubot.text import counted

NEAR: Final = 6  # rows above the floor that the first pieces may reach
_FURTHER: Final = 12  # pieces that are dropped at most
_ENOUGH: Final = 3  # pieces that tell how many rows there are
_LOWEST: Final = 6  # rows of the lowest board that a map can have
_HIGHEST: Final = 32  # and of the highest one


def rows_of(dropper: Dropper, drops: Mapping[int, Drop], lattice: Lattice, empty: int) -> tuple[int, int]:
    """Returns the rows from the floor up to where pieces enter, and the least frames until the next one obeys.

    Raises GoneAstray if each piece clears a row.
    """
    pauses, heights, clears = [], [], False
    slow, before = dropper.slow, dropper.drop(drops[min(drops)].next_state, finely=True)
    area = lattice.cells(2 * NEAR)  # the first pieces come to rest near the floor
    step = abs(slow.row.step)
    finest = replace(slow.row, step=slow.row.step // step)
    for number in range(_FURTHER):
        way = Pad.LEFT if number % 2 else Pad.RIGHT
        dropped = slow.drop(before.next_state, slow.tapped(way, lattice.columns), finely=True)
        pauses.append(len(dropped.frames) - dropped.gone - 1)
        if new := new_rows(lattice, area, empty, before, dropped):
            until = until_filled(dropped, lattice, area)
            # It may fall onto near ground and lock in the same frame; what goes further then is parked there. A piece
            # between two rows may be drawn in the lower one.
            last, then = dropped.frames[until - 1 : until], dropped.frames[until : until + 1]
            if 0 < until < dropped.gone and 0 < finest.since(last, then)[0] <= step:
                until += 1
            images = np.concatenate([before.rested, dropped.frames[:until]])
            # A piece that obeys in the first frame in which its row is not the last one's may fall in the next one;
            # others may be parked elsewhere until then, or the row be a copy that is still the last piece's.
            is_there = before.gone + 1 == len(before.frames)
            fallen = _fallen(finest.path(images[0 if is_there else COPIED :]), step)
            heights.append(len(area) - new[0] + fallen)
        if len(heights) == _ENOUGH:
            return max(heights), min(pauses)
        # Where a piece clears a row, rows may lie elsewhere from then on: it is rather dropped on the other side.
        before, clears = (before if not new and not clears else dropped), not new
    raise GoneAstray


def _fallen(path: NDArray[np.int64], step: int) -> int:
    """Returns the rows that a piece fell, by the parts of rows from where it was first; half rows are rows, too.

    A first move by more than a row is no fall: it enters from where the last piece was parked.
    """
    moves = np.flatnonzero(np.diff(path))
    if moves.size and abs(path[moves[0] + 1] - path[moves[0]]) > step:
        path = path[moves[0] + 1 :] - path[moves[0] + 1]
    return -(-int(path.max()) // step)


def until_filled(drop: Drop, lattice: Lattice, area: NDArray[np.int64]) -> int:
    """Returns the number of frames of a piece until the last cell of the board changed, or until its row left.

    A row that is parked a little further than the floor seems to fall on.
    """
    units = lattice.packing.of(drop.frames[: drop.gone + 1])[:, area]
    changes = np.flatnonzero((units[1:] != units[:-1]).any((1, 2)))
    return int(changes[-1]) + 1 if changes.size else drop.gone


def check_room(lattice: Lattice, rows: int, size: int) -> None:
    """Raise NotDiscovered if so many rows are no board, or do not fit into memory of so many units."""
    if rows < 1:
        raise NotDiscovered(
            "Cells filled where the piece came to rest, but no piece fell down to them by what seems to be its row: "
            "these are no falling pieces, or they do not enter above their board."
        )
    if rows < _LOWEST:
        raise NotDiscovered(
            f"Pieces fall {counted(rows, 'row')} at most, by what seems to be their row, onto a board of "
            f"{lattice.columns} columns: that is no board of falling pieces."
        )
    if rows > _HIGHEST or (cells := lattice.cells(rows)).min() < 0 or cells.max() >= size:
        raise NotDiscovered(
            f"The board seems to have {rows} rows and {lattice.columns} columns, and memory has no room for it: these "
            "are no falling pieces, or they do not enter at its top."
        )


def own_rows(lattice: Lattice, rows: int, frames: History, empty: int) -> int:
    """Returns the rows without the highest ones that `frames` of an empty board never show empty.

    They are something else: pieces may enter above the rows that memory has.
    """
    seen = (lattice.packing.of(frames)[:, lattice.cells(rows)] == empty).any(0).all(1)
    return rows - int(seen.argmax())


def new_rows(lattice: Lattice, area: NDArray[np.int64], empty: int, first: Drop, drop: Drop) -> list[int]:
    """Returns the rows of `area` that a piece filled; none if it cleared some."""
    filled, after = (_grounded(lattice.packing.of(images)[0][area] != empty) for images in (first.rested, drop.rested))
    return [] if (filled & ~after).any() else [int(row) for row in np.flatnonzero((after & ~filled).any(1))]


def _grounded(filled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns the board without what is above an empty row: the next piece may stand in the cells, too."""
    gaps = np.flatnonzero(~filled.any(1))
    grounded = filled.copy()
    grounded[: gaps[-1] if gaps.size else 0] = False
    return grounded
