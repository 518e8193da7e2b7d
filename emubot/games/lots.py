"""A random generator of a few words that kernels keep in an array, one for each of many games; knows no game.

Xorshift with 128 bits (Marsaglia: Xorshift RNGs, 2003): shifts and xors of 32-bit words, so that compiled code and
plain Python compute the same. numpy's generators are objects, and a kernel that steps many games can take only arrays.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.jit import Scalar, inlined

LOTS: Final = 4  # words of a generator
_WORD: Final = 0xFFFFFFFF


def fresh_lots(seed: int) -> NDArray[np.int64]:
    """Returns a generator, int64 (LOTS,), for a seed of 0 or more."""
    words = np.random.SeedSequence(seed).generate_state(LOTS, np.uint32).astype(np.int64)
    words[0] |= not words.any()  # the only state that the generator never leaves
    return words


@inlined
def draw(lots: NDArray[np.int64], numbers: Scalar) -> Scalar:
    """Returns one of `numbers` numbers from 0 on, each as likely as the others to within `numbers` in 2**32."""
    mixed = lots[0] ^ (lots[0] << 11 & _WORD)
    lots[0], lots[1], lots[2] = lots[1], lots[2], lots[3]
    lots[3] = lots[3] ^ lots[3] >> 19 ^ mixed ^ mixed >> 8
    return lots[3] * numbers >> 32
