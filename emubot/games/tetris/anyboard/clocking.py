"""How pieces fall and lock by a map's timing and what memory says now; moves nothing and knows no address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from emubot.games.motion import Clock, Fall
from emubot.games.tetris.decode.value_names import FRACTION, HELD, HOLD_USED, LOCK_TIMER, TIMER


class Ticking(NamedTuple):
    """A fine clock, and where it stands: (fraction, frames at rest that are left)."""

    clock: Clock
    state: tuple[int, int]


def values_of(timing: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the values that hold what a map's timing does not state as a number."""
    named = (timing.get("gravity_value"), timing.get("velocity", {}).get("value"))
    return (FRACTION, LOCK_TIMER, HELD, HOLD_USED, *(name for name in named if name is not None))


def is_fine(timing: Mapping[str, Any]) -> bool:
    """Returns whether a map's timing says more than frames per row by level."""
    return any(key in timing for key in ("gravity_value", "velocity", "lock_delay"))


def fall_of(timing: Mapping[str, Any], counters: Mapping[str, int]) -> Fall | None:
    """Returns the frames per row at this moment; None if the map or memory does not say."""
    frames = _by_level(timing.get("gravity", ()), counters)
    if "gravity_value" in timing:
        frames = counters.get(timing["gravity_value"], 0)
    return Fall(frames, timing.get("soft_drop", 0)) if frames > 0 else None


def ticking_of(timing: Mapping[str, Any], counters: Mapping[str, int]) -> Ticking | None:
    """Returns the fine clock at this moment.

    None if frames per row say it all, or if the map lacks a value that counts, so that nothing can be planned.
    """
    delay, fall = timing.get("lock_delay", 0), fall_of(timing, counters)
    left = min(max(counters.get(LOCK_TIMER, 0), 1), max(delay, 1))
    restores = timing.get("lock_restore") == "moves"
    if delay and LOCK_TIMER not in counters:
        return None
    if "velocity" in timing:
        given, unit = timing["velocity"], timing["velocity"]["unit"]
        velocity = counters.get(given.get("value"), 0) if "value" in given else _by_level(given["table"], counters)
        if FRACTION not in counters:
            return None
        clock = Clock(max(velocity, 0), unit, given["soft_drop"], 0, delay, restores)
        return Ticking(clock, (min(max(counters[FRACTION], 0), unit - 1), left))
    if not delay or fall is None or TIMER not in counters:
        return None
    clock = Clock(1, fall.gravity, 0, fall.soft_drop, delay, restores)
    return Ticking(clock, (fall.gravity - max(counters[TIMER], 1), left))


def restarted(timing: Mapping[str, Any], counters: Mapping[str, int]) -> dict[str, int]:
    """Returns the counters of a piece that has just entered, of those that the map has."""
    fall = fall_of(timing, counters)
    fresh = {FRACTION: 0, LOCK_TIMER: timing.get("lock_delay", 0), TIMER: 0 if fall is None else fall.gravity}
    return {name: number for name, number in fresh.items() if name in counters}


def _by_level(table: Any, counters: Mapping[str, int]) -> int:
    return int(table[min(max(counters.get("level", 0), 0), len(table) - 1)]) if table else 0
