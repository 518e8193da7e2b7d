"""The format .r08, which TAStm32 plays on a console: two bytes for each time that a game reads its pads.

Source of the format: `python/r08.py` (a byte of port 1, then one of port 2), `Inc/snes.h` and `Src/stm32f4xx_it.c` (A
is the highest bit and the first one sent) of TAStm32, commit 88f1de78. These are the bits of Pad.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.movies.pads import check_pads, without_first


def r08(pads: NDArray[Any], skip: int = 0) -> bytes:
    """Returns one latch for each frame but the first `skip` ones, in which the cartridge does not read its pads yet.

    `pads` (frames, 2) uint8 are the Pad bits of both ports in each frame from power-on. Raises UsageError if they have
    another shape, or one of the first frames has a button, or no frame is left.
    """
    check_pads(pads)
    if skip and skip >= len(pads):
        raise UsageError(f"The game has {len(pads)} frames, so the first {skip} cannot be left out.")
    return without_first(pads, skip, f"the first {skip} are to be left out: choose a smaller --skip").tobytes()
