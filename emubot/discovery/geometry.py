"""Measures the board by dropping pieces on it: where its cells lie, its rows and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery import board
from emubot.discovery.axes import HALVES, Axis
from emubot.discovery.drops import Drop, Dropper, GoneAstray
from emubot.discovery.lab import History
from emubot.discovery.rows import NEAR, check_room, new_rows, own_rows, rows_of, until_filled
from emubot.discovery.strides import stride
from emubot.discovery.tables import RowTable, row_table
from emubot.discovery.units import Units
from emubot.errors import NotDiscovered
from emubot.pad import Pad
from emubot.rammap.spaces import address_of

_FURTHER: Final = 12  # pieces that tell which of several steps from row to row is meant
_TURNS: Final = ((Pad.A, 1), (Pad.A, 2), (Pad.A, 3), (Pad.B, 1), (Pad.UP, 1))  # tried with the first piece
_AGREED: Final = 0.5  # of the pairs of heights, more of which must agree on a row's step: half rows may be one off


@dataclass(frozen=True, slots=True)
class Geometry:
    """The board: its lattice, its rows from the floor to where pieces enter, the code of an empty cell.

    `row` is the row's byte with its true step; `drawn` says whether the piece in the air stands in the cells, too;
    `pause` are the fewest frames from a piece to the next one that obeys. `table` says where rows are, if they move;
    `other_table` is another reading of it, if it stays open which one is right. `parked` is what the row's byte shows
    in the frame of a lock, where that looks like one more fall.
    """

    lattice: board.Lattice
    rows: int
    empty: int
    row: Axis
    drawn: bool
    pause: int
    table: RowTable | None = None
    other_table: RowTable | None = None
    parked: int | None = None

    def units(self, images: History) -> Units:
        """Returns the numbers of the cells: (frames, rows, columns), the highest row first."""
        units, packing = self.lattice.packing.of(images), self.lattice.packing
        if self.table is None:
            return units[:, self.lattice.cells(self.rows)]
        cells = self.lattice.cells(self.rows)
        begin = cells[:, :1] // packing.each * packing.each  # of the byte in which a row begins
        starts = self.table.starts(images, self.rows)[:, :, None] * packing.each
        places = np.clip(starts + (cells - begin)[None], 0, units.shape[1] - 1)
        return np.take_along_axis(units, places.reshape(len(images), -1), 1).reshape(places.shape)

    @property
    def bytes(self) -> set[int]:
        """The bytes of the board and of its table; where rows move, all bytes in which they may lie."""
        if self.table is None:
            return set(map(int, self.lattice.bytes_of(self.rows)))
        return {*self.row_bytes, *self.table.bytes_of(self.rows)}

    @property
    def row_bytes(self) -> range:
        """The bytes in which all rows lie, those above the board that its table lists as well."""
        own = self.lattice.bytes_of(self.rows + (self.table.above if self.table else 0))
        return range(int(own.min()), int(own.max()) + 1)

    def filled(self, images: History) -> NDArray[np.bool_]:
        """Returns which cells hold something, in the same shape."""
        return np.asarray(self.units(images) != self.empty, np.bool_)


def measure(dropper: Dropper, state: bytes) -> Geometry:
    """Returns the board. `state` is a moment with an empty board and a piece that obeys.

    Raises NotDiscovered if pieces do not come to rest, or no bytes fill where they do.
    """
    try:
        return _measure(dropper, state)
    except GoneAstray:
        raise NotDiscovered(
            "A piece that fell did not come to rest, or no piece that obeys the pad came after it."
        ) from None


def _measure(dropper: Dropper, state: bytes) -> Geometry:
    empty = dropper.lab.replay(state, [Pad.NONE])
    sets = [dropper.in_every_column(state), *_turned(dropper, state)]
    found = _across(dropper, empty, sets)
    if found is None:
        raise NotDiscovered(
            "No bytes filled where the piece came to rest, column after column: the board may lie in the picture's own "
            "memory, or these are no falling pieces."
        )
    down = stride(dropper, found, found.packing.of(empty)[0])
    if down is None:
        raise NotDiscovered("Cells filled where the piece came to rest, but they do not hang together as rows.")
    size = found.packing.of(empty).shape[1]
    both = [board.lattice(found, down, upwards) for upwards in (False, True)]
    either = [lattice for lattice in both if abs(lattice.cells(2 * NEAR)).max() < size]
    if not either:
        raise NotDiscovered("Cells filled where the piece came to rest, but memory has no room for rows of them.")
    lattice, row = _either_way(dropper, sets[0][0], either, found.packing.of(empty)[0])
    nothing = int(found.packing.of(empty)[0][lattice.index(0, 0)])
    dropper = replace(dropper, row=row)
    rows, pause = rows_of(dropper, sets[0], lattice, nothing)
    check_room(lattice, rows, size)
    rows = own_rows(lattice, rows, sets[0][0].frames, nothing)
    geometry = Geometry(lattice, rows, nothing, row, False, pause)
    table = row_table(empty, lattice.cells(rows)[:, 0] // found.packing.each)
    return replace(geometry, drawn=bool(geometry.filled(empty).any()), table=table)


def _across(dropper: Dropper, empty: History, sets: Sequence[Mapping[int, Drop]]) -> board.Across | None:
    """Returns what explains most cells, of what stays when the next piece falls elsewhere; None if nothing does."""
    first, far = sets[0][0], []
    for way in (Pad.LEFT, Pad.RIGHT):
        with suppress(GoneAstray):
            far.append(dropper.drop(first.next_state, dropper.tapped(way, NEAR)))
    return next(iter(board.across(empty, sets, board.loose_bytes(empty, first, far))), None)


def _turned(dropper: Dropper, state: bytes) -> Iterator[Mapping[int, Drop]]:
    """Yields the drops of the first piece after each kind of press; a press that drops the piece itself is left out."""
    for button, times in _TURNS:
        if button is dropper.hand.at_once:
            continue
        try:
            yield dropper.in_every_column(state, dropper.tapped(button, times))
        except GoneAstray:
            continue


def _either_way(
    dropper: Dropper, first: Drop, lattices: Sequence[board.Lattice], empty: NDArray[np.integer]
) -> tuple[board.Lattice, Axis]:
    """Returns the board, of these with the lowest row first or last in memory, and the row with its true step.

    It has most of what falls next, and what falls lower has a row that went further in the way in which it falls.
    """
    packing = lattices[0].packing
    # The piece after it may be drawn, too, but is the same wherever this one falls.
    ways = [dropper.drop(first.next_state, dropper.tapped(way, 1)) for way in (Pad.LEFT, Pad.RIGHT)]
    left, right = (packing.of(second.rested)[0] for second in ways)
    changed = np.flatnonzero(left != right)
    failed: NotDiscovered | None = None
    for lattice in sorted(lattices, key=lambda each: -int(np.isin(changed, each.cells(2 * NEAR)).sum())):
        try:
            step = _row_step(dropper, first, lattice, int(empty[lattice.index(0, 0)]))
        except NotDiscovered as error:
            failed = failed or error
            continue
        except GoneAstray:  # the game ended before pieces came to rest in several rows of it
            continue
        if (step > 0) == (dropper.row.step > 0):
            return lattice, replace(dropper.row, step=step)
    raise failed or NotDiscovered(
        "Cells filled where the piece came to rest, but they are no rows one above the other."
    )


def _row_step(dropper: Dropper, first: Drop, lattice: board.Lattice, empty: int) -> int:
    """Returns what a row downwards adds to the row's byte, from pieces that land on others and beside them."""
    area = lattice.cells(2 * NEAR)
    by_row, by_board = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for _ in range(_FURTHER):
        drops = dropper.slow.in_every_column(first.next_state)
        rested = [(drop, new[-1]) for drop in drops.values() if (new := new_rows(lattice, area, empty, first, drop))]
        for steps, last in ((by_row, _before_it_left), (by_board, _before_it_filled)):
            places = {(int(last(drop, lattice, area)[0, dropper.row.index]), row) for drop, row in rested}
            steps.update(
                ((number - other + 128) % 256 - 128, row - below)
                for number, row in places
                for other, below in places
                if row > below
            )
        first = drops[min(drops)]
        if by_row:
            break
    step = step_of(by_row) or step_of(by_board)
    if step is None:
        raise NotDiscovered(
            f"{_hex(dropper.row.index)} follows the piece as it falls, but not by the same number for each row."
        )
    return step


def step_of(heights: Counter[tuple[int, int]]) -> int | None:
    """Returns what a row adds to a byte, by how often it moved how far over how many rows; None if nothing does."""
    exact = Counter[float]()
    for (moved, rows), count in heights.items():
        exact[moved / rows] += count
    step, times = exact.most_common(1)[0] if exact else (0.0, 0)
    if step and step == round(step) and times > _AGREED * exact.total():
        return round(step)
    for halves in (HALVES, -HALVES):  # a piece may lock between two rows
        if heights and all(abs(moved - halves * rows) <= 1 for moved, rows in heights):
            return halves
    return None


def _before_it_left(drop: Drop, lattice: board.Lattice, area: NDArray[np.int64]) -> History:
    """Returns the image before the row went elsewhere."""
    return drop.last


def _before_it_filled(drop: Drop, lattice: board.Lattice, area: NDArray[np.int64]) -> History:
    """Returns the image before the board's last cell changed."""
    until = until_filled(drop, lattice, area)
    return drop.frames[until - 1 : until]


def _hex(index: int) -> str:
    return f"0x{address_of(index):02X}"
