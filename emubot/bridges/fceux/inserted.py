"""The facts of the cartridge in FCEUX, from the bytes that its script shows."""

from __future__ import annotations

from emubot.bridges.fceux.link import FceuxLink
from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts
from emubot.cartridge import SIZE_LIMIT, Cartridge, parse_cartridge
from emubot.cartridge.header import MAGIC, SIZE, read_header
from emubot.errors import RomError
from emubot.machine import FRAME_RATE_NTSC

_TRAINER = 0x04  # in byte 6 of the header; even with a trainer, FCEUX shows PRG directly behind the header


def facts_of(link: FceuxLink) -> BridgeFacts:
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


def _cartridge(link: FceuxLink) -> Cartridge | None:
    """Returns the running cartridge; None if it has no iNES header or was changed after FCEUX hashed it."""
    raw = bytearray(link.cartridge(0, SIZE))
    raw[6] &= ~_TRAINER
    header = read_header(bytes(raw))
    size = header.prg + header.chr
    if not raw.startswith(MAGIC) or size > SIZE_LIMIT:
        return None
    try:
        cartridge = parse_cartridge(bytes(raw) + link.cartridge(SIZE, size), link.rom)
    except RomError:
        return None
    return cartridge if cartridge.md5 == link.md5.upper() else None
