"""Cells of 1, 2 or 4 bits: which bits are which cell, both ways, against a twin that reads binary digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.rammap import RamMap, parse_map

AT, HIDDEN, ROWS, PITCH = 0x0200, 0x0100, 3, 64
OUTSIDE = 20  # bytes of a row on each side of the byte at which it begins

# bits, order, first, column stride
LAYOUTS = st.integers(0, 2).flatmap(
    lambda power: st.tuples(
        st.just(1 << power),
        st.sampled_from(["high", "low"]),
        st.one_of(st.none(), st.integers(0, (8 >> power) - 1).map(lambda place: place << power)),
        st.sampled_from([-3, -2, -1, 1, 2, 3]),
    )
)
Packing = tuple[int, str, int | None, int]


def text_of(packing: Packing = (4, "high", 0, 1), columns: int = 5, more: str = "", values: str = "state: 0x10") -> str:
    bits, order, first, stride = packing
    stated = "" if first is None else f"    first: {first}\n"
    return (
        f"title: t\nfamily: toy\nprofile: toy\nvalues: {{{values}}}\n"
        f"grid:\n  at: 0x{AT:04X}\n  rows: {ROWS}\n  columns: {columns}\n  row_stride: {PITCH}\n"
        f"  column_stride: {stride}\n  hidden: [0x{HIDDEN:04X}]\n"
        f"  cell:\n    bits: {bits}\n    order: {order}\n{stated}{more}"
        "    empty: 0x00\n    kinds: {block: 0x01}\n"
        "phases: [{state: playing, phase: playing, when: {state: 1}}]\n"
        "buttons: {left: LEFT, right: RIGHT, start: START}\n"
    )


def made(packing: Packing = (4, "high", 0, 1), columns: int = 5, more: str = "", values: str = "state: 0x10") -> RamMap:
    return parse_map(text_of(packing, columns, more, values), "t")


def cells_of(ram: bytes, start: int, packing: Packing, columns: int) -> list[int]:
    """The twin: a row as one text of binary digits, in the order in which its cells run."""
    bits, order, first, stride = packing
    page = ram[start - OUTSIDE : start + OUTSIDE]
    digits = "".join(f"{byte:08b}" if order == "high" else f"{byte:08b}"[::-1] for byte in page)
    edge = {None: 0, "high": 8 - bits - (first or 0), "low": first or 0}[None if first is None else order]
    places = [8 * OUTSIDE + edge + bits * stride * column for column in range(columns)]
    cells = [digits[place : place + bits] for place in places]
    return [int(cell if order == "high" else cell[::-1], 2) for cell in cells]


@given(st.binary(min_size=0x0300, max_size=0x0300), LAYOUTS, st.integers(1, 12))
def test_cells_are_the_bits_of_the_bytes(head: bytes, packing: Packing, columns: int) -> None:
    ram = head + bytes(2048 - len(head))
    reader = made(packing, columns).reader()
    starts = [AT, AT + PITCH, AT + 2 * PITCH, HIDDEN]
    words = [cells_of(ram, start, packing, columns) for start in starts]
    assert reader.words(ram).tolist() == [words[3], *words[:3]]
    kinds = {0: 0, 1: 1}
    found = [*reader.playfield(ram), *reader.hidden(ram)]
    assert [row.tolist() for row in found] == [[kinds.get(word, 255) for word in row] for row in words]


@given(st.lists(st.integers(0, 1), min_size=4 * 12, max_size=4 * 12), LAYOUTS, st.integers(0, 255))
def test_what_is_written_is_read_and_other_bits_stay(cells: list[int], packing: Packing, before: int) -> None:
    wanted = np.array(cells, dtype=np.uint8).reshape(4, 12)
    ram, ram_map = bytearray([before]) * 2048, made(packing, 12)
    ram_map.encode(ram, {}, wanted[:3], wanted[3:])
    assert ram_map.reader().playfield(bytes(ram)).tolist() == wanted[:3].tolist()
    assert ram_map.reader().hidden(bytes(ram)).tolist() == wanted[3:].tolist()
    own = sum((now ^ before).bit_count() for now in ram)
    assert own == sum(
        (int(cell) ^ word).bit_count()
        for row in wanted
        for cell, word in zip(row, cells_of(bytes([before]) * 2048, AT, packing, 12), strict=True)
    ), "bits of no cell changed"


def test_the_other_half_of_a_byte_is_free_for_a_value() -> None:
    border = f"state: 0x10, border: {{at: 0x{AT:04X}, mask: 0xF0}}"
    assert made((4, "high", 0, 1), values=border).value_names == ("state", "border")
    with pytest.raises(MapError, match=f"grid: the byte 0x{AT:04X} belongs to border as well"):
        made((4, "high", 4, 1), values=border)


def test_masks_flags_and_links_are_of_the_bits_of_a_cell() -> None:
    more = "    mask: 0x03\n    flags: {lit: 0x08}\n"
    ram = bytearray(2048)
    ram[AT] = 0x9D  # 1001, 1101
    found = made((4, "high", None, 1), more=more).reader().playfield(bytes(ram))
    assert found[0, :2].tolist() == [1, 1]
    with pytest.raises(MapError, match="mask: found 0x10, allowed is at most 0x0F where `bits` is 4"):
        made(more="    mask: 0x10\n")
    with pytest.raises(MapError, match="lit: found 0x10, allowed is at most 0x0F"):
        made(more="    flags: {lit: 0x10}\n")


def test_a_link_is_read_and_written_in_a_packed_cell() -> None:
    more = (
        "    mask: 0x01\n    link: {mask: 0x0E, shift: 1, none: 0x00, left: 0x01, right: 0x02, up: 0x03, down: 0x04}\n"
    )
    ram_map, ram = made((4, "low", 0, 1), more=more), bytearray(2048)
    ram_map.encode(ram, {}, np.ones((3, 5), dtype=np.uint8), np.ones((1, 5), dtype=np.uint8))
    sides = np.arange(15, dtype=np.uint8).reshape(3, 5) % 5
    ram_map.reader().grid.encode_links(ram, sides, sides[:1])
    assert ram[AT : AT + 3].hex() == "317509", "the low half first: 1 + 2 * side"
    assert ram_map.reader().links(bytes(ram)).tolist() == sides.tolist()
    assert ram_map.reader().hidden_links(bytes(ram)).tolist() == sides[:1].tolist()
    assert (ram_map.reader().playfield(bytes(ram)) == 1).all()


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("bits: 3", "grid.cell.bits: found 3, allowed is 1, 2 or 4."),
        ("bits: 0x02", "grid.cell.bits: found 0x02, allowed is 1, 2 or 4."),
        ("bits: 2\n    bytes: 1", "found the keys bits, bytes, empty, kinds, allowed is either bytes or bits."),
        ("first: 0", "grid.cell: found the keys empty, first, kinds, allowed is order and first only beside bits."),
        ("bits: 2\n    first: 8", "grid.cell.first: found 8, allowed is a decimal number from 0 to 7."),
        ("bits: 2\n    first: 3", "first: found 3, allowed are 0, 2, 4, 6: the lowest bits of the cells in a byte"),
        ("half_bytes: low", "grid.cell.half_bytes: this key is unknown, it is gone: `bits: 4` says the same"),
        ("bits: 2\n    mask: 0x03\n    shift: 2", "grid.cell.shift: found 2, which shifts every bit of the mask away"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(key: str, sentence: str) -> None:
    text = text_of().replace("bits: 4\n    order: high\n    first: 0", key)
    with pytest.raises(MapError) as refused:
        parse_map(text, "t")
    assert sentence in str(refused.value)


def test_no_cell_is_before_memory() -> None:
    text = text_of((4, "high", 0, -3), 5).replace(f"at: 0x{AT:04X}", "at: 0x0006")
    assert parse_map(text, "t")
    with pytest.raises(MapError, match="column_stride: found -3, by which a cell is before the address 0x0000"):
        parse_map(text.replace("at: 0x0006", "at: 0x0005"), "t")


def test_two_cells_of_a_byte_may_not_be_one() -> None:
    text = text_of((1, "low", 0, 1), 9).replace(f"row_stride: {PITCH}", "row_stride: 1")
    with pytest.raises(MapError, match="two cells share the byte 0x0201"):
        parse_map(text, "t")
