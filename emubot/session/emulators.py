"""Starts the requested emulator, or finds a running one; knows bridges by their names and options only."""

from __future__ import annotations

import ipaddress
import socket
import time
from typing import TYPE_CHECKING, Any, Final

from emubot.bridges import AS_SET, open_bridge, options_of, stop_awaiting
from emubot.errors import BridgeError, CoreNotFound, EmulatorBusy, EmulatorNotFound, RomError, UsageError
from emubot.machine import FRAME_RATE_PAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from emubot.bridges import Bridge
    from emubot.bridges.protocol import BridgeFacts
    from emubot.cartridge import Cartridge
    from emubot.games.edition import Edition
    from emubot.rammap import RamMap
    from emubot.session.request import SessionRequest

SIMULATED: Final = "simulated"
ATTACHED: Final = ("nintaco", "fceux", "retroarch", "mesen", "bizhawk")  # looked for in this order
OURS: Final = "libretro"
_OTHER_CONSOLES: Final = {"pal": "PAL", "dendy": "Dendy"}  # by region of a cartridge
_PAUSE: Final = 0.5  # seconds between two attempts to find an emulator


def where_of(bridge: str | None, host: str | None, port: int | None) -> dict[str, Any]:
    """Returns the given ones of host and port as a bridge's options. Raises UsageError for a port without a bridge."""
    if bridge is None and port is not None:
        raise UsageError(f"--port needs --bridge: which of {', '.join(ATTACHED)} listens there?")
    return {name: value for name, value in (("host", host), ("port", port)) if value is not None}


def warn_of(host: str | None, say: Callable[[str], None]) -> None:
    """Warn of the risk if the emulator is on another machine."""
    if host is not None and not _is_this_machine(host):
        say(
            f"{host} is not this machine: emulators have no password, and whoever reaches the network between "
            "can read, change and press everything; do it in a network of your own."
        )


