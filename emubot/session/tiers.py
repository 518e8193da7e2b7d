"""Begins a game before its kernels are compiled: they are made by another process meanwhile; opens no bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emubot.session.compiling import can_be_made_apart

if TYPE_CHECKING:
    from emubot.rammap import RamMap
    from emubot.session.readiness import Readiness
    from emubot.session.request import SessionRequest


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
    from emubot.session.readiness import Readiness

    readiness = Readiness(Making.start(ram_map))
    if request.in_own_process:
        from emubot.jit import leave_uncompiled

        leave_uncompiled()
    return readiness
