"""Numbers packed into a text: what goes in comes out, to the unit; what is damaged is refused."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from emubot.packed import Packed, packed


@given(st.lists(st.integers(-32_767, 32_767), min_size=1, max_size=50), st.sampled_from([1.0, 0.02, 0.5]))
def test_whole_units_come_back_as_they_were(units: list[int], unit: float) -> None:
    numbers = np.array(units) * unit
    told = packed(numbers, unit)
    assert told.count == len(units)
    assert told.numbers.dtype == np.float32
    np.testing.assert_allclose(told.numbers, numbers, rtol=1e-6)
    assert Packed.model_validate_json(told.model_dump_json()).numbers.tolist() == told.numbers.tolist()


def test_between_units_the_nearest_counts() -> None:
    assert packed(np.array([0.26, -0.26, 0.0]), 0.5).numbers.tolist() == [0.5, -0.5, 0.0]


@pytest.mark.parametrize("number", [16_384.0, -16_384.0, np.inf, np.nan])
def test_a_number_that_does_not_fit_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="do not fit units of"):
        packed(np.array([1.0, number]), 0.5)


def document(count: int, content: bytes) -> dict[str, object]:
    return {"count": count, "unit": 1.0, "data": base64.b64encode(content).decode()}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (document(2, zlib.compress(bytes(2))), "the data do not hold 2 numbers"),
        (document(2, zlib.compress(bytes(6))), "the data do not hold 2 numbers"),
        (document(2, zlib.compress(bytes(4))[:-3]), "the data do not hold 2 numbers"),
        (document(2, zlib.compress(bytes(4)) + b"more"), "the data do not hold 2 numbers"),
        (document(2, b"not compressed"), "the data are damaged"),
        ({"count": 2, "unit": 1.0, "data": "not base64!"}, "the data are damaged"),
        (document(2, zlib.compress(bytes(10_000_000))), "the data do not hold 2 numbers"),
        (document(0, zlib.compress(b"")), "greater than or equal to 1"),
        ({"count": 1, "unit": 0.0, "data": ""}, "greater than 0"),
    ],
)
def test_what_is_damaged_is_refused(told: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Packed.model_validate(told)


def test_the_same_text_is_equal_before_and_after_it_was_unpacked() -> None:
    one, other = packed(np.arange(9.0), 1.0), packed(np.arange(9.0), 1.0)
    assert one.numbers.tolist() == other.numbers.tolist()
    assert one == other
    assert hash(one) == hash(packed(np.arange(9.0), 1.0))
    assert one != packed(np.arange(9.0), 0.5)
