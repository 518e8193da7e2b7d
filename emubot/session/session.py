"""Opens a session from a request: cartridge, map, bridges, seats; parses no options and prints nothing."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from emubot.errors import UsageError
from emubot.session import emulators
from emubot.session.compiling import is_compiled
from emubot.session.request import say_nothing
from emubot.session.seating import Seat, bots_of, consoles, menu_choices, refuse_early, seats_of

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.cartridge import Cartridge
    from emubot.games.edition import Edition
    from emubot.pilot import Goal, Match, Pilot
    from emubot.rammap import RamMap
    from emubot.session.compiling import Compile
    from emubot.session.readiness import Readiness
    from emubot.session.request import SessionRequest
    from emubot.session.seating import Bot


@dataclass(slots=True)
class Session:
    """Everything that pilots need, opened. Call `close` at the end."""

    edition: Edition
    bridges: list[Bridge]
    seats: list[Seat]
    menu_choices: dict[str, int]
    waited: int  # frames in the menus before the first button
    readiness: Readiness | None = None  # while its kernels are compiled

    @property
    def title(self) -> str:
        """The cartridge's name as its map lists it, or the map's own title."""
        return self.edition.ram_map.cartridge

    def about(self, seat: Seat) -> dict[str, Any]:
        """Returns what a recording says about its origin: version, game, map, bridge, cartridge and so on."""
        from emubot.version import __version__

        facts = seat.bridge.facts
        return {
            "emubot": __version__,
            "game": self.edition.game.name,
            "map": self.edition.ram_map.name,
            "bridge": facts.name,
            "core": facts.emulator,
            "frame_rate": round(facts.frame_rate, 4),
            "rom": facts.rom_identity,
            "taps": seat.skill.tempo.name,
            "player": seat.port,
            "rng": seat.rng,
            "asked": self.menu_choices,
        }

    def goal(self, pieces: int | None, games: int | None) -> Goal:
        """Returns a goal with these limits and the session's menu choices."""
        from emubot.pilot import Goal

        return Goal(pieces, games, self.menu_choices, self.waited)

    def pilot(self, seat: Seat, goal: Goal) -> Pilot:
        """Returns a new pilot for this seat."""
        from emubot.pilot import Pilot

        made = Pilot(seat.bridge, goal, self.edition, seat.skill, seat.mind, port=seat.port, leads=seat.leads)
        made.outside.serves = seat.serves
        if seat.person is not None:
            made.outside.person = self.edition.decoder(seat.person)
            if not seat.serves:
                made.outside.leave(seat.person)
        return made

    def use(self, edition: Edition) -> None:
        """Play this edition from now on, such as that of a map which has been learnt."""
        self.edition = edition
        self.seats = [replace(seat, mind=seat.mind.another(edition, seat.skill)) for seat in self.seats]

    def match(self, pieces: int | None, games: int | None) -> Match:
        """Returns a match with a pilot on every seat; each plays this number of pieces or games (None: no limit)."""
        from emubot.pilot import Match

        shared = len(self.seats) > len(self.bridges)
        goal = self.goal(None if shared else pieces, games)
        return Match([self.pilot(seat, goal) for seat in self.seats], pieces if shared else None)

    def close(self) -> None:
        """Close every bridge, and end what plans in other processes."""
        with contextlib.ExitStack() as stack:
            for seat in self.seats:
                stack.callback(seat.mind.close)
            if self.readiness is not None:
                stack.callback(self.readiness.close)
            for bridge in self.bridges:
                stack.callback(bridge.close)


def open_session(request: SessionRequest) -> Session:
    """Open the session of a request. Raises RomError, MapError, WeightsError, BridgeError or UsageError."""
    from emubot.games.declared import demo_family
    from emubot.rammap import load_map

    if emulators.is_simulated(request):
        if request.rom is not None:
            raise UsageError("The simulated bridge opens no file: leave out --rom, or take --bridge libretro.")
        ram_map = load_map(request.map or demo_family(request.demo).facts.default_map)
        return _on_our_own(request, ram_map, None)
    from emubot.session.cartridges import cartridge_of, map_of

    cartridge = cartridge_of(request)
    if emulators.runs_elsewhere(request):
        return _on_running_emulator(request, emulators.attach_emulator(request, cartridge), cartridge)
    if cartridge is None:
        raise UsageError(f"The bridge {request.bridge} needs a cartridge: name yours with --rom FILE, or a --demo.")
    return _on_our_own(request, map_of(request, cartridge.sha1, cartridge), cartridge)


def reopened_if_cold(opened: Session, request: SessionRequest, compile_kernels: Compile) -> Session:
    """Returns the session, attached again after the compilation if that is needed on a running emulator.

    A running emulator does not stop while kernels are compiled, so the session is closed first and opened again
    afterwards. `compile_kernels` compiles the kernels of an edition and shows the progress.
    """
    if opened.readiness is not None or not emulators.runs_elsewhere(request) or is_compiled(opened.edition.ram_map):
        return opened
    opened.close()
    compile_kernels(opened.edition)
    return open_session(request)


def _on_our_own(request: SessionRequest, ram_map: RamMap, cartridge: Cartridge | None) -> Session:
    """Open a session on as many new emulators as it needs."""
    from emubot.games import open_edition

    readiness = _begun(request, ram_map)
    edition = open_edition(ram_map)
    refuse_early(request, edition)
    bots = bots_of(request, edition, readiness)
    bridges: list[Bridge] = []
    with contextlib.ExitStack() as stack:
        for number in range(consoles(request, edition)):
            told = request if number == 0 else replace(request, say=say_nothing)  # each sentence once
            bridges.append(emulators.start_emulator(told, edition, ram_map, cartridge))
            stack.callback(bridges[-1].close)
        made = _seated(request, edition, bridges, bots, readiness)
        stack.pop_all()
    return made


def _on_running_emulator(request: SessionRequest, bridge: Bridge, cartridge: Cartridge | None) -> Session:
    """Open a session on a running emulator, with the cartridge that runs there."""
    from emubot.games import open_edition
    from emubot.session.cartridges import map_of

    with contextlib.ExitStack() as stack:
        stack.callback(bridge.close)
        ram_map = map_of(request, bridge.facts.rom_identity, cartridge)
        readiness = _begun(request, ram_map)
        edition = open_edition(ram_map)
        refuse_early(request, edition)
        bots = bots_of(request, edition, readiness)
        if consoles(request, edition) > 1:
            raise UsageError(f"AIvsAI on {ram_map.title} needs two consoles, and {bridge.facts.emulator} is one.")
        made = _seated(request, edition, [bridge], bots, readiness)
        stack.pop_all()
    return made


def _begun(request: SessionRequest, ram_map: RamMap) -> Readiness | None:
    if not request.at_once:
        return None
    from emubot.session.readiness import begun_at_once

    return begun_at_once(request, ram_map)


def _seated(
    request: SessionRequest, edition: Edition, bridges: list[Bridge], bots: list[Bot], readiness: Readiness | None
) -> Session:
    seats = seats_of(request, edition, bridges, bots)
    waited = 0 if bridges[0].facts.name == emulators.SIMULATED else request.seed
    return Session(edition, bridges, seats, menu_choices(request, edition), waited, readiness)
