"""A release's timing in the form that kernels take; knows no memory and no search."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emubot.games.tetris.rules import NES_NTSC, Profile
from emubot.jit import Scalar


class ReleaseTiming(NamedTuple):
    """The part of a `Profile` that a frame of play depends on; `gravity` is int64."""

    gravity: NDArray[np.int64]
    das_initial: Scalar
    das_reset: Scalar


@cache
def timing_of(profile: Profile) -> ReleaseTiming:
    """Returns a release's timing for kernels."""
    return ReleaseTiming(np.array(profile.gravity, dtype=np.int64), profile.das_initial, profile.das_reset)


NTSC: Final = timing_of(NES_NTSC)
