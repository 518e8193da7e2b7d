"""The facts of the cartridge in an emulator, from the bytes that its script shows."""

from __future__ import annotations

import hashlib

from emubot.bridges.protocol import RAM_SIZE, WRAM, BridgeFacts
from emubot.bridges.scripted.link import ScriptLink
from emubot.cartridge import SIZE_LIMIT, Cartridge, parse_cartridge
from emubot.cartridge.header import MAGIC, SIZE, read_header
from emubot.errors import RomError
from emubot.machine import FRAME_RATE_NTSC

_TRAINER = 0x04  # in byte 6 of the header; even with a trainer, FCEUX shows PRG directly behind the header


def facts_of(link: ScriptLink) -> BridgeFacts:
    """Returns the bridge's facts for the running cartridge; `rom_identity` is None if its bytes are not to be had."""
    identity, wram = _of_a_file(link) if "md5" in link.said else _of_its_parts(link)
    return BridgeFacts(
        name=link.host.name,
        emulator=link.host.emulator,
        latency=0,
        frame_rate=FRAME_RATE_NTSC,
        lock_step=True,
        save_states=False,
        spaces={"ram": (0, RAM_SIZE), **({"wram": WRAM} if wram else {})},
        rom_identity=identity,
    )


def _of_a_file(link: ScriptLink) -> tuple[str, bool]:
    """Returns the identity, and whether there is RAM at $6000, where the script shows the file with its header.

    FCEUX hashes PRG and CHR as our maps do, but only with MD5. The SHA-1 comes from the bytes, if their MD5 agrees.
    """
    cartridge = _cartridge(link)
    if cartridge is None:
        return link.said["md5"].upper(), False
    return cartridge.sha1, cartridge.mapper != 0  # mapper 0 (NROM) has no RAM there


def _of_its_parts(link: ScriptLink) -> tuple[str | None, bool]:
    """Returns the same where the script shows PRG and CHR one after the other, and says how large they are."""
    try:
        prg, chr_size = int(link.said["prg"]), int(link.said["chr"])
    except ValueError:
        prg = chr_size = 0
    wram = link.said.get("wram") == "1"
    if not 0 < prg + chr_size <= SIZE_LIMIT or min(prg, chr_size) < 0:
        return None, wram
    body = link.cartridge(0, prg + chr_size)
    return hashlib.sha1(body, usedforsecurity=False).hexdigest().upper(), wram


def _cartridge(link: ScriptLink) -> Cartridge | None:
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
    return cartridge if cartridge.md5 == link.said["md5"].upper() else None
