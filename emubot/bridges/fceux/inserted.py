"""The facts of the cartridge in FCEUX, from the bytes that its script shows; knows no game."""

from __future__ import annotations

from emubot.bridges.fceux.link import Link
from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts
from emubot.cartridge import SIZE_LIMIT, Cartridge, parse_cartridge
from emubot.errors import RomError
from emubot.machine import FRAME_RATE_NTSC

_HEADER = 16
_TRAINER = 0x04  # in byte 6 of the header; even with a trainer, FCEUX shows PRG directly behind the header
_PRG_UNIT, _CHR_UNIT = 0x4000, 0x2000


def facts_of(link: Link) -> BridgeFacts:
    """Returns the bridge's facts for the running cartridge.

    FCEUX hashes PRG and CHR as our maps do, but only with MD5. The SHA-1 comes from the bytes, if their MD5 agrees.
    """
    cartridge = _cartridge(link)
    spaces = {"ram": (0, RAM_SIZE)}
    if cartridge is not None and cartridge.mapper != 0:  # mapper 0 (NROM) has no RAM there
        spaces["wram"] = WRAM
    return BridgeFacts(
        name="fceux",
        emulator="FCEUX",
        latency=0,
        frame_rate=FRAME_RATE_NTSC,
        lock_step=True,
        save_states=False,
        spaces=spaces,
        rom_identity=link.md5.upper() if cartridge is None else cartridge.sha1,
    )


def _cartridge(link: Link) -> Cartridge | None:
    """Returns the running cartridge; None if it has no iNES header or was changed after FCEUX hashed it."""
    header = bytearray(link.cartridge(0, _HEADER))
    header[6] &= ~_TRAINER
    nes2 = header[7] & 0x0C == 0x08
    prg = (header[4] | (header[9] & 0x0F) << 8 if nes2 else header[4]) * _PRG_UNIT
    chr_ = (header[5] | (header[9] >> 4) << 8 if nes2 else header[5]) * _CHR_UNIT
    if header[:4] != b"NES\x1a" or prg + chr_ > SIZE_LIMIT:
        return None
    try:
        found = parse_cartridge(bytes(header) + link.cartridge(_HEADER, prg + chr_), link.rom)
    except RomError:
        return None
    return found if found.md5 == link.md5.upper() else None
