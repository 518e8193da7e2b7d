"""Cells of half a byte: which half is which cell, both ways, against a twin that reads hexadecimal digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.rammap import RamMap, parse_map

AT, HIDDEN, ROWS = 0x0200, 0x0100, 3


def made(first: str = "low", columns: int = 5, stride: int = 1, more: str = "", values: str = "state: 0x10") -> RamMap:
    return parse_map(
        f"title: t\nfamily: toy\nprofile: toy\nvalues: {{{values}}}\n"
        f"grid:\n  at: 0x{AT:04X}\n  rows: {ROWS}\n  columns: {columns}\n  row_stride: 16\n  column_stride: {stride}\n"
        f"  hidden: [0x{HIDDEN:04X}]\n  cell:\n    half_bytes: {first}\n{more}"
        "    empty: 0x00\n    kinds: {block: {from: 0x01, to: 0x0E}}\n"
        "phases: [{state: playing, phase: playing, when: {state: 1}}]\n"
        "buttons: {left: LEFT, right: RIGHT, start: START}\n",
        "t",
    )


def digits_of(ram: bytes, start: int, first: str, columns: int, stride: int) -> list[int]:
    """The twin: a row's cells as hexadecimal digits, the high half of each byte first."""
    digits = ram[start : start + 16].hex()[first == "low" :]
    return [int(digits[column * stride], 16) for column in range(columns)]


@given(
    st.binary(min_size=0x0300, max_size=0x0300),
    st.sampled_from(["high", "low"]),
    st.integers(1, 10),
    st.integers(1, 3),
)
def test_cells_are_the_digits_of_the_bytes(head: bytes, first: str, columns: int, stride: int) -> None:
    ram = head + bytes(2048 - len(head))
    reader = made(first, columns, stride).reader()
    kinds = {0: 0, 15: 255}
    for found, start in zip([*reader.playfield(ram), *reader.hidden(ram)], [AT, AT + 16, AT + 32, HIDDEN], strict=True):
        assert found.tolist() == [kinds.get(digit, 1) for digit in digits_of(ram, start, first, columns, stride)]


@given(
    st.lists(st.integers(0, 1), min_size=4 * 5, max_size=4 * 5),
    st.sampled_from(["high", "low"]),
    st.integers(0, 255),
)
def test_what_is_written_is_read_and_other_halves_stay(cells: list[int], first: str, before: int) -> None:
    ram_map = made(first)
    wanted = np.array(cells, dtype=np.uint8).reshape(4, 5)
    ram = bytearray([before]) * 2048
    ram_map.encode(ram, {}, wanted[:3], wanted[3:])
    read = ram_map.reader()
    assert read.playfield(bytes(ram)).tolist() == wanted[:3].tolist()
    assert read.hidden(bytes(ram)).tolist() == wanted[3:].tolist()
    border = ram[AT] >> 4 if first == "low" else ram[AT + 2] & 15
    assert border == (before >> 4 if first == "low" else before & 15)


def test_the_other_half_of_a_byte_is_free_for_a_value() -> None:
    border = f"state: 0x10, border: {{at: 0x{AT:04X}, mask: 0xF0}}"
    assert made("low", values=border).value_names == ("state", "border")
    with pytest.raises(MapError, match=f"grid: the byte 0x{AT:04X} belongs to border as well"):
        made("high", values=border)


def test_half_a_byte_has_no_mask_of_its_own() -> None:
    with pytest.raises(MapError, match="half_bytes without bytes, mask, shift, flags and link"):
        made(more="    mask: 0x07\n")
