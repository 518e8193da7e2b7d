"""Which cartridge runs, and at what speed, in the words of emubot and of Nintaco; knows no game."""

from __future__ import annotations

import hashlib

from emubot.bridges.nintaco.machine import Emulator
from emubot.errors import UsageError


def percent(factor: float | None) -> int:
    """A factor on the console's speed as Nintaco's percents; 0 stands for no limit."""
    if factor is None:
        return 0
    if not 0 < factor < float("inf"):
        raise UsageError(f"The emulator's speed must be a number above 0, not {factor}; leave it out for no limit.")
    return max(round(100 * factor), 1)


def identity(client: Emulator) -> str | None:
    """SHA-1 of the cartridge's program and characters, upper case; None where there is no program (disks)."""
    rom = client.read_rom()
    return hashlib.sha1(rom, usedforsecurity=False).hexdigest().upper() if rom else None
