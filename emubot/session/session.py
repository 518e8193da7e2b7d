"""Opens a session from a request: cartridge, map, bridges, seats; parses no options and prints nothing."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from emubot.errors import UsageError
from emubot.session import emulators
from emubot.session.compiling import is_compiled
from emubot.session.emulators import modes_of, plays_versus
from emubot.session.request import say_nothing
from emubot.text import did_you_mean

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.cartridge import Cartridge
    from emubot.games.edition import Edition
    from emubot.pilot import Goal, Match, Pilot
    from emubot.pilot.skill import Mind, Skill
    from emubot.rammap import RamMap
    from emubot.session.compiling import Compile
    from emubot.session.request import SessionRequest


@dataclass(frozen=True, slots=True)
class Seat:
    """One bot's place: its bridge, port, skill and mind; `leads` is true if it also chooses in the menus.

    `person` is the port of a person on this console. `serves` is true if the
    bot chooses with that person's pad too, until a game begins.
    """

    bridge: Bridge
    port: int
    leads: bool
    skill: Skill
    mind: Mind
    person: int | None = None
    serves: bool = False

    @property
    def rng(self) -> str:
        """How the bot plays, in a word for records: `aware` of the generator, or `blind`."""
        return "aware" if self.skill.aware else "blind"


@dataclass(slots=True)
class Session:
    """Everything that pilots need, opened. Call `close` at the end."""

    edition: Edition
    bridges: list[Bridge]
    seats: list[Seat]
    menu_choices: dict[str, int]
    waited: int  # frames in the menus before the first button

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
        self.seats = [replace(seat, mind=seat.skill.mind(edition)) for seat in self.seats]

    def match(self, pieces: int | None, games: int | None) -> Match:
        """Returns a match with a pilot on every seat; each plays this number of pieces or games (None: no limit)."""
        from emubot.pilot import Match

        shared = len(self.seats) > len(self.bridges)
        goal = self.goal(None if shared else pieces, games)
        return Match([self.pilot(seat, goal) for seat in self.seats], pieces if shared else None)

    def close(self) -> None:
        """Close every bridge."""
        with contextlib.ExitStack() as stack:
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

    A running emulator does not stop while a first start compiles, so the session is closed first and opened again
    afterwards. `compile_kernels` compiles the kernels of an edition and shows the progress.
    """
    if not emulators.runs_elsewhere(request) or is_compiled(opened.edition.ram_map):
        return opened
    opened.close()
    compile_kernels(opened.edition)
    return open_session(request)


def _on_our_own(request: SessionRequest, ram_map: RamMap, cartridge: Cartridge | None) -> Session:
    """Open a session on as many new emulators as it needs."""
    from emubot.games import open_edition

    edition = open_edition(ram_map)
    _refuse_early(request, edition)
    bots = _bots(request, edition)
    bridges: list[Bridge] = []
    with contextlib.ExitStack() as stack:
        for number in range(_consoles(request, edition)):
            told = request if number == 0 else replace(request, say=say_nothing)  # each sentence once
            bridges.append(emulators.start_emulator(told, edition, ram_map, cartridge))
            stack.callback(bridges[-1].close)
        made = _assign_ports(request, edition, bridges, bots)
        stack.pop_all()
    return made


def _on_running_emulator(request: SessionRequest, bridge: Bridge, cartridge: Cartridge | None) -> Session:
    """Open a session on a running emulator, with the cartridge that runs there."""
    from emubot.games import open_edition
    from emubot.session.cartridges import map_of

    with contextlib.ExitStack() as stack:
        stack.callback(bridge.close)
        ram_map = map_of(request, bridge.facts.rom_identity, cartridge)
        edition = open_edition(ram_map)
        _refuse_early(request, edition)
        bots = _bots(request, edition)
        if _consoles(request, edition) > 1:
            raise UsageError(f"AIvsAI on {ram_map.title} needs two consoles, and {bridge.facts.emulator} is one.")
        made = _assign_ports(request, edition, [bridge], bots)
        stack.pop_all()
    return made


def _consoles(request: SessionRequest, edition: Edition) -> int:
    """Returns the number of consoles: two to play a cartridge without a game for two against itself, otherwise one."""
    return 2 if request.against_itself and not plays_versus(edition) else 1


