"""Converts the playfield between bytes and kinds of cells, both ways."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.rammap.cells import (
    NOWHERE,
    CellWords,
    Kinds,
    Words,
    all_rows,
    cells_at,
    hidden_rows,
    visible_rows,
)
from emubot.rammap.grid_layout import CellCoding, CodeRange, GridLayout, LinkCoding

EMPTY: Final = 0
UNKNOWN: Final = 255  # the kind of a code that no kind has: an obstacle
KINDS_LIMIT: Final = 254


def code_mask(cell: CellCoding) -> int:
    """Returns the bits of a cell's word that hold its code, before the shift."""
    return cell.mask or (1 << cell.width) - 1


class GridCodec:
    """One player's grid. The arrays of kinds that it returns are C-ordered, uint8 and read-only."""

    def __init__(self, grid: GridLayout, player: int) -> None:
        cell = grid.cell
        self._cell, self._moves = cell, grid.row_table is not None
        self._mask = code_mask(cell)
        self._table = _kind_table(cell)
        self._codes = _codes_of(cell)
        rows = visible_rows(grid, player), hidden_rows(grid, player)
        self._visible, self._hidden = (cells_at(grid, part, player) for part in rows)
        self._whole = cells_at(grid, all_rows(grid, player), player)
        self._links = None
        if cell.link is not None:
            self._links = _Links(cell.link, *(cells_at(grid, part, player) for part in rows))
        self.kinds = ("empty", *cell.kinds)
        self.solid = np.array([False, *(kind.solid for kind in cell.kinds.values())] + [True] * 255)[:256]
        self.solid.flags.writeable = False

    def visible(self, ram: bytes) -> Kinds:
        """Returns the kinds of the playfield's cells, (rows, columns)."""
        return self._visible.remembered(ram, self._decode)

    def hidden(self, ram: bytes) -> Kinds:
        """Returns the kinds of the rows above the playfield, (hidden rows, columns), the nearest row first."""
        return self._hidden.remembered(ram, self._decode)

    def visible_links(self, ram: bytes) -> Kinds:
        """Returns on which side the other half of each cell is, (rows, columns): all 0 if the map has no links."""
        return np.zeros_like(self.visible(ram)) if self._links is None else self._links.visible(ram)

    def hidden_links(self, ram: bytes) -> Kinds:
        """Returns the same for the rows above the playfield, (hidden rows, columns), the nearest row first."""
        return np.zeros_like(self.hidden(ram)) if self._links is None else self._links.hidden(ram)

    def words(self, ram: bytes) -> Words:
        """Returns each cell's word, (hidden + visible rows, columns), the top row first; -1 if its row is nowhere."""
        return self._whole.words(np.frombuffer(ram, dtype=np.uint8))

    def encode_links(self, ram: Any, playfield: Kinds, hidden: Kinds) -> None:
        """Write the sides of the other halves into a mutable buffer that holds the kinds; a map without links has none.

        Raises ValueError if an array has the wrong shape or a side does not exist.
        """
        if self._links is not None:
            self._links.write(np.frombuffer(ram, dtype=np.uint8), playfield, hidden)

    def encode(self, ram: Any, playfield: Kinds | None, hidden: Kinds | None) -> None:
        """Write kinds into a mutable buffer; bits outside the mask stay.

        Raises ValueError if a kind has no code, an array has the wrong shape, or a row table in the buffer has no place
        for each row.
        """
        memory = np.frombuffer(ram, dtype=np.uint8)
        for cells, kinds in ((self._visible, playfield), (self._hidden, hidden)):
            if kinds is not None:
                cells.write(memory, self._words(kinds, cells.shape), self._mask)

    def _decode(self, words: Words) -> Kinds:
        kinds: Kinds = self._table[(words & self._mask) >> self._cell.shift]
        if self._moves:
            kinds[words == NOWHERE] = UNKNOWN
        kinds.flags.writeable = False
        return kinds

    def _words(self, kinds: Kinds, shape: tuple[int, ...]) -> Words:
        if kinds.shape != shape:
            raise ValueError(f"the cells have shape {kinds.shape}, the map has {shape}")
        words = self._codes[kinds]
        if (words < 0).any():
            raise ValueError(f"kind {int(kinds[words < 0][0])} has no code in the map")
        return words << self._cell.shift


class _Links:
    """The sides of the other halves of one player's cells, as uint8: 0 none, 1 left, 2 right, 3 up, 4 down."""

    def __init__(self, link: LinkCoding, visible: CellWords, hidden: CellWords) -> None:
        self._mask, self._shift = link.mask, link.shift
        self._table = np.zeros((link.mask >> link.shift) + 1, dtype=np.uint8)
        for number, codes in enumerate(link.sides):
            for span in codes:
                self._table[span.low : span.high + 1] = number
        self._codes = np.array([_first(codes) for codes in link.sides], dtype=np.int64)
        self._visible, self._hidden = visible, hidden

    def visible(self, ram: bytes) -> Kinds:
        return self._visible.remembered(ram, self._decode)

    def hidden(self, ram: bytes) -> Kinds:
        return self._hidden.remembered(ram, self._decode)

    def write(self, memory: NDArray[np.uint8], playfield: Kinds, hidden: Kinds) -> None:
        for cells, sides in ((self._visible, playfield), (self._hidden, hidden)):
            if sides.shape != cells.shape or (sides >= len(self._codes)).any():
                raise ValueError(f"links are {cells.shape} numbers from 0 to {len(self._codes) - 1}")
            words = cells.words(memory)
            right = self._decode(words) == sides  # these bits stay: the kind may be in them
            codes = np.where(right, (words & self._mask) >> self._shift, self._codes[sides])
            cells.write(memory, codes << self._shift, self._mask)

    def _decode(self, words: Words) -> Kinds:
        sides: Kinds = self._table[(words & self._mask) >> self._shift]
        sides[words == NOWHERE] = 0
        sides.flags.writeable = False
        return sides


def _kind_table(cell: CellCoding) -> Kinds:
    """Returns the table from code to kind."""
    table = np.full((code_mask(cell) >> cell.shift) + 1, UNKNOWN, dtype=np.uint8)
    for number, codes in enumerate((cell.empty, *(kind.codes for kind in cell.kinds.values()))):
        for span in codes:
            table[span.low : span.high + 1] = number
    return table


def _codes_of(cell: CellCoding) -> Words:
    """Returns the first code of each kind, -1 if it has none."""
    codes = np.full(256, -1, dtype=np.int64)
    for number, spans in enumerate((cell.empty, *(kind.codes for kind in cell.kinds.values()))):
        codes[number] = _first(spans)
    return codes


def _first(spans: tuple[CodeRange, ...]) -> int:
    return spans[0].low if spans else -1
