"""Where the cells of a grid are in memory, and their words, both ways; knows no codes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.rammap.grid_layout import CellCoding, GridLayout, RowTable
from emubot.rammap.spaces import index_of, indices_of

NOWHERE: Final = -1  # the word of a cell whose row is outside the bytes that rows may be in
_BYTE: Final = 8  # bits

Kinds = NDArray[np.uint8]
Words = NDArray[np.int64]
Memory = NDArray[np.uint8]


class Columns(NamedTuple):
    """Where the cells of a row are: bytes after the row's first byte, and the lowest bit in the byte; (columns,) each.

    `bits` is None where cells are whole bytes.
    """

    bytes: NDArray[np.intp]
    bits: NDArray[np.int64] | None


def columns_of(grid: GridLayout) -> Columns:
    """Returns where the cells of each row are."""
    cell, steps = grid.cell, np.arange(grid.columns, dtype=np.intp) * grid.column_stride
    if cell.bits is None:
        return Columns(steps, None)
    a_byte = _BYTE // cell.bits  # cells
    last = _BYTE - cell.bits  # the lowest bit of the cell with the highest bits
    if cell.order == "low":
        steps += (cell.first or 0) // cell.bits
        return Columns(steps // a_byte, steps % a_byte * cell.bits)
    steps += 0 if cell.first is None else (last - cell.first) // cell.bits
    return Columns(steps // a_byte, last - steps % a_byte * cell.bits)


def of_player(addresses: Sequence[int], player: int) -> int:
    """Returns a player's address of those that are given once, or once for each player."""
    return addresses[min(player, len(addresses) - 1)]


