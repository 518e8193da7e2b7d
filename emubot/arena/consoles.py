"""Opens the simulated machines of a match, and the sides that play on them; knows no network and no clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Final

import numpy as np

from emubot import games
from emubot.arena.apart import Apart
from emubot.arena.catalogue import Offered, Preset, game_offer, preset
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.side import ArenaConsole, BotSide, PersonSide, Side
from emubot.bridges.image import image_reader
from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import UsageError
from emubot.games.edition import part_of
from emubot.games.offers import Bot
from emubot.games.strength import Strength
from emubot.games.variety import Variety
from emubot.machine import Machine
from emubot.pilot import Goal, Pilot, Skill
from emubot.pilot.menus import MenuNavigator
from emubot.tempo import tempo_for_speed
from emubot.weights import load_weights

BOT_MS: Final = 16.0  # of a decision in a challenge
_MENU_FRAMES: Final = 2_000  # enough for the menus of any of our simulators


@dataclass(slots=True, eq=False)
class OwnConsole(ArenaConsole):
    """A simulated machine."""

    bridge: SimulatedBridge
    machine: Machine


Seat = tuple[OwnConsole, int]  # with the player there


def open_consoles(request: MatchRequest, seed: int) -> list[Seat]:
    """Returns each side's console, in the first frame of its game, and the side's player there.

    The same seed deals the same pieces to both sides. Raises UsageError for sides that cannot meet.
    """
    first = request.sides[0]
    offer = game_offer(first.game)
    shares = offer.game.has_versus and request.challenge is None
    if len(request.sides) > 1 and shares and all(side.game == first.game for side in request.sides):
        consoles = [_console(offer, first, seed, players=2)]
        seats = [(consoles[0], 0), (consoles[0], 1)]
    else:
        consoles = [_console(game_offer(side.game), side, seed, players=1) for side in request.sides]
        seats = [(console, 0) for console in consoles]
    if len({console.bridge.facts.frame_rate for console in consoles}) > 1:
        raise UsageError("These two games run at different frame rates: choose two of the same rate.")
    return seats


def open_sides(
    request: MatchRequest,
    seed: int,
    seats: list[Seat],
    apart: Apart | None = None,
    earlier: Sequence[Side] = (),
    skills: Sequence[Skill] = (),
) -> list[Side]:
    """Returns the sides in the request's order; they go on from `earlier` ones. Bots decide `apart` or here.

    `skills` are how the bots of all sides play, in place of what their names say.

    Raises UsageError if a family's pieces cannot be drawn.
    """
    first = request.sides[0]
    equal = len(request.sides) > 1 and all(side.bot == first.bot and side.game == first.game for side in request.sides)
    sides: list[Side] = []
    for number, (side, (console, player)) in enumerate(zip(request.sides, seats, strict=True)):
        if side.bot is None:
            sides.append(PersonSide(console, player, partial(console.bridge.press, player)))
            continue
        variety = Variety(seed, number, game_offer(side.game).game.margin) if equal else None
        edition = console.edition
        strength = preset(side.bot).strength(edition.game.name)
        milliseconds = None if request.challenge is None else BOT_MS
        skill = skills[number] if skills else _skill(preset(side.bot), strength, milliseconds, variety)
        mind = None if apart is None else apart.mind(edition, strength.weights)
        pilot = Pilot(console.bridge, Goal(games=1), edition, skill, mind, port=player, leads=False)
        pilot.waiting.muted = True
        sides.append(BotSide(console, pilot, skill))
    for side_, before in zip_longest(sides, earlier):
        if before is not None:
            side_.follow(before)
        side_.after(0)
    return sides


def _skill(chosen: Preset, own: Bot, milliseconds: float | None, variety: Variety | None) -> Skill:
    """Returns how a bot plays; `milliseconds` is the time of a decision, instead of its own strength."""
    weights = None if own.weights is None else load_weights(own.weights)
    strength = Strength(own.nodes) if milliseconds is None else Strength(milliseconds=milliseconds)
    ahead = own.nodes is None  # two pieces ahead are found sooner than a thread has begun
    return Skill(weights, tempo_for_speed(chosen.speed), strength, ahead, variety)


def _console(offer: Offered, side: SideRequest, seed: int, players: int) -> OwnConsole:
    edition = games.open_edition(offer.load())
    game, ram_map = edition.game, edition.ram_map
    machine = part_of(edition, "simulator", edition.simulator, "a game in the arena").machine(
        np.random.default_rng(seed), even=True
    )
    bridge = SimulatedBridge(machine)
    console = OwnConsole(edition, bridge, image_reader(bridge, ram_map.spaces), machine)
    choices = dict(side.rules)
    if "mode" in ram_map.menu_choices:
        choices["mode"] = game.modes["versus" if players > 1 else "endless"]
    _enter_game(console, choices)
    return console


def _enter_game(console: OwnConsole, choices: dict[str, int]) -> None:
    """Go through the menus. Raises UsageError if no game begins."""
    ram_map = console.edition.ram_map
    navigator, decode = MenuNavigator(ram_map, choices), console.edition.decoder()
    bridge = console.bridge
    for _ in range(_MENU_FRAMES):
        ram = console.read()
        if decode(ram).phase.in_game:
            for port in (0, 1):
                bridge.release(port)
            return
        for port, pad in enumerate(navigator.pads(ram)):
            bridge.press(port, pad)
        bridge.advance()
    raise UsageError(f"No game of {ram_map.title} begins with these rules: choose others.")
