"""Numbers and cells of every layout a map can state survive the way into bytes and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emubot.rammap import parse_map
from emubot.rammap.codec import Scalar, full_mask
from emubot.rammap.layout import Term, Value
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


def number_by_hand(part: Term, raw: bytes) -> int:
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
    scalar = Scalar("it", value, 0)
    ram = bytes(0x10) + raw
    by_hand = (number_by_hand(Term.model_validate(keys), raw[: keys["bytes"]]) - 7) * scale // divide
    assert scalar.decode(ram) == by_hand


@settings(max_examples=100, deadline=None)
@given(keys=parts(), raw=st.binary(min_size=4, max_size=4), number=st.integers(-300, 20_000))
def test_a_number_that_is_accepted_comes_back(keys: dict[str, Any], raw: bytes, number: int) -> None:
    scalar = Scalar("it", Value.model_validate(keys), 0)
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


SCALES = [(3, 2, 0), (2, 3, 5), (10, 1, -4), (1, 16, -16), (7, 9, 1), (-1, 1, -19), (-3, 2, 4), (-1, 8, -232)]


@pytest.mark.parametrize(("scale", "divide", "offset"), SCALES)
def test_every_number_that_a_scaled_byte_can_say_can_be_written(scale: int, divide: int, offset: int) -> None:
    value = Value.model_validate({"at": Hex(0), "scale": scale, "divide": divide, "offset": offset})
    scalar = Scalar("it", value, 0)
    for byte in range(256):
        number = scalar.decode(bytes([byte]))
        ram = bytearray(1)
        scalar.encode(ram, number)
        assert scalar.decode(bytes(ram)) == number


def test_a_sum_is_taken_apart_from_the_largest_part() -> None:
    keys = {"parts": [{"at": Hex(1), "format": "bcd"}, {"at": Hex(2), "times": 100}]}
    scalar = Scalar("lines", Value.model_validate(keys), 0)
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


def test_a_row_that_counts_upwards_counts_downwards() -> None:
    """The lowest of 20 rows is 1 in memory."""
    scalar = Scalar("y", Value.model_validate({"at": Hex(0), "offset": -20, "scale": -1}), 0)
    assert [scalar.decode(bytes([byte])) for byte in (1, 20, 22)] == [19, 0, -2]
    ram = bytearray(1)
    scalar.encode(ram, 19)
    assert ram[0] == 1
    with pytest.raises(ValueError, match="y cannot hold 21"):
        scalar.encode(ram, 21)


def test_a_difference_of_two_bytes() -> None:
    keys = {"parts": [{"at": Hex(0)}, {"at": Hex(1), "times": -1}]}
    scalar = Scalar("left", Value.model_validate(keys), 0)
    assert scalar.decode(bytes([3, 250])) == -247
    ram = bytearray(2)
    for number in range(-255, 256):
        scalar.encode(ram, number)
        assert ram[0] - ram[1] == scalar.decode(bytes(ram)) == number
    scalar.encode(ram, 200)
    assert tuple(ram) == (200, 0), "what is taken away stays 0 where it can"
    for number in (-256, 256):
        with pytest.raises(ValueError, match=f"left cannot hold {number}"):
            scalar.encode(ram, number)


@settings(max_examples=100, deadline=None)
@given(
    times=st.lists(st.sampled_from([1, -1, 10, -10, 256, -256]), min_size=1, max_size=4, unique=True),
    raw=st.binary(min_size=4, max_size=4),
)
def test_every_sum_with_a_part_of_one_can_be_written(times: list[int], raw: bytes) -> None:
    times = [*times, 1] if not {1, -1} & {*times} else times
    parts = [{"at": Hex(place), "times": factor} for place, factor in enumerate(times)]
    scalar = Scalar("sum", Value.model_validate({"parts": parts}), 0)
    ram = bytearray(raw + b"\0")
    number = scalar.decode(bytes(ram))
    assert number == sum(factor * byte for factor, byte in zip(times, ram, strict=False))
    scalar.encode(ram, number)
    assert scalar.decode(bytes(ram)) == number


CODES = {"0x00": 0, "0x04": 1, "0x08": 2, "0x0C": 3}


def test_a_table_says_what_each_code_means() -> None:
    keys = {"at": Hex(0), "mask": Hex(0x3C), "table": CODES, "otherwise": -5}
    with pytest.raises(ValueError, match="found the keys"):
        Value.model_validate({**keys, "format": "bcd"})
    scalar = Scalar("turn", Value.model_validate(keys), 0)
    for byte in range(256):
        assert scalar.decode(bytes([byte])) == {0x00: 0, 0x04: 1, 0x08: 2, 0x0C: 3}.get(byte & 0x3C, -5)
    ram = bytearray([0xFF])
    scalar.encode(ram, 2)
    assert ram[0] == 0xC3 | 0x08, "bits beside the mask stay"
    for number in (4, -5):
        with pytest.raises(ValueError, match=f"turn cannot hold {number}"):
            scalar.encode(ram, number)
    assert ram[0] == 0xC3 | 0x08


def test_a_table_is_applied_after_the_shift_and_unlisted_codes_are_minus_one() -> None:
    value = Value.model_validate({"at": Hex(0), "mask": Hex(0xF0), "shift": 4, "table": {"0x2": 7, "0xF": 9}})
    scalar = Scalar("piece", value, 0)
    assert [scalar.decode(bytes([byte])) for byte in (0x20, 0x2F, 0xF1, 0x02)] == [7, 7, 9, -1]


@settings(max_examples=50, deadline=None)
@given(
    table=st.dictionaries(st.integers(0, 0xFFFF), st.integers(-99, 99), min_size=1, max_size=6),
    big=st.booleans(),
    change=st.tuples(st.integers(-3, 3).filter(bool), st.integers(-9, 9)),
)
def test_a_table_of_words_comes_back(table: dict[int, int], big: bool, change: tuple[int, int]) -> None:
    """A table is not linear in its bits, so its bytes are read together."""
    scale, offset = change
    keys = {"at": Hex(1), "bytes": 2, "order": "big" if big else "little", "scale": scale, "offset": offset}
    value = Value.model_validate({**keys, "table": {f"0x{code:04X}": number for code, number in table.items()}})
    scalar = Scalar("it", value, 0)
    for code, number in table.items():
        ram = b"\0" + code.to_bytes(2, "big" if big else "little")
        assert scalar.decode(ram) == (number + offset) * scale
        written = bytearray(3)
        scalar.encode(written, (number + offset) * scale)
        assert scalar.decode(bytes(written)) == (number + offset) * scale
        assert written[0] == 0
    unlisted = next(code for code in range(0x10000) if code not in table)
    assert scalar.decode(b"\0" + unlisted.to_bytes(2, "big" if big else "little")) == (offset - 1) * scale


def test_a_sum_may_have_a_table_in_one_part() -> None:
    parts = [{"at": Hex(0), "table": {"0x01": 10, "0x02": 20}}, {"at": Hex(2), "bytes": 2, "table": {"0x0102": -3}}]
    scalar = Scalar("both", Value.model_validate({"parts": [*parts, {"at": Hex(1)}]}), 0)
    assert scalar.decode(bytes([2, 5, 0x02, 0x01])) == 22
    ram = bytearray(4)
    scalar.encode(ram, 15)
    assert scalar.decode(bytes(ram)) == 15
    assert tuple(ram[2:]) == (0x02, 0x01)


@pytest.mark.parametrize("form", ["bcd", "digits"])
@given(number=st.integers(0, 9999))
def test_decimal_digits_in_bytes_that_are_not_neighbours(form: str, number: int) -> None:
    places = (6, 1, 4, 0) if form == "digits" else (5, 2)
    base = 10 if form == "digits" else 100
    parts = [{"at": Hex(at), "format": form, "times": base**place} for place, at in enumerate(places)]
    scalar = Scalar("score", Value.model_validate({"parts": parts}), 0)
    ram = bytearray(b"\xee" * 8)
    scalar.encode(ram, number)
    assert scalar.decode(bytes(ram)) == number
    by_hand = [number // base**place % base for place in range(len(places))]
    assert [ram[at] for at in places] == [digit // 10 * 16 + digit % 10 for digit in by_hand]
    assert [byte for at, byte in enumerate(ram) if at not in places] == [0xEE] * (8 - len(places))