def visible_rows(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the address of each row's column 0, or of its entry in the row table, (rows,), row 0 at the top."""
    rows = np.arange(grid.rows, dtype=np.intp)
    if grid.first_row == "bottom":
        rows = rows[::-1]
    if (table := grid.row_table) is not None:
        return of_player(table.at, player) + rows * table.step
    return of_player(grid.at or (), player) + rows * (grid.row_stride or 0)  # a grid without a table has both


def hidden_rows(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the same for the rows above the playfield, (hidden rows,), the nearest row first."""
    return np.array([of_player(at, player) for at in grid.hidden], dtype=np.intp)


def all_rows(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the same for all rows, (hidden + visible rows,), the top row first."""
    return np.concatenate((hidden_rows(grid, player)[::-1], visible_rows(grid, player)))


def entry_bytes(table: RowTable, entries: NDArray[np.intp], player: int) -> NDArray[np.intp]:
    """Returns the addresses of the bytes of these entries, (entries, bytes), the lowest byte first."""
    apart = 1 if table.high is None else of_player(table.high, player) - of_player(table.at, player)
    count = table.bytes if table.high is None else 2
    return entries[:, None] + apart * np.arange(count, dtype=np.intp)


def grid_bytes(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the address of every byte in which a cell lies, or may lie, and those of the row table; in any order."""
    rows = all_rows(grid, player)
    if (table := grid.row_table) is not None:
        region = of_player(table.rows_in.at, player) + np.arange(table.rows_in.bytes)
        return np.concatenate((entry_bytes(table, rows, player).ravel(), region))
    return (rows[:, None, None] + columns_of(grid).bytes[:, None] + np.arange(grid.cell.bytes)).ravel()


class _Coding:
    """The words of cells by the indices of their first bytes in an image, (rows, columns)."""

    def __init__(self, cell: CellCoding, columns: Columns) -> None:
        self.length = cell.bytes
        self._bits, self._full = columns.bits, (1 << cell.width) - 1
        self._own = np.arange(self.length)  # the bytes of a cell
        self._weights = 1 << _BYTE * np.arange(self.length, dtype=np.int64)

    def read(self, memory: Memory, indices: NDArray[np.intp]) -> Words:
        """Returns each cell's bits as one number, of several bytes the first one the lowest."""
        words: Words = memory[indices[..., None] + self._own] @ self._weights
        return words if self._bits is None else words >> self._bits & self._full

    def write(self, memory: Memory, indices: NDArray[np.intp], words: Words, mask: int) -> None:
        """Write the bits of the mask of each word; all other bits stay."""
        if self._bits is not None:
            # One place in the byte after the other: all of them are written into the same bytes.
            for bit in np.unique(self._bits):
                here = self._bits == bit
                _put(memory, indices[:, here], words[:, here] << bit, mask << int(bit))
            return
        for number in range(self.length):
            shift = _BYTE * number
            _put(memory, indices + number, words >> shift, mask >> shift & 0xFF)


class CellWords(ABC):
    """The words of a grid's rows. It caches the last result, because a playfield changes rarely."""

    def __init__(self, grid: GridLayout, rows: int, spans: Sequence[slice]) -> None:
        """`spans` are the parts of an image that the words depend on."""
        self.shape = (rows, grid.columns)
        self._columns = columns_of(grid)
        self._coding = _Coding(grid.cell, self._columns)
        self._fetch = itemgetter(*spans)
        self._last: tuple[Any, Kinds] | None = None

    @abstractmethod
    def words(self, memory: Memory) -> Words:
        """Returns each cell's word; NOWHERE for all cells of a row that is not where rows may be."""

    @abstractmethod
    def write(self, memory: Memory, words: Words, mask: int) -> None:
        """Write the bits of the mask of each word; all other bits stay.

        Raises ValueError if a row table has no place for each row.
        """

    def remembered(self, ram: bytes, decode: Callable[[Words], Kinds]) -> Kinds:
        """Returns what `decode` makes of the words: the array of the last call if the bytes are the same."""
        raw, last = self._fetch(ram), self._last
        if last is not None and last[0] == raw:
            return last[1]
        kinds = decode(self.words(np.frombuffer(ram, dtype=np.uint8)))
        self._last = (raw, kinds)
        return kinds


class _FixedCells(CellWords):
    """Rows that stay where they are."""

    def __init__(self, grid: GridLayout, rows: NDArray[np.intp]) -> None:
        """`rows` are the addresses of column 0 of each row."""
        self._indices = indices = indices_of(rows[:, None] + columns_of(grid).bytes)
        low, high = (int(indices.min()), int(indices.max())) if indices.size else (0, 0)
        super().__init__(grid, len(rows), [slice(low, high + grid.cell.bytes)])

    def words(self, memory: Memory) -> Words:
        return self._coding.read(memory, self._indices)

    def write(self, memory: Memory, words: Words, mask: int) -> None:
        self._coding.write(memory, self._indices, words, mask)


class _PointedCells(CellWords):
    """Rows that are where a table in memory says."""

    def __init__(self, grid: GridLayout, rows: NDArray[np.intp], table: RowTable, player: int) -> None:
        """`rows` are the addresses of the rows' entries in the table."""
        self._entries = entries = indices_of(entry_bytes(table, rows, player))
        address = of_player(table.rows_in.at, player)
        first = index_of(address)
        runs = [entries[:, byte] for byte in range(entries.shape[1]) if len(rows)]
        spans = [slice(int(run.min()), int(run.max()) + 1) for run in runs]
        super().__init__(grid, len(rows), [*spans, slice(first, first + table.rows_in.bytes)])
        self._weights = 1 << _BYTE * np.arange(entries.shape[1], dtype=np.int64)
        self._times, self._base = table.times, of_player(table.base or (0,), player) + first - address
        # Between these indices a row begins all of whose cells are inside.
        beside = self._columns.bytes
        self._low = first - int(beside.min())
        self._high = first + table.rows_in.bytes - int(beside.max()) - self._coding.length

    def words(self, memory: Memory) -> Words:
        indices, inside = self._places(memory)
        return np.where(inside[:, None], self._coding.read(memory, indices), NOWHERE)

    def write(self, memory: Memory, words: Words, mask: int) -> None:
        indices, inside = self._places(memory)
        if not inside.all() or len(np.unique(indices[:, 0])) != len(indices):
            raise ValueError("the row table has no place for each row: write it first")
        self._coding.write(memory, indices, words, mask)

    def _places(self, memory: Memory) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Returns the indices of the cells' first bytes, and which rows are inside the bytes for rows."""
        starts = self._base + self._times * (memory[self._entries] @ self._weights)
        inside = (self._low <= starts) & (starts <= self._high)
        return np.where(inside, starts, self._low)[:, None] + self._columns.bytes, inside


def cells_at(grid: GridLayout, rows: NDArray[np.intp], player: int) -> CellWords:
    """Returns the cells of these rows; `rows` is made by `visible_rows`, `hidden_rows` or `all_rows`."""
    return _FixedCells(grid, rows) if grid.row_table is None else _PointedCells(grid, rows, grid.row_table, player)


def _put(memory: Memory, places: NDArray[np.intp], words: Words, mask: int) -> None:
    """Write the bits of the mask into bytes; `places` (any shape) are their indices, no byte twice."""
    memory[places] = (memory[places] & (~mask & 0xFF)) | (words & mask).astype(np.uint8)
