"""Plays machines and matches for the tests of the arena."""

from __future__ import annotations

from collections.abc import Mapping

from emubot import games
from emubot.arena.match import ArenaMatch
from emubot.arena.request import MatchRequest, SideRequest
from emubot.arena.wire import Input
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.pilot.menus import MenuNavigator
from emubot.rammap import RamMap


def enter_game(machine: Machine, ram_map: RamMap, choices: Mapping[str, int] | None = None) -> None:
    """Tap through the menus of a machine until its game has begun."""
    decode = games.open_edition(ram_map).decoder()
    menus = MenuNavigator(ram_map, choices or {})
    while not decode(machine.ram.tobytes()).phase.in_game:
        machine.step(menus.pads(machine.ram.tobytes()))


def side(game: str, bot: str | None = None, **rules: int) -> SideRequest:
    return SideRequest(game=game, bot=bot, rules=rules)


def match_of(*sides: SideRequest, seed: int = 1) -> ArenaMatch:
    return ArenaMatch(MatchRequest(sides=sides), seed)


def begin(match: ArenaMatch) -> ArenaMatch:
    """Wait for the end of the countdown."""
    while match.stage.name == "COUNTDOWN":
        match.tick()
    return match


def play(match: ArenaMatch, ticks: int) -> None:
    """Play this number of ticks, or to the end."""
    for _ in range(ticks):
        if match.finished:
            return
        match.tick()


def drop(match: ArenaMatch, number: int, ticks: int) -> None:
    """Hold DOWN on a side for this number of ticks, or to the end."""
    match.put(Input(number, 1, Pad.DOWN))
    play(match, ticks)
