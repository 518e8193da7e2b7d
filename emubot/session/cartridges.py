"""The cartridge and the address map that a request means; opens no emulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emubot.errors import MapError

if TYPE_CHECKING:
    from emubot.cartridge import Cartridge
    from emubot.rammap import RamMap
    from emubot.session.request import SessionRequest


def cartridge_of(request: SessionRequest) -> Cartridge | None:
    """Returns the cartridge of `rom` or `demo`, None if the request names neither. Raises RomError."""
    from emubot.cartridge import load_cartridge
    from emubot.demos import image

    return load_cartridge(request.rom or image(request.demo or "")) if request.rom or request.demo else None


def as_listed(cartridge: Cartridge, ram_map: RamMap) -> Cartridge:
    """Returns the cartridge with the header that it should have by the map, if the map lists it; see its `remark`."""
    for known in ram_map.identities:
        if known.sha1 == cartridge.sha1:
            return cartridge.mended(known.mapper, known.prg, known.mirroring, known.region)
    return cartridge


def map_of(request: SessionRequest, identity: str | None, cartridge: Cartridge | None) -> RamMap:
    """Returns the named map, or the one that lists the cartridge. Raises MapError or RomError if there is none.

    `identity` is what a bridge reports, for an emulator that runs a cartridge of its own.
    """
    from emubot.rammap import load_map, map_for, map_for_identity

    if request.map:
        named = load_map(request.map)
        sha1 = identity if cartridge is None else cartridge.sha1
        try:
            return map_for_identity(sha1, [named])  # applies that cartridge's overrides
        except MapError:
            return named
    return map_for_identity(identity) if cartridge is None else map_for(cartridge)
