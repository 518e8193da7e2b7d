"""Skips the frames of a row in which nothing changes any more; a part of taps.py and das.py."""

from __future__ import annotations

from emubot.jit import Scalar, inlined


@inlined
def idle_frames(fall_timer: Scalar, wait: Scalar, gravity: Scalar) -> tuple[Scalar, Scalar]:
    """Returns the frames until the one before the row's drop, and the fall timer then; `wait` is as in Begin."""
    fall_timer = (fall_timer + wait) & 0xFF
    idle = max(gravity - 1 - fall_timer, 0)
    return wait + idle, fall_timer + idle
