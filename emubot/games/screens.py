"""The screens around a simulated game, as our demo cartridges show them, frame by frame; knows no family and no map.

Title: START opens the menu. Menu: START begins a game, other buttons change its options. After a game START leads back
to the menu. Outside a game only the first pad is read, and drawing a screen takes some frames.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Generic, Protocol, TypeVar

from numpy.typing import NDArray

from emubot.games.meant import Meant
from emubot.pad import Pad

PLAYERS: Final = 2  # pads, and the most players of a game
_DRAWING: Final = 2  # frames that a demo cartridge needs to draw a new screen


class GameState(IntEnum):
    """The state of the whole game. A game uses PLAY, PAUSED, OVER and WON (a stage), its cartridge also the others."""

    TITLE = 0
    MENU = 1
    PLAY = 2
    PAUSED = 3
    OVER = 4
    DRAWING = 5
    WON = 6


class PlayedGame(Protocol):
    """A game behind the screens: `held` are the buttons held in the last frame."""

    state: GameState
    held: list[int]

    def step(self, pads: Sequence[int]) -> None:
        """Play one frame."""

    def hold_up(self) -> None:
        """Keep the pieces in the air from falling by themselves in the next frame."""


def time_frames(begin: Callable[[], PlayedGame], frames: int) -> float:
    """Returns the seconds of CPU time for so many frames of games for two, in which all pieces are dropped."""
    game = begin()
    started = time.process_time()
    for _ in range(frames):
        if game.state is not GameState.PLAY:
            game = begin()
        game.step((Pad.DOWN, Pad.DOWN))
    return time.process_time() - started


Played = TypeVar("Played", bound=PlayedGame)


@dataclass(slots=True)
class Console(Generic[Played]):
    """The cartridge's state: its screen, the pads, and the game if one has begun; families add the menu's options."""

    frame_counter: int = 0
    game_counter: int = 0
    screen: GameState = GameState.TITLE
    mode: int = 0
    held: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    new: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    game: Played | None = None


Has = TypeVar("Has", bound=Console[Any])
Console_contra = TypeVar("Console_contra", bound=Console[Any], contravariant=True)


class Registers(Protocol[Console_contra]):
    """What keeps a console's state in RAM."""

    def write(self, ram: NDArray[Any], console: Console_contra) -> None:
        """Write the values that changed since the last call."""

    def read(self, ram: bytes, console: Console_contra, make: Callable[[], Any]) -> None:
        """Set the console to the state of a game in RAM; `make` begins a game with the console's options."""


class Screens(ABC, Generic[Has, Played]):
    """A cartridge with the Machine protocol: `step` plays one frame with the pads, `ram` is read."""

    def __init__(self, console: Has, registers: Registers[Has], ram: NDArray[Any], meant: Meant) -> None:
        self.console, self.ram, self.hovers = console, ram, False
        self._registers, self._meant = registers, meant
        self._wanted, self._drawn_in = GameState.TITLE, 0
        registers.write(ram, console)

    @property
    def game(self) -> Played | None:
        """The running or the last game; None before the first game and in menus."""
        game: Played | None = self.console.game
        return game

    def step(self, pads: Sequence[Pad]) -> None:
        """Play one frame with the pads of both ports."""
        console = self.console
        console.new = [int(pad) & ~before for pad, before in zip(pads, console.held, strict=True)]
        console.held = [int(pad) for pad in pads]
        console.frame_counter = (console.frame_counter + 1) & 0xFFFF
        console.game_counter = (console.game_counter + 1) & 0xFFFF
        new = console.new[0]
        if console.screen is GameState.DRAWING:
            self._draw()
        elif console.screen is GameState.MENU:
            self._menu(new)
        elif console.screen in (GameState.TITLE, GameState.OVER):
            if new & Pad.START:
                self._show(GameState.MENU)
        elif console.game is not None:
            if self.hovers and not self._meant(console.held[0]) & Pad.DOWN:
                console.game.hold_up()
            console.game.step([self._meant(pad) for pad in console.held])
            console.screen = console.game.state
        self._registers.write(self.ram, console)

    def load(self, ram: bytes) -> None:
        """Continue from the RAM of a frame of a game, of another machine or of a cartridge.

        Raises MapError if the map lacks values that this needs, ValueError if the RAM cannot be that of a game.
        """
        self._registers.read(ram, self.console, self._new_game)
        self._registers.write(self.ram, self.console)

    @abstractmethod
    def _new_game(self) -> Played:
        """Returns a game with the console's options."""

    @abstractmethod
    def _choose(self, new: int) -> None:
        """Change the options of the menu by newly pressed buttons other than START."""

    def _menu(self, new: int) -> None:
        if new & Pad.START:
            self.console.game = self._new_game()
            self._show(GameState.PLAY)
        else:
            self._choose(new)

    def _show(self, screen: GameState) -> None:
        """Begin to draw another screen."""
        self._wanted, self._drawn_in = screen, _DRAWING
        self.console.screen = GameState.DRAWING
        if screen is GameState.MENU:
            self.console.game = None

    def _draw(self) -> None:
        self._drawn_in -= 1
        if (game := self.game) is not None:
            game.held = [self._meant(pad) for pad in self.console.held]
        if self._drawn_in == 0:
            self.console.screen = self._wanted
