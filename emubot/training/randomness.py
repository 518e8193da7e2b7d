"""The only random generator of a training method, and its state as JSON; knows no method.

PCG64's state is two whole numbers below 2**128. JSON stores them exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np


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
