"""Where the cells of a grid are in memory, and their words, both ways; knows no codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.rammap.grid_layout import GridLayout

_BYTE: Final = 8  # bits

Kinds = NDArray[np.uint8]
Words = NDArray[np.int64]


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


def visible_addresses(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the addresses of the first byte of each cell, (rows, columns), row 0 at the top."""
    rows = np.arange(grid.rows, dtype=np.intp)
    if grid.first_row == "bottom":
        rows = rows[::-1]
    base = grid.at[min(player, len(grid.at) - 1)]
    return base + rows[:, None] * grid.row_stride + columns_of(grid).bytes


def hidden_addresses(grid: GridLayout, player: int) -> NDArray[np.intp]:
    """Returns the addresses of the first byte of each cell, (hidden rows, columns), the nearest row first."""
    starts = np.array([at[min(player, len(at) - 1)] for at in grid.hidden], dtype=np.intp)
    return starts[:, None] + columns_of(grid).bytes


class CellWords:
    """The words of a set of cells. It caches the last result, because a playfield changes rarely."""

    def __init__(self, indices: NDArray[np.intp], width: int, bits: NDArray[np.int64] | None) -> None:
        """`indices` (rows, columns) are those of the first byte of each cell in an image, `width` the bits of a cell.

        `bits` (columns,) is the lowest bit of each column's cells where a byte holds several, None for whole bytes.
        """
        self.shape = indices.shape
        self._indices, self._bits = indices, bits
        self._full = (1 << width) - 1
        self._length = length = -(-width // _BYTE)
        self._low = int(indices.min()) if indices.size else 0
        self._high = int(indices.max()) + length if indices.size else 0
        self._bytes = indices[..., None] + np.arange(length)
        self._places = 1 << _BYTE * np.arange(length, dtype=np.int64)  # the weight of each byte
        self._last: tuple[bytes, Kinds] | None = None

    def words(self, memory: NDArray[np.uint8]) -> Words:
        """Returns each cell's bits as one number, of several bytes the first one the lowest."""
        words: Words = memory[self._bytes] @ self._places
        return words if self._bits is None else words >> self._bits & self._full

    def remembered(self, ram: bytes, decode: Callable[[Words], Kinds]) -> Kinds:
        """Returns what `decode` makes of the words: the array of the last call if the bytes are the same."""
        raw = ram[self._low : self._high]
        last = self._last
        if last is not None and last[0] == raw:
            return last[1]
        kinds = decode(self.words(np.frombuffer(ram, dtype=np.uint8)))
        self._last = (raw, kinds)
        return kinds

    def write(self, memory: NDArray[np.uint8], words: Words, mask: int) -> None:
        """Write the bits of the mask of each word; all other bits stay."""
        if self._bits is not None:
            # One place in the byte after the other: all of them are written into the same bytes.
            for bit in np.unique(self._bits):
                _put(memory, self._indices[:, self._bits == bit], words[:, self._bits == bit] << bit, mask << int(bit))
            return
        for number in range(self._length):
            shift = _BYTE * number
            _put(memory, self._indices + number, words >> shift, mask >> shift & 0xFF)


def _put(memory: NDArray[np.uint8], places: NDArray[np.intp], words: Words, mask: int) -> None:
    """Write the bits of the mask into bytes; `places` (any shape) are their indices, no byte twice."""
    memory[places] = (memory[places] & (~mask & 0xFF)) | (words & mask).astype(np.uint8)
