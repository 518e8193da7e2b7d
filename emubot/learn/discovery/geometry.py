"""Measures the board by dropping pieces on it: where its cells lie, its rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from emubot.errors import NotDiscovered
from emubot.learn.discovery import board
from emubot.learn.discovery.drops import TURNS, Drop, GoneAstray, drop, in_every_column
from emubot.learn.discovery.lab import Lab
from emubot.learn.discovery.moves import Axis
from emubot.pad import Pad

_FURTHER: Final = 12  # pieces that tell which of several steps from row to row is meant
_ENOUGH: Final = 2  # pieces that tell how many rows there are
_NEAR: Final = 6  # rows above the floor that they may reach


def measure(lab: Lab, state: bytes, row: Axis, column: Axis) -> tuple[board.Lattice, int, int]:
    """Returns the board, its rows and the code of an empty cell. `state` is a moment with an empty board.

    Raises NotDiscovered if pieces do not come to rest, or no bytes fill where they do.
    """
    try:
        return _measure(lab, state, row, column)
    except GoneAstray:
        raise NotDiscovered(
            "A piece that fell with DOWN held did not come to rest, or no piece came after it. Write the map by hand."
        ) from None


def _measure(lab: Lab, state: bytes, row: Axis, column: Axis) -> tuple[board.Lattice, int, int]:
    lab.load(state)
    empty = lab.play([Pad.NONE])
    sets = [in_every_column(lab, state, row, column, turns) for turns in range(TURNS)]
    across = board.right_of(empty, sets)
    steps = board.row_steps(across[0], max(map(len, sets)), across[1]) if across else []
    if across is None or not steps:
        raise NotDiscovered(
            "No bytes filled where the piece came to rest, column after column: the board may lie in the picture's own "
            "memory, or these are no falling blocks. Write the map by hand."
        )
    right, cells = across
    down = _down(lab, sets, cells, steps, row, right, int(empty[0][min(cells[0])]))
    either = [board.lattice(right, down, sets, cells, upwards) for upwards in (False, True)]
    lattice = _either_way(lab, sets[0][0], row, either)
    nothing = int(empty[0][lattice.index(0, 0)])
    rows = _rows(lab, sets[0], row, lattice, nothing)
    cells_of_all = lattice.cells(rows)
    if cells_of_all.min() < 0 or cells_of_all.max() >= empty.shape[1]:
        raise NotDiscovered(
            f"The board seems to have {rows} rows and {lattice.columns} columns, and memory has no room for it: these "
            "are no falling blocks, or pieces do not enter at its top. Write the map by hand."
        )
    return lattice, rows, nothing


def _down(
    lab: Lab,
    sets: Sequence[Mapping[int, Drop]],
    cells: Sequence[frozenset[int]],
    steps: Sequence[int],
    row: Axis,
    right: int,
    empty: int,
) -> int:
    """Returns the step by which the cells of most further pieces hang together: one square piece fits several."""
    here, before = sets[0][0].next_state, sets[0][0].rested[0]
    moved = [
        cell + columns * right for drops, piece in zip(sets, cells, strict=True) for columns in drops for cell in piece
    ]
    first = max(min(moved) - _NEAR * max(steps), 0)
    window = slice(first, max(moved) + _NEAR * max(steps) + 1)
    fits = dict.fromkeys(steps, 0)
    for number in range(_FURTHER):
        try:
            dropped = drop(lab, here, row, Pad.LEFT if number % 2 else Pad.RIGHT, number % 5, number % TURNS)
        except GoneAstray:
            break
        after = dropped.rested[0]
        new = frozenset(map(int, first + np.flatnonzero((before[window] == empty) & (after[window] != empty))))
        for step in steps:
            fits[step] += bool(new) and len(new) <= board.MOST_CELLS and board.places(new, step, right) is not None
        here, before = dropped.next_state, after
    return max(steps, key=lambda step: (fits[step], -step))


def _either_way(lab: Lab, first: Drop, row: Axis, lattices: Sequence[board.Lattice]) -> board.Lattice:
    """Returns the board, of these with the lowest row first or last in memory, that also has what falls next."""
    second = drop(lab, first.next_state, row)
    changed = np.flatnonzero(second.rested[0] != first.rested[0])
    return max(lattices, key=lambda lattice: int(np.isin(changed, lattice.cells(2 * _NEAR)).sum()))


def _rows(lab: Lab, drops: Mapping[int, Drop], row: Axis, lattice: board.Lattice, empty: int) -> int:
    """Returns the rows from the floor up to where pieces enter; raises GoneAstray if each piece clears a row."""
    here, before, heights = drops[min(drops)].next_state, drops[min(drops)].rested, []
    area = lattice.cells(2 * _NEAR)  # the first pieces come to rest near the floor
    for number in range(_FURTHER):
        dropped = drop(lab, here, row, Pad.LEFT if number % 2 else Pad.RIGHT, lattice.columns)
        filled, after = before[0][area] != empty, dropped.rested[0][area] != empty
        new = np.flatnonzero((after & ~filled).any(1))
        if len(new) and not (filled & ~after).any():
            fallen = int(row.since(before, dropped.frames[:-1]).max())
            heights.append(len(area) - int(new[0]) + fallen)
        if len(heights) == _ENOUGH:
            return max(heights)
        here, before = dropped.next_state, dropped.rested
    raise GoneAstray
