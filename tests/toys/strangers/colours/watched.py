"""Plays a stranger of colours in a core with random pads, frame by frame, and lets a referee see each frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from emubot.bridges.libretro import LibretroBridge
from emubot.pad import Pad
from tests.toys.strangers.colours.reading import Reading
from tests.toys.strangers.colours.referee import Referee
from tests.toys.strangers.colours.stranger import Stranger

BOOT = 20  # frames in which the console starts and the first screen is drawn
TAP = 6  # frames for which a button of a menu is down, and up
PADS = (
    *[Pad.NONE] * 3,
    *[Pad.LEFT, Pad.RIGHT] * 2,
    Pad.A,
    Pad.B,
    Pad.UP,
    *[Pad.DOWN] * 2,
    Pad.A | Pad.LEFT,
    Pad.DOWN | Pad.RIGHT,
)


class Listener(Protocol):
    """Sees each frame of a player."""

    def see(self, reading: Reading) -> None:
        """One more frame."""


def watched(
    stranger: Stranger, bridge: LibretroBridge, frames: int, listeners: Sequence[Listener] = (), seed: int = 0
) -> tuple[Referee, ...]:
    """Returns the referees of all players after so many frames. Raises AssertionError as they do.

    `listeners`, one for each player, see the frames in which their player plays.
    """
    referees = tuple(Referee(stranger, player) for player in range(stranger.play.players))
    mashed = [mash(np.random.default_rng([seed, player])) for player in (0, 1)]
    for _ in range(BOOT):
        bridge.advance()
    for frame in range(frames):
        reading = Reading(stranger, memory_of(stranger, bridge))
        in_play = reading.mode in ("play", "demo")
        pads = [next(mash) for mash in mashed] if in_play else [led_on(reading, frame), Pad.NONE]
        for port, pad in enumerate(pads):
            bridge.press(port, pad)
        bridge.advance()
        memory = memory_of(stranger, bridge)
        for player, referee in enumerate(referees):
            reading = Reading(stranger, memory, player)
            if player == 0 or reading.byte("VERSUS"):
                referee.see(reading)
                for listener in listeners[player : player + 1]:
                    listener.see(reading)
            else:
                referee.forget()
    return referees


def memory_of(stranger: Stranger, bridge: LibretroBridge) -> bytes:
    """Returns the console's RAM, and the cartridge's after it if the stranger has some."""
    data = bytes(bridge.read("ram", 0, 0x800))
    return data + bytes(bridge.read("wram", 0x6000, 0x2000)) if stranger.field.in_wram else data


def mash(rng: np.random.Generator) -> Iterator[Pad]:
    """Random pads without end: some held, some tapped."""
    while True:
        pad = PADS[rng.integers(len(PADS))]
        for _ in range(int(rng.integers(1, 10))):
            yield pad


def led_on(reading: Reading, frame: int) -> Pad:
    """Returns the pad that leads to a game."""
    menus = reading.stranger.menus
    if frame % (2 * TAP) >= TAP:
        return Pad.NONE
    if reading.mode == "menu" and reading.screen is not None:
        screen = menus.screens[reading.screen]
        if screen.items and reading.byte("MENU_CURSOR") != screen.target:
            return buttons(menus.cursor_down)
        is_last = reading.screen == len(menus.screens) - 1
        if is_last and menus.versus_key and reading.stranger.seed % 2 and not reading.byte("VERSUS"):
            return buttons(menus.versus_key)  # a game for two, with every second stranger that offers it
        return buttons(screen.button)
    return buttons({"over": menus.over_button, "paused": menus.pause}.get(reading.mode, ""))


def buttons(names: str) -> Pad:
    """Returns buttons by their names, joined by +."""
    found = Pad.NONE
    for name in names.split("+") if names else ():
        found |= Pad[name]
    return found
