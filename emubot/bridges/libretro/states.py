"""Wraps save states with their owner and a checksum, so that a core never loads a damaged or foreign one.

This is needed because cores check little: FCEUmm accepts random bytes.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import asdict, dataclass

from emubot.errors import StateError

_MAGIC = b"EMUSTATE"
_LEAD = struct.Struct("<8sIH")  # magic, CRC-32 of all bytes behind it, length of the JSON header
_CHECKED_FROM = 12


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a state: a core by name and version, and a cartridge by its SHA-1."""

    core: str
    version: str
    rom: str


def wrap(state: bytes, owner: Owner) -> bytes:
    """Returns the state with its owner, length and checksum in front."""
    header = json.dumps({**asdict(owner), "length": len(state)}).encode()
    checked = struct.pack("<H", len(header)) + header + state
    return _MAGIC + struct.pack("<I", zlib.crc32(checked)) + checked


def unwrap(wrapped: bytes, owner: Owner) -> bytes:
    """Returns the state inside; raises StateError if it is damaged or does not belong to `owner`."""
    if len(wrapped) < _LEAD.size or not wrapped.startswith(_MAGIC):
        raise StateError("These bytes are not a save state of emubot: load only what save() gave.")
    _, checksum, length = _LEAD.unpack_from(wrapped)
    state = wrapped[_LEAD.size + length :]
    try:
        header = json.loads(wrapped[_LEAD.size : _LEAD.size + length])
        maker = Owner(header["core"], header["version"], header["rom"])
        whole = zlib.crc32(wrapped[_CHECKED_FROM:]) == checksum and header["length"] == len(state)
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise StateError("The save state is damaged (its checksum or length differs): make a new one.")
    if maker.rom != owner.rom:
        raise StateError(
            f"The save state belongs to another cartridge: its SHA-1 is {maker.rom}, that of this one {owner.rom}."
        )
    if maker != owner:
        raise StateError(
            f"The save state was made by {maker.core} {maker.version} and this is {owner.core} {owner.version}: "
            "no core reads another's states."
        )
    return state
