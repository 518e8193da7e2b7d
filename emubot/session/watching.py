"""Opens a cartridge and its map to look on: an emulator without pilots that nobody presses; prints nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emubot.errors import EmubotError, UsageError
from emubot.session import emulators
from emubot.session.cartridges import cartridge_of, map_of

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.games.edition import Edition
    from emubot.rammap import RamMap
    from emubot.session.request import SessionRequest


@dataclass(frozen=True, slots=True)
class Stand:
    """A place to look on from: the running emulator and the map.

    `edition` is None if the map's family is not installed or cannot play by the map; `refusal` says why.
    """

    bridge: Bridge
    ram_map: RamMap
    edition: Edition | None
    refusal: str
    memory: Callable[[], bytes]  # the whole memory that the map describes, after the bridge's last frame


def open_stand(request: SessionRequest) -> Stand:
    """Open the emulator and the map of a request. Raises RomError, MapError, BridgeError or UsageError."""
    from emubot.games import open_edition
    from emubot.games.declared import demo_family
    from emubot.rammap import load_map

    if emulators.is_simulated(request):
        if request.rom is not None:
            raise UsageError("The simulated bridge opens no file: leave out --rom, or take --bridge libretro.")
        ram_map = load_map(request.map or demo_family(request.demo).facts.default_map)
        return _stand(emulators.start_emulator(request, open_edition(ram_map), ram_map, None), ram_map)
    cartridge = cartridge_of(request)
    if emulators.runs_elsewhere(request):
        bridge = emulators.attach_emulator(request, cartridge)
        try:
            ram_map = map_of(request, bridge.facts.rom_identity, cartridge)
        except EmubotError:
            bridge.close()
            raise
    elif cartridge is None:
        raise UsageError(f"The bridge {request.bridge} needs a cartridge: name yours with --rom FILE, or a --demo.")
    else:
        ram_map = map_of(request, cartridge.sha1, cartridge)
        bridge = emulators.start_emulator(request, _edition(ram_map)[0], ram_map, cartridge)
    return _stand(bridge, ram_map)


def _stand(bridge: Bridge, ram_map: RamMap) -> Stand:
    """Returns the place to look on from; closes the bridge if it does not show what the map needs."""
    from emubot.bridges.image import image_reader

    try:
        return Stand(
            bridge, ram_map, *_edition(ram_map), image_reader(bridge, ram_map.spaces, ram_map.used, ram_map.clock)
        )
    except UsageError:
        bridge.close()
        raise


def _edition(ram_map: RamMap) -> tuple[Edition | None, str]:
    """Returns the edition of a map; without one its map can be watched all the same, and the text says why."""
    from emubot.games import open_edition

    try:
        return open_edition(ram_map), ""
    except UsageError:
        return None, f"The family {ram_map.family} is not installed: no piece is shown."
    except EmubotError as refused:
        return None, str(refused)
