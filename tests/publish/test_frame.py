"""The binary frame: what is written is read by a decoder made from the layout alone, and comes back as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.publish.frame import SIZES, Frame, decode, encode, most
from tests.publish.layout import read

COUNTS = st.one_of(st.none(), st.integers(0, 1022))


def known_or_not(bits: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(0, 2**bits - 2))


FRAMES = st.builds(
    Frame,
    game=st.integers(0, 2**16 - 1),
    milliseconds=st.integers(0, 2**28 - 1),
    cells=st.binary(min_size=200, max_size=200).map(lambda data: bytes(byte & 3 for byte in data)),
    lines=known_or_not(12),
    level=known_or_not(8),
    score=known_or_not(24),
    following=st.one_of(st.none(), st.integers(0, 6)),
    current=st.one_of(st.none(), st.integers(0, 6)),
    das=known_or_not(5),
    spawn_das=known_or_not(5),
    counts=st.tuples(*[COUNTS] * 7),
    type=st.integers(0, 2),
    player=st.integers(0, 7),
)


@given(FRAMES)
def test_a_frame_comes_back(frame: Frame) -> None:
    data = encode(frame)
    assert len(data) == 73
    assert decode(data) == frame


@given(FRAMES)
def test_another_decoder_reads_the_same(frame: Frame) -> None:
    found = read(encode(frame))
    assert (found["version"], found["type"], found["player"]) == (3, frame.type, frame.player)
    assert (found["game"], found["ms"]) == (frame.game, frame.milliseconds)
    assert (found["lines"], found["level"], found["score"]) == (frame.lines, frame.level, frame.score)
    assert (found["preview"], found["piece"]) == (frame.following, frame.current)
    assert (found["instant_das"], found["piece_das"]) == (frame.das, frame.spawn_das)
    assert tuple(found[letter] for letter in "TJZOSLI") == frame.counts
    assert bytes(found["field"]) == frame.cells


def test_a_frame_byte_by_byte() -> None:
    cells = bytes([1, 2, 3, 0]) + bytes(192) + bytes([0, 3, 2, 1])
    frame = Frame(0x1234, 0xABCDEF1, cells, 0x123, 18, 0x0F4240, 6, 0, 16, 10, (1, 2, 3, 4, 5, 6, None))
    head = bytes.fromhex("68 12 34 AB CD EF 11 23 12 0F 42 40 86 50")
    # 10 bits each: 1 -> 0000000001 and so on; the last one is all ones, and two bits are spare.
    counts = "".join(f"{number:010b}" for number in (1, 2, 3, 4, 5, 6, 1023)) + "00"
    packed = bytes(int(counts[start : start + 8], 2) for start in range(0, 72, 8))
    data = encode(frame)
    assert data[:14] == head
    assert data[14:23] == packed
    assert data[23:] == bytes([0b01101100, *[0] * 48, 0b00111001])


@given(st.sampled_from([1, 2, 3]), st.binary(min_size=73, max_size=73))
def test_all_versions_are_read_as_the_layout_says(version: int, data: bytes) -> None:
    data = (bytes([version << 5 | data[0] & 31]) + data[1:])[: SIZES[version]]
    frame, found = decode(data), read(data)
    assert (frame.lines, frame.level, frame.score) == (found["lines"], found["level"], found["score"])
    assert frame.counts == tuple(found[letter] for letter in "TJZOSLI")
    assert (frame.following, frame.current, frame.das) == (found["preview"], found["piece"], found["instant_das"])
    assert bytes(found["field"]) == frame.cells
    assert frame.is_played == (None not in (found["lines"], found["level"], found["score"]))


def changed(frame: Frame, name: str, value: Any) -> Frame:
    """The frame with another value of that name."""
    return replace(frame, **{name: value})


def test_all_ones_is_not_a_value() -> None:
    bare = Frame(1, 0, bytes(200))
    for name in ("lines", "level", "score", "following", "current", "das", "spawn_das"):
        with pytest.raises(ValueError, match=name):
            encode(changed(bare, name, most(name) + 1))
        assert getattr(decode(encode(changed(bare, name, most(name)))), name) == most(name)
    with pytest.raises(ValueError, match="T is 0 to 1022"):
        encode(Frame(1, 0, bytes(200), counts=(1023,) * 7))


@pytest.mark.parametrize("cells", [bytes(199), bytes(201), bytes(199) + b"\x04"])
def test_a_frame_has_two_hundred_cells_of_two_bits(cells: bytes) -> None:
    with pytest.raises(ValueError, match="200 cells"):
        encode(Frame(1, 0, cells))


@pytest.mark.parametrize("data", [b"", b"\x60", bytes(73), b"\x60" + bytes(71), b"\x60" + bytes(73), b"\x80" * 73])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no frame"):
        decode(data)
