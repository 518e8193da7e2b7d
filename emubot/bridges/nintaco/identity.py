"""Converts a cartridge's identity and a speed between emubot's and Nintaco's forms; knows no game."""

from __future__ import annotations

import hashlib

from emubot.bridges.nintaco.api.machine import Emulator
from emubot.errors import UsageError


def percent(factor: float | None) -> int:
    """Returns a factor on the console's speed as Nintaco's percentage; 0 means no limit. Raises UsageError."""
    if factor is None:
        return 0
    if not 0 < factor < float("inf"):
        raise UsageError(f"The emulator's speed must be a number above 0, not {factor}; leave it out for no limit.")
    return max(round(100 * factor), 1)


def identity(client: Emulator) -> str | None:
    """Returns the SHA-1 of the cartridge's PRG and CHR in upper case; None if there is no PRG (disks)."""
    rom = client.read_rom()
    return hashlib.sha1(rom, usedforsecurity=False).hexdigest().upper() if rom else None