def _refuse_early(request: SessionRequest, edition: Edition) -> None:
    """Raise an error for what cannot be played before an emulator is opened or used."""
    ram_map = edition.ram_map
    if request.aware and (request.against_itself or request.human is not None):
        raise UsageError(
            "--rng aware chooses the pieces, so it is played alone: leave out AIvsAI and --human, or --rng aware."
        )
    if request.human is not None and not plays_versus(edition):
        raise UsageError(
            f"--human: {ram_map.title} has no game for two that a person and the bot could play: take --demo puyo or "
            "capsules, or meet the bot in the browser (emubot arena)."
        )
    if request.mode is not None and request.mode not in modes_of(edition):
        known = modes_of(edition)
        near, names = did_you_mean(request.mode, known), ", ".join(known) or "none"
        raise UsageError(f"--mode {request.mode}{near}: {ram_map.title} has no such mode to choose; it has: {names}.")
    ram_map.menu_step(
        bytes(ram_map.image_size), _menu_choices(request, edition)
    )  # refuses choices that the menus do not offer
    if (
        _for_two(request, edition)
        and "mode" not in ram_map.menu_choices
        and not (request.by_hand or emulators.runs_elsewhere(request))
    ):
        raise UsageError(
            f"The map {ram_map.name} does not know the way to the game for two: "
            "take --view window and choose it yourself."
        )


def _for_two(request: SessionRequest, edition: Edition) -> bool:
    """Returns whether two players are to meet on one console."""
    return plays_versus(edition) and (request.against_itself or request.human is not None)


def _menu_choices(request: SessionRequest, edition: Edition) -> dict[str, int]:
    """Returns the menu choices; the game for two is one of them only if the map can select it."""
    chosen, for_two = edition.game.options.menu_numbers(request.menu_choices), _for_two(request, edition)
    mode = "versus" if for_two else request.mode
    if mode is None or (for_two and "mode" not in edition.ram_map.menu_choices):
        return chosen
    return {**chosen, "mode": modes_of(edition)[mode]}


def _bots(request: SessionRequest, edition: Edition) -> list[tuple[Skill, Mind]]:
    """Returns how each bot plays, and what decides for it.

    Raises WeightsError for weights of another game, UsageError for what the edition's search cannot do.
    """
    from emubot.games.variety import Variety
    from emubot.pilot.skill import Skill
    from emubot.weights import load_weights

    names = [name or edition.game.facts.default_weights for name in request.weights]
    weights = {name: load_weights(name) for name in dict.fromkeys(names)}
    ahead = request.emu_speed is not None  # flat out no frame would wait for it
    skills = [
        Skill(weights[name], tempo, strength, ahead, aware=request.aware)
        for name, tempo, strength in zip(names, request.tempos, request.strengths, strict=True)
    ]
    if not request.against_itself:
        skills = skills[:1]
    elif skills[0] == skills[1]:
        skills = [replace(skill, variety=Variety(request.seed, number)) for number, skill in enumerate(skills)]
    return [(skill, skill.mind(edition)) for skill in skills]


def _assign_ports(
    request: SessionRequest, edition: Edition, bridges: list[Bridge], bots: list[tuple[Skill, Mind]]
) -> Session:
    ram_map = edition.ram_map
    places = [(bridge, 0, True) for bridge in bridges]
    knows_the_way = "mode" in ram_map.menu_choices
    if _for_two(request, edition) and not knows_the_way:
        request.say("choose the game for two yourself; the bot takes over when it begins.")
    if request.human is not None:
        places = [(bridges[0], 1 - request.human, knows_the_way)]
    elif _for_two(request, edition):
        places = [(bridges[0], 0, knows_the_way), (bridges[0], 1, False)]
    elif request.mode == "versus":
        request.say("--mode versus alone leaves pad 2 to nobody: add AIvsAI for two bots, or --human 2 for you.")
    serves = request.human is not None and knows_the_way and not emulators.runs_elsewhere(request)
    seats = [
        Seat(bridge, port, leads, skill, mind, request.human, serves)
        for (bridge, port, leads), (skill, mind) in zip(places, bots, strict=True)
    ]
    simulated = bridges[0].facts.name == emulators.SIMULATED
    return Session(edition, bridges, seats, _menu_choices(request, edition), 0 if simulated else request.seed)
