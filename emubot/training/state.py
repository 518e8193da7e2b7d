"""Values of a trainer's state as JSON and back, exactly: numbers, arrays as short texts, and the random generator.

A method draws from one generator only, whose state (PCG64) is two whole numbers below 2**128. A damaged state is
noticed as it is read, before anything is played.
"""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

_BYTES: Final = 8
_LEVEL: Final = 1  # of compression: most entries are 0 or were never seen, and a state is written often


def stored(numbers: Any, *shape: int | None) -> NDArray[np.float64]:
    """Returns the numbers of a state as an array of that shape; None is any length.

    Raises ValueError if the shape is wrong or a number is not finite: a damaged state is noticed before it is played.
    """
    array = np.array(numbers, dtype=np.float64)
    fits = array.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, array.shape, strict=True))
    if not fits or not np.isfinite(array).all():
        raise ValueError(f"finite numbers of the shape {shape} are stored, not of {array.shape}")
    return array


def stored_count(number: Any) -> int:
    """Returns a count of a state. Raises ValueError if it is not one."""
    if type(number) is not int or number < 0:
        raise ValueError(f"a whole number is stored, not {number!r}")
    return number


def stored_couples(couples: Any, count: int, population: int) -> tuple[tuple[int, int], ...]:
    """Returns `count` couples of a state. Raises ValueError if the number is wrong or an index is out of range."""
    pairs = tuple((stored_count(first), stored_count(other)) for first, other in couples)
    if len(pairs) != count or any(max(couple) >= population or couple[0] == couple[1] for couple in pairs):
        raise ValueError(f"{count} couples of a population of {population} are stored")
    return pairs


def packed_array(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """Returns an array as a JSON value: its shape, and its numbers, little-endian, by zlib and base64."""
    content = zlib.compress(np.ascontiguousarray(numbers, dtype="<f8").tobytes(), _LEVEL)
    return {"shape": list(numbers.shape), "data": base64.b64encode(content).decode("ascii")}


def unpacked_array(stored_form: Mapping[str, Any], *shape: int) -> NDArray[np.float64]:
    """Returns the array that `packed_array` packed. Raises ValueError if it is damaged or has another shape."""
    size = _BYTES * math.prod(shape)
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(base64.b64decode(stored_form["data"], validate=True), size + 1)
    except (binascii.Error, zlib.error) as damaged:
        raise ValueError(f"the numbers of an array are damaged ({damaged})") from None
    if stored_form["shape"] != list(shape) or len(content) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"an array of the shape {shape} is stored, not of {stored_form['shape']}")
    return stored(np.frombuffer(content, dtype="<f8").reshape(shape), *shape)


def generator(seed: int) -> np.random.Generator:
    """Returns a fresh generator; the same seed (0 or more) draws the same numbers."""
    return np.random.Generator(np.random.PCG64(seed))


def dumped(rng: np.random.Generator) -> dict[str, Any]:
    """Returns the generator's whole state as JSON values."""
    return dict(rng.bit_generator.state)


def restored(state: Mapping[str, Any]) -> np.random.Generator:
    """Returns a generator that continues where the dumped one stopped."""
    bits = np.random.PCG64(0)
    bits.state = cast(Any, dict(state))
    return np.random.Generator(bits)