def _is_this_machine(host: str) -> bool:
    """Returns whether a host is a loopback address; also true for an unknown name, which fails later."""
    try:
        found = {str(address[0]).partition("%")[0] for *_, address in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        return True
    return all(ipaddress.ip_address(address).is_loopback for address in found)


def modes_of(edition: Edition) -> Mapping[str, int]:
    """Returns the modes that the menus can be asked for: by the map's own names, or else the family's numbers."""
    choice = edition.ram_map.menu_choices.get("mode")
    if choice is None or not choice.names:
        return edition.game.modes
    return {name: number for number, name in enumerate(choice.names) if choice.low <= number <= choice.high}


def plays_versus(edition: Edition) -> bool:
    """Returns whether the cartridge has a game for two, and the map the addresses of both players."""
    return "versus" in modes_of(edition) and edition.ram_map.players > 1


def runs_elsewhere(request: SessionRequest) -> bool:
    """Returns whether a person starts the emulator: it then has its own cartridge and its own window."""
    if request.bridge is None:
        return request.rom is None and request.demo is None
    return request.bridge != SIMULATED and "rom" not in options_of(request.bridge)


def is_simulated(request: SessionRequest) -> bool:
    """Returns whether the simulator plays: as asked for, or a demo that has no cartridge."""
    if request.bridge is not None or request.demo is None:
        return request.bridge == SIMULATED
    from emubot.demos import IMAGES

    return request.demo not in IMAGES


def start_emulator(
    request: SessionRequest, edition: Edition | None, ram_map: RamMap, cartridge: Cartridge | None
) -> Bridge:
    """Start an emulator with the cartridge, in a child process if the bridge and the system support that.

    Starts the simulator if `cartridge` is None, or for a demo if no core is installed; `edition` None has none. Raises
    BridgeError if the emulator fails, UsageError for an option that the bridge does not have.
    """
    if cartridge is None:
        return _simulated(request, edition, ram_map)
    from emubot.session.cartridges import as_listed

    try:
        return start_cartridge(request, as_listed(cartridge, ram_map))
    except CoreNotFound as missing:
        if request.demo is None or request.core is not None or request.bridge is not None:
            raise
        request.say(f"{missing}")
        request.say("playing the demo on the simulator instead (--bridge simulated).")
        return _simulated(request, edition, ram_map)


def start_cartridge(request: SessionRequest, cartridge: Cartridge) -> Bridge:
    """Start an emulator with a cartridge, of which nothing need be known. Raises as `start_emulator` does."""
    name = request.bridge or OURS
    if cartridge.remark:
        request.say(cartridge.remark)
    bridge = _opener(request, name)(name, rom=cartridge, **_given(request, name))
    if cartridge.region in _OTHER_CONSOLES:
        request.say(_told_of_region(cartridge, bridge.facts))
    return bridge


def _told_of_region(cartridge: Cartridge, facts: BridgeFacts) -> str:
    console = f"{cartridge.name} is for {_OTHER_CONSOLES[cartridge.region]} consoles"
    rate = f"{facts.frame_rate:.1f} frames a second"
    if abs(facts.frame_rate - FRAME_RATE_PAL) < 1:
        return f"{console}: it is played at {rate}."
    return f"{console}, which {facts.emulator} is not: it is played at {rate} instead of {FRAME_RATE_PAL:.1f}."


def _opener(request: SessionRequest, name: str) -> Callable[..., Bridge]:
    """Returns the function that opens a bridge, in a child process or in this one."""
    from emubot.bridges.hosted import HOSTED, why_not

    if not request.core_process or name not in HOSTED:
        return open_bridge
    reason = why_not()
    if reason is None:
        from emubot.bridges.hosted import open_hosted

        return open_hosted
    request.say(f"the emulator runs in this process, for {reason}: a core that crashes takes emubot with it.")
    return open_bridge


def attach_emulator(request: SessionRequest, cartridge: Cartridge | None) -> Bridge:
    """Attach to a running emulator: the named one, or else the first that answers within `request.wait` seconds.

    `cartridge` is the cartridge expected there; None accepts any. Raises EmulatorNotFound if none answers in time,
    RomError if another cartridge runs.
    """
    names = ATTACHED if request.bridge is None else (request.bridge,)
    where_of(request.bridge, request.host, request.port)
    warn_of(request.host, request.say)
    bridge = _first_found(request, names)
    identity = bridge.facts.rom_identity
    if cartridge is not None and identity is not None and not _is(cartridge, identity):
        bridge.close()
        raise RomError(
            f"{bridge.facts.emulator} runs another cartridge ({identity}) than {cartridge.name}: open that one there, "
            "or leave out --rom and --demo."
        )
    return bridge


def _is(cartridge: Cartridge, identity: str) -> bool:
    """Returns whether a bridge's identity is that of this cartridge; the header of its file may be another one."""
    from emubot.cartridge import OF_A_FILE, crc32s_of_body

    if identity.startswith(OF_A_FILE):
        return cartridge.crc32 in crc32s_of_body(identity.removeprefix(OF_A_FILE))
    return identity in cartridge.digests


def _first_found(request: SessionRequest, names: tuple[str, ...]) -> Bridge:
    until = time.monotonic() + request.wait
    said: set[str] = set()
    try:
        return _found_until(until, said, request, names)
    finally:
        stop_awaiting()


def _found_until(until: float, said: set[str], request: SessionRequest, names: tuple[str, ...]) -> Bridge:
    while True:
        failures: list[BridgeError | UsageError] = []
        for name in names:
            try:
                return open_bridge(name, **_given(request, name))
            except (BridgeError, UsageError) as failure:
                if len(names) == 1 and not isinstance(failure, EmulatorNotFound):
                    raise
                failures.append(failure)
        if time.monotonic() >= until:
            raise _nobody(failures)
        for found in failures:  # an emulator that answers and cannot be used is reported at once, and once only
            if isinstance(found, EmulatorBusy) or not isinstance(found, EmulatorNotFound | UsageError):
                _say_once(str(found), said, request)
        _say_once(f"waiting {request.wait:g} s for an emulator ({', '.join(names)}); Ctrl-C ends it.", said, request)
        time.sleep(_PAUSE)


def _say_once(sentence: str, said: set[str], request: SessionRequest) -> None:
    if sentence not in said:
        said.add(sentence)
        request.say(sentence)


def _nobody(failures: list[BridgeError | UsageError]) -> BridgeError | UsageError:
    """Returns the error to raise: the most informative one of several failures."""
    of_usage = [failure for failure in failures if isinstance(failure, UsageError)]
    if len(failures) == 1 or len(of_usage) == len(failures):
        return failures[0]
    said = " ".join(str(failure) for failure in failures)
    return EmulatorNotFound(f"No emulator was found. {said} Or name a cartridge with --rom FILE, or take a --demo.")


def _given(request: SessionRequest, name: str) -> dict[str, Any]:
    """Returns the options that were given. Raises UsageError for one that the bridge does not have."""
    options = where_of(name, request.host, request.port)
    if request.core is not None:
        options["core"] = request.core
    if request.emu_speed != AS_SET:
        options["emu_speed"] = request.emu_speed
    known = options_of(name)
    for option in options:
        if option not in known:
            raise UsageError(f"The bridge {name} has no --{option.replace('_', '-')}: leave it out.")
    return options


def _simulated(request: SessionRequest, edition: Edition | None, ram_map: RamMap) -> Bridge:
    import numpy as np

    from emubot.games.edition import part_of

    if edition is None:
        raise UsageError(f"There is no family {ram_map.family!r}, and so no simulator: name a cartridge with --rom.")
    options = _given(request, SIMULATED)
    even = request.against_itself and not plays_versus(edition)
    simulator = part_of(edition, "simulator", edition.simulator, "a simulator (--bridge simulated)")
    machine = simulator.machine(np.random.default_rng(request.seed), even)
    return open_bridge(SIMULATED, machine=machine, **{"emu_speed": 1.0, **options})
