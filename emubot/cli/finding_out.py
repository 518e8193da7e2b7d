"""`play --discover`: finds out how the cartridge works if no map knows it, and keeps the map; plays nothing itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from emubot.errors import UsageError

if TYPE_CHECKING:
    from emubot.session.request import SessionRequest


def find_out_first(request: SessionRequest, quiet: bool) -> Path | None:
    """Find out how the cartridge of a request works, and keep its map; None if a map knows it already.

    Raises as `session.finding_out.find_out` does, StorageError if the map cannot be kept, and UsageError if the request
    has no file, or names a map.
    """
    from emubot.session.cartridges import cartridge_of
    from emubot.session.emulators import is_simulated

    if request.map is not None:
        raise UsageError(f"--map {request.map} says how the cartridge works: leave out --discover, or --map.")
    if is_simulated(request):
        request.say("this game is known already: --discover has nothing to find out.")
        return None
    cartridge = cartridge_of(request)
    if cartridge is None:
        raise UsageError("--discover needs the cartridge's file: add --rom FILE.")
    from emubot.cli.compiling import compile_kernels
    from emubot.rammap import map_listing
    from emubot.session import finding_out

    if (known := map_listing(cartridge)) is not None:
        request.say(f"{cartridge.name} is known already, by the map {known.name}: --discover has nothing to find out.")
        return None
    finding_out.check_own_folder()
    found = finding_out.find_out(request, cartridge, lambda edition: compile_kernels(edition, quiet))
    path = finding_out.keep(found.text, finding_out.title_of(request, cartridge))
    if found.left_open:
        request.say(f"left open: {'; '.join(found.left_open)}.")
    request.say(f"kept what was found as {path}: from now on emubot knows {cartridge.name}.")
    return path
