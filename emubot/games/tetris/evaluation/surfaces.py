"""How well pieces lock on a surface without a hole: facts about its height steps; knows no table of values.

A surface is a run of columns, seen as the steps of height from each column to the next, each cut to -3..3.
"""

from __future__ import annotations

import lzma
from functools import cache
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from emubot.datafiles import shipped
from emubot.errors import WeightsError

STEEPEST: Final = 3
STEP_VALUES: Final = 2 * STEEPEST + 1
WHOLE_STEPS: Final = 8  # of the surface of all columns but the last
QUALITIES: Final = 32
_FILE: Final = "nes_tetris_surfaces.xz"
# The ways in which a piece locks without a hole: the steps it needs, and the cells it adds to each column. I waits for
# the well, so it is not among them.
LOCKS: Final = {
    "O": (((0,), (2, 2)),),
    "S": (((0, 1), (1, 2, 1)), ((-1,), (2, 2))),
    "Z": (((-1, 0), (1, 2, 1)), ((1,), (2, 2))),
    "T": (((0, 0), (1, 2, 1)), ((1,), (3, 1)), ((-1,), (1, 3)), ((-1, 1), (1, 2, 1))),
    "L": (((0, 0), (1, 1, 2)), ((0,), (3, 1)), ((-2,), (1, 3)), ((1, 0), (2, 1, 1))),
    "J": (((0, 0), (2, 1, 1)), ((0,), (1, 3)), ((2,), (3, 1)), ((0, -1), (1, 1, 2))),
}


def fitting_pieces(steps: int) -> NDArray[np.int64]:
    """Returns the set of pieces that lock somewhere without a hole, a bit each, by the code of a surface.

    int64 (STEP_VALUES**steps,); the code has the leftmost step as its highest digit, each digit from 0.
    """
    fitting = np.zeros(STEP_VALUES**steps, dtype=np.int64)
    surfaces = np.indices((STEP_VALUES,) * steps).reshape(steps, -1).T - STEEPEST
    for bit, ways in enumerate(LOCKS.values()):
        for needed in (needed for needed, _ in ways if len(needed) <= steps):
            parts = sliding_window_view(surfaces, len(needed), axis=1)
            fitting |= (parts == needed).all(axis=2).any(axis=1).astype(np.int64) << bit
    return fitting


@cache
def surface_qualities() -> NDArray[np.uint8]:
    """Returns how long random pieces lock without a hole, from 0 to QUALITIES - 1, by the code of a whole surface.

    uint8 (STEP_VALUES**WHOLE_STEPS,). benchmarks/surfaces.py makes the file. Raises WeightsError if it cannot be read.
    """
    path = shipped("weights") / _FILE
    try:
        content = lzma.decompress(path.read_bytes())
    except (OSError, lzma.LZMAError) as failure:
        raise WeightsError(f"{path} cannot be read ({failure}): install emubot anew.") from None
    qualities = np.frombuffer(content, dtype=np.uint8)
    if len(qualities) != STEP_VALUES**WHOLE_STEPS or qualities.max() >= QUALITIES:
        raise WeightsError(f"{path} is not the file of surfaces that this emubot reads: install emubot anew.")
    return qualities
