"""Begins a game before its kernels are compiled, and says how far its bots are from full strength; opens no bridge."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from emubot.session.compiling import can_be_made_apart

if TYPE_CHECKING:
    from emubot.rammap import RamMap
    from emubot.session.making import Making
    from emubot.session.request import SessionRequest

FULL: Final = "full strength"
_SHOWN: Final = 8.0  # seconds that it is said
_NEARLY: Final = 0.8  # of a compilation: the rest takes longer than the start of a process
_POLLED: Final = 0.5  # seconds between two looks at the process that compiles


class Readiness:
    """What is said of a session while its kernels are compiled; its `bots` take the compiled ones over, one by one."""

    def __init__(self, making: Making, clock: Callable[[], float] = time.monotonic) -> None:
        self.bots = 1
        self._making, self._clock = making, clock
        self._full_at: float | None = None
        self._due, self._words = 0.0, ""

    def take_over(self) -> None:
        """One bot more decides by compiled kernels."""
        self.bots -= 1
        if self.bots == 0:
            self._full_at = self._clock()

    def is_compiled(self) -> bool:
        """Returns whether the compiled kernels are there."""
        return self._making.ready

    def is_near(self) -> bool:
        """Returns whether they will be in some seconds, so that a process may begin to start."""
        progress = self._making.progress
        return progress is not None and progress.share >= _NEARLY

    def close(self) -> None:
        """Leave the process that compiles to itself."""
        self._making.close()

    @property
    def words(self) -> str:
        """What to show in this frame; nothing once full strength was shown for some seconds."""
        now = self._clock()
        if self._full_at is not None:
            return FULL if now - self._full_at < _SHOWN else ""
        if now >= self._due:
            self._due, self._words = now + _POLLED, self._said()
        return self._words

    def _said(self) -> str:
        if self._making.is_off:
            return "two pieces deep: nothing is compiled in the background"
        if self._making.failed:
            return "not compiled: the bot thinks less far, and the next start tries again"
        progress = self._making.progress
        return "warming up" if progress is None else progress.words


def begun_at_once(request: SessionRequest, ram_map: RamMap) -> Readiness | None:
    """Begin to compile in another process, if anything has to be compiled.

    Call it before anything of the family is imported that plays: numba decides then whether it compiles here. A search
    with foresight, and one that sees the next piece late, wait for compiled kernels.
    """
    from emubot.games import game
    from emubot.jit.sources import leaves_uncompiled

    late = any(strength.see_next for strength in request.strengths)
    if request.aware or late or not game(ram_map.family).facts.plays_uncompiled:
        return None
    if leaves_uncompiled() or not can_be_made_apart(ram_map):
        return None
    from emubot.session.making import Making

    readiness = Readiness(Making.start(ram_map))
    if request.in_own_process:
        from emubot.jit import leave_uncompiled

        leave_uncompiled()
    return readiness
