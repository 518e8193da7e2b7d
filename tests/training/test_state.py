"""Arrays of a state: what goes in comes out, to the last bit; what is damaged is refused."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.training.state import packed_array, unpacked_array


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=40))
def test_numbers_come_back_to_the_last_bit(numbers: list[float]) -> None:
    array = np.array([numbers, numbers[::-1]])
    found = unpacked_array(json.loads(json.dumps(packed_array(array))), *array.shape)
    assert found.tobytes() == array.tobytes()
    found[0, 0] = 1.0  # learning goes on in it


def test_what_was_never_seen_takes_no_room() -> None:
    assert len(packed_array(np.zeros((3, 150_000)))["data"]) < 25_000


def document(content: bytes, *shape: int) -> dict[str, Any]:
    return {"shape": list(shape), "data": base64.b64encode(content).decode()}


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (document(zlib.compress(bytes(8)), 2), "of the shape"),
        (document(zlib.compress(bytes(16)), 3), "of the shape"),
        (document(zlib.compress(bytes(24)), 2), "of the shape"),
        (document(zlib.compress(bytes(10_000_000)), 2), "of the shape"),
        (document(zlib.compress(bytes(16))[:-3], 2), "of the shape"),
        (document(zlib.compress(bytes(16)) + b"more", 2), "of the shape"),
        (document(b"not compressed", 2), "are damaged"),
        ({"shape": [2], "data": "not base64!"}, "are damaged"),
        (document(zlib.compress(np.array([1.0, np.nan]).tobytes()), 2), "finite numbers"),
    ],
)
def test_what_is_damaged_is_refused(damaged: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        unpacked_array(damaged, 2)
