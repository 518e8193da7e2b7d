"""Numbers and cells of every layout a map can state survive the way into bytes and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emubot.rammap import parse_map
from emubot.rammap.codec import Scalar, full_mask
from emubot.rammap.layout import Part, Value
from emubot.rammap.strict_yaml import Hex
from tests.rammap.test_toy import TOY

RANGES = {
    "column": (-1, 14),
    "row": (-127, 128),
    "coins": (0, 9999),
    "clock": (0, 9999),
    "speed": (0, 3),
    "paused": (0, 1),
    "blocks": (0, 65_535),
    "state": (0, 255),
    "mode": (0, 255),
    "seed": (0, 65_535),
}


@settings(max_examples=40, deadline=None)
@given(data=st.data(), player=st.integers(0, 1))
def test_the_toys_values_come_back(data: st.DataObject, player: int) -> None:
    toy = parse_map(TOY, "toy")
    noise = data.draw(st.binary(min_size=2048, max_size=2048))
    values = {name: data.draw(st.integers(*limits), label=name) for name, limits in RANGES.items()}
    values["score"] = 10 * data.draw(st.integers(0, 0xFFFFFF), label="score")
    kinds = st.integers(0, 3)
    field = np.array(data.draw(st.lists(kinds, min_size=12, max_size=12)), dtype=np.uint8).reshape(4, 3)
    hidden = np.array(data.draw(st.lists(kinds, min_size=6, max_size=6)), dtype=np.uint8).reshape(2, 3)
    ram = bytearray(noise)
    toy.encode(ram, values, field, hidden, player)
    reader = toy.reader(player)
    assert {name: reader.value(bytes(ram), name) for name in values} == values
    assert np.array_equal(reader.playfield(bytes(ram)), field)
    assert np.array_equal(reader.hidden(bytes(ram)), hidden)
    assert np.array_equal(reader.words(bytes(ram)) & 0xF0FF, reader.words(noise) & 0xF0FF), "other bits stay"
    assert ram[0x26] & 0x73 == noise[0x26] & 0x73, "bits beside the masks stay"


def number_by_hand(part: Part, raw: bytes) -> int:
    """What a part says, without tables."""
    word = int.from_bytes(raw, part.order)
    word = (word if part.mask is None else word & part.mask) >> part.shift
    if part.format == "bcd":
        return sum((word >> 4 * place & 0xF) * 10**place for place in range(2 * part.bytes))
    if part.format == "digits":
        return sum((word >> 8 * place & 0xFF) * 10**place for place in range(part.bytes))
    if part.format == "signed":
        top = ((full_mask(part.bytes) if part.mask is None else part.mask) >> part.shift).bit_length()
        return word - (1 << top) if word >> (top - 1) & 1 else word
    return word


@st.composite
def parts(draw: st.DrawFn) -> dict[str, Any]:
    length = draw(st.integers(1, 4))
    keys: dict[str, Any] = {
        "at": Hex(0x10),
        "bytes": length,
        "format": draw(st.sampled_from(["binary", "signed", "bcd", "digits"])),
        "order": draw(st.sampled_from(["little", "big"])),
    }
    if draw(st.booleans()):
        keys["mask"] = Hex(draw(st.integers(1, full_mask(length))))
        keys["shift"] = draw(st.integers(0, keys["mask"].bit_length() - 1))
    return keys


@settings(max_examples=100, deadline=None)
@given(keys=parts(), raw=st.binary(min_size=4, max_size=4), change=st.tuples(*[st.integers(1, 40)] * 2))
def test_a_number_is_what_a_reading_by_hand_says(keys: dict[str, Any], raw: bytes, change: tuple[int, int]) -> None:
    scale, divide = change
    value = Value.model_validate({**keys, "offset": -7, "scale": scale, "divide": divide})
    scalar = Scalar("it", value, 0, 0)
    ram = bytes(0x10) + raw
    by_hand = (number_by_hand(Part.model_validate(keys), raw[: keys["bytes"]]) - 7) * scale // divide
    assert scalar.decode(ram) == by_hand


@settings(max_examples=100, deadline=None)
@given(keys=parts(), raw=st.binary(min_size=4, max_size=4), number=st.integers(-300, 20_000))
def test_a_number_that_is_accepted_comes_back(keys: dict[str, Any], raw: bytes, number: int) -> None:
    scalar = Scalar("it", Value.model_validate(keys), 0, 0)
    ram = bytearray(0x10) + bytearray(raw)
    before = bytes(ram)
    try:
        scalar.encode(ram, number)
    except ValueError:
        assert bytes(ram) == before, "what is refused writes nothing"
        assume(False)
    assert scalar.decode(bytes(ram)) == number
    value = scalar.decode(before)
    if keys["format"] in {"binary", "signed"} and not keys.get("shift"):
        scalar.encode(ram, value)
        assert scalar.decode(bytes(ram)) == value, "every binary number that can be read can be written"


@pytest.mark.parametrize(("scale", "divide", "offset"), [(3, 2, 0), (2, 3, 5), (10, 1, -4), (1, 16, -16), (7, 9, 1)])
def test_every_number_that_a_scaled_byte_can_say_can_be_written(scale: int, divide: int, offset: int) -> None:
    value = Value.model_validate({"at": Hex(0), "scale": scale, "divide": divide, "offset": offset})
    scalar = Scalar("it", value, 0, 0)
    for byte in range(256):
        number = scalar.decode(bytes([byte]))
        ram = bytearray(1)
        scalar.encode(ram, number)
        assert scalar.decode(bytes(ram)) == number


def test_a_sum_is_taken_apart_from_the_largest_part() -> None:
    keys = {"parts": [{"at": Hex(1), "format": "bcd"}, {"at": Hex(2), "times": 100}]}
    scalar = Scalar("lines", Value.model_validate(keys), 0, 0)
    ram = bytearray(4)
    for number, low, high in ((0, 0, 0), (99, 0x99, 0), (100, 0, 1), (1234, 0x34, 12), (25_599, 0x99, 255)):
        scalar.encode(ram, number)
        assert (ram[1], ram[2]) == (low, high)
        assert scalar.decode(bytes(ram)) == number
    with pytest.raises(ValueError, match="lines cannot hold 25600"):
        scalar.encode(ram, 25_600)


def test_select_keeps_the_order_that_was_asked_for() -> None:
    reader = parse_map(TOY, "toy").reader()
    ram = bytes(range(256)) * 8
    for names in (("state",), ("coins",), ("mode", "state"), ("coins", "state", "row", "mode"), ()):
        assert reader.select(names)(ram) == tuple(reader.value(ram, name) for name in names)
