"""Joined halves in a map: bits of their own, or the bits of the kind; decoded, written, refused if they are wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import MapError
from emubot.rammap import RamMap, parse_map

NONE, LEFT, RIGHT, UP, DOWN = range(5)
OWN_BITS = """
    mask: 0x0F
    empty: 0x00
    kinds: {color_1: 0x01, target_1: 0x09}
    link: {mask: 0x70, shift: 4, none: 0x00, left: 0x01, right: 0x02, up: 0x03, down: [0x04, 0x05]}
"""
# The kind and the link share bits: 0x4n has its other half below, 0x5n above, 0x6n on the right, 0x7n on the left.
SHARED_BITS = """
    empty: 0xFF
    kinds: {color_1: [0x40, 0x50, 0x60, 0x70, 0x80], target_1: 0xD0}
    link: {mask: 0xF0, shift: 4, none: 0x08, left: 0x07, right: 0x06, up: 0x05, down: 0x04}
"""
NO_LINKS = """
    empty: 0x00
    kinds: {color_1: 0x01, target_1: 0x09}
"""


def made(cell: str, column_stride: int = 1) -> RamMap:
    return parse_map(
        "title: t\nfamily: toy\nprofile: toy\nvalues: {state: 0x10}\n"
        "grid:\n  at: 0x0200\n  rows: 2\n  columns: 2\n  row_stride: 8\n  hidden: [0x0100]\n"
        f"  column_stride: {column_stride}\n"
        f"  cell:{cell}"
        "phases: [{state: playing, phase: playing, when: {state: 1}}]\n"
        "buttons: {left: LEFT, right: RIGHT, start: START}\n",
        "t",
    )


def test_links_of_their_own_bits() -> None:
    reader, ram = made(OWN_BITS).reader(), bytearray(2048)
    ram[0x200:0x202], ram[0x208:0x20A], ram[0x100:0x102] = b"\x21\x11", b"\x49\x51", b"\xf1\x31"
    assert reader.links(bytes(ram)).tolist() == [[RIGHT, LEFT], [DOWN, DOWN]]
    assert reader.hidden_links(bytes(ram)).tolist() == [[NONE, UP]], "a code of no side is none"
    assert reader.playfield(bytes(ram)).tolist() == [[1, 1], [2, 1]]
    assert not reader.links(bytes(ram)).flags.writeable


def test_links_in_the_bits_of_the_kind() -> None:
    reader, ram = made(SHARED_BITS).reader(), bytearray(2048)
    ram[0x200:0x202], ram[0x208:0x20A] = b"\x60\x70", b"\xff\xd0"
    assert reader.links(bytes(ram)).tolist() == [[RIGHT, LEFT], [NONE, NONE]]
    assert reader.playfield(bytes(ram)).tolist() == [[1, 1], [0, 2]]


def test_a_map_without_links_has_none() -> None:
    reader = made(NO_LINKS).reader()
    ram = bytearray(b"\x71" * 2048)
    assert not reader.links(bytes(ram)).any()
    assert not reader.hidden_links(bytes(ram)).any()
    reader.grid.encode_links(ram, np.ones((2, 2), dtype=np.uint8), np.ones((1, 2), dtype=np.uint8))
    assert set(ram) == {0x71}


CELLS = st.lists(
    st.sampled_from([(0, NONE), (2, NONE), (1, NONE), (1, LEFT), (1, RIGHT), (1, UP), (1, DOWN)]),
    min_size=6,
    max_size=6,
)


@pytest.mark.parametrize("cell", [OWN_BITS, SHARED_BITS])
@given(cells=CELLS, noise=st.binary(min_size=2048, max_size=2048))
def test_what_is_written_is_read(cell: str, cells: list[tuple[int, int]], noise: bytes) -> None:
    kinds, links = (np.array(part, dtype=np.uint8).reshape(3, 2) for part in zip(*cells, strict=True))
    reader, ram = made(cell).reader(), bytearray(noise)
    reader.grid.encode(ram, kinds[1:], kinds[:1])
    reader.grid.encode_links(ram, links[1:], links[:1])
    assert np.array_equal(reader.playfield(bytes(ram)), kinds[1:])
    assert np.array_equal(reader.hidden(bytes(ram)), kinds[:1])
    assert np.array_equal(reader.links(bytes(ram)), links[1:])
    assert np.array_equal(reader.hidden_links(bytes(ram)), links[:1])


def test_what_cannot_be_written_is_refused() -> None:
    grid, none = made(OWN_BITS).reader().grid, np.zeros((1, 2), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"links are \(2, 2\) numbers from 0 to 4"):
        grid.encode_links(bytearray(2048), np.full((2, 2), 5, dtype=np.uint8), none)
    with pytest.raises(ValueError, match=r"links are \(2, 2\)"):
        grid.encode_links(bytearray(2048), none, none)


@pytest.mark.parametrize(
    ("written", "instead", "sentence"),
    [
        ("mask: 0x70", "mask: 0x170", "grid.cell.link.mask: found 0x170, allowed is at most 0xFF where `bytes` is 1"),
        ("shift: 4", "shift: 9", "grid.cell.link.shift: found 9, which shifts every bit of the mask away"),
        ("left: 0x01", "left: 0x02", "grid.cell.link.right: code 0x02 already belongs to left"),
        ("left: 0x01", "left: 0x08", "grid.cell.link.left: found 0x08, allowed are codes up to 0x07"),
        ("left: 0x01", "left: learn", "grid.cell.link.left: found no code, links cannot be learnt"),
        (", left: 0x01", "", "grid.cell.link: the key `left` is missing"),
        ("left: 0x01", "lefts: 0x01", "grid.cell.link.lefts: this key is unknown, did you mean left"),
    ],
)
def test_a_wrong_link_is_refused_in_one_sentence(written: str, instead: str, sentence: str) -> None:
    assert written in OWN_BITS
    with pytest.raises(MapError) as refused:
        made(OWN_BITS.replace(written, instead))
    assert f": {sentence}" in str(refused.value)


def test_links_of_more_than_16_bits_are_refused() -> None:
    wide = OWN_BITS.replace("    mask: 0x0F", "    bytes: 4\n    mask: 0x0F").replace(
        "0x70, shift: 4", "0x7FFFF0, shift: 4"
    )
    with pytest.raises(MapError, match=r"link\.mask: this leaves more than 16 bits of code"):
        made(wide, column_stride=4)


def test_links_of_16_bits_are_the_most() -> None:
    wide = OWN_BITS.replace("    mask: 0x0F", "    bytes: 4\n    mask: 0x0F").replace(
        "0x70, shift: 4", "0x0FFFF0, shift: 4"
    )
    reader, ram = made(wide, column_stride=4).reader(), bytearray(2048)
    ram[0x200:0x204] = (0x21).to_bytes(4, "little")
    assert reader.links(bytes(ram))[0, 0] == RIGHT
