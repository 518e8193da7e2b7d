"""Arrays in a trainer's state, as short texts that come back exactly; knows no method and no file."""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.training.optimiser import stored

_BYTES: Final = 8
_LEVEL: Final = 1  # of compression: most entries are 0 or were never seen, and a state is written often


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
