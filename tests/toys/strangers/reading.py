"""Reads a stranger's memory by its truth alone, so that a wrong truth is noticed; knows no engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.games.tetris.toy_blocks import Cell
from tests.toys.addresses import index_of

Memory = NDArray[np.uint8]  # the console's 2,048 bytes, and the cartridge's 8,192 after them


class Piece(NamedTuple):
    """A piece as memory has it: `number` and `turn` are None where only its cells are kept."""

    number: int | None
    turn: int | None
    cells: tuple[Cell, ...]
    half: bool  # between this row and the one above


class Reading:
    """What the bytes of one frame mean."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.told = told
        board = told["board"]
        self._masks = np.array(board["column_masks"], dtype=np.uint8)
        self._bytes = np.array(board["column_bytes"])
        self._shift = np.array([int(mask & -mask).bit_length() - 1 for mask in board["column_masks"]], dtype=np.uint8)

    def rows(self, memory: Memory) -> list[int]:
        """Returns the address of each stored row, the highest one first."""
        board = self.told["board"]
        table = board["table"]
        if table is None:
            pages = 0 if board["side"] is None else 0x100 * int(memory[board["side"]])
            first = 0 if board["scroll"] is None else int(memory[board["scroll"]])
            starts = [start + pages for start in board["row_starts"]]
            return [*starts[first:], *starts[:first]]
        if table["kind"] == "numbers":
            return [board["row_starts"][memory[table["at"] + entry]] for entry in table["entries"]]
        low, high = table["at"], table["high_at"]
        return [int(memory[low + entry]) + 256 * int(memory[high + entry]) for entry in table["entries"]]

    def board(self, memory: Memory) -> NDArray[np.uint8]:
        """Returns the codes of all stored rows and columns."""
        rows = [memory[index_of(row) + self._bytes] & self._masks for row in self.rows(memory)]
        return np.array(rows) >> self._shift

    def piece(self, memory: Memory) -> Piece:
        """Returns the piece where its bytes say; raises ValueError where they name none."""
        told, named = self.told, self.told["piece"]["named"]
        if named == "cells":
            at = told["piece"]
            places = [
                (self._column(memory[at["columns"] + cell]), self._row(memory[at["rows"] + cell]))
                for cell in range(at["count"])
            ]
            return Piece(None, None, tuple((x, y) for x, (y, _) in places), half=False)
        keys = {"two": ("type", "turn"), "pointer": ("low", "high")}.get(named, ("at",))
        found = [int(memory[told["piece"][key]]) for key in keys]
        number, turn = self.named(found)
        row, half = self._row(memory[told["place"]["y"]["at"]])
        column = self._column(memory[told["place"]["x"]["at"]])
        cells = told["pieces"][number]["turns"][turn]["cells"]
        return Piece(number, turn, tuple((column + x, row + y) for x, y in cells), half)

    def named(self, name: Sequence[int]) -> tuple[int, int]:
        """Returns piece and turn of the bytes of a name."""
        for number, piece in enumerate(self.told["pieces"]):
            for turn, one in enumerate(piece["turns"]):
                if one["bytes"] == [*name]:
                    return number, turn
        raise ValueError(f"{name} names no piece")

    def _column(self, byte: int) -> int:
        told = self.told["place"]["x"]
        unit: int = told["unit"]
        return _signed(int(byte) - told["offset"], self.told["board"]["columns"], unit) // unit

    def _row(self, byte: int) -> tuple[int, bool]:
        told, rows = self.told["place"]["y"], self.told["board"]["rows"]
        if told["up"]:
            return _signed(told["offset"] - int(byte), rows, 1), False
        away = _signed(int(byte) - told["offset"], rows, told["unit"])
        return -(-away // told["unit"]), away % told["unit"] != 0

    def parked(self, memory: Memory) -> bool:
        """Returns whether the piece is where it waits between two turns."""
        told = self.told["place"]
        if told["parked"] is None:
            return False
        at, count = (
            (told["y"]["at"], 1)
            if told["y"]["at"] is not None
            else (self.told["piece"]["rows"], self.told["piece"]["count"])
        )
        return bool((memory[at : at + count] == told["parked"]["y"]).all())

    def number(self, memory: Memory, name: str) -> int | None:
        """Returns lines, level or score, or None where they are not kept."""
        told = self.told["numbers"][name]
        if told is None:
            return None
        data = [int(byte) for byte in memory[told["at"] : told["at"] + told["bytes"]]]
        data = data[::-1] if told["order"] == "little" else data
        base = {"binary": 256, "bcd": 100, "digits": 10}[told["format"]]
        total = 0
        for byte in data:
            total = base * total + (10 * (byte >> 4) + (byte & 0xF) if told["format"] == "bcd" else byte)
        return total

    def state(self, memory: Memory) -> int:
        """Returns the state byte."""
        return int(memory[self.told["state"]["at"]])


def _signed(distance: int, size: int, unit: int) -> int:
    """Returns a distance of bytes: what is too large for a board of this size is negative."""
    distance &= 0xFF
    return distance - 0x100 if distance >= (size + 4) * unit else distance
