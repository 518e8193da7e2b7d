"""A whole simulated cartridge: menus around the frame simulator, its state in 2 KiB of RAM by the address map.

Knows the map's value names, never an address. Title: START opens the menu. Menu: START begins a game, SELECT changes
between endless and two players, UP and DOWN change the number of colours, LEFT and RIGHT the start level, A or B the
items. After a game START leads back to the menu. As on the demo cartridge, outside a game only the first pad is read,
and drawing a screen takes some frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.games.puyo.decode.map_checks import check_map
from emubot.games.puyo.map_rules import rules_of_map
from emubot.games.puyo.rules import BIG, CARBUNCLE, Rules
from emubot.games.puyo.simulator.ram_writer import ENDLESS, TWO_PLAYERS, Console, Registers
from emubot.games.puyo.simulator.simulator import PLAYERS, GameState, Simulator
from emubot.games.puyo.timing import Timing, timing_of
from emubot.machine import FRAME_RATE_NTSC, Clear
from emubot.pad import Pad
from emubot.rammap import RamMap

_FEWEST_COLORS, _MOST_COLORS = 4, 6  # facts: Famicom Puyo 3
_HIGHEST_START: Final = 15
_DRAWING: Final = 2  # frames that the demo cartridge needs to draw a new screen


class PuyoMachine:
    """A pairs cartridge with the Machine protocol: `step` plays one frame with the pads, `ram` is read.

    `rng` draws the frame counter at power-on, or None for 0; the generator gets its seed from that counter when a game
    begins. Rules and timing are the map's unless given. Raises MapError for a map that leaves codes open.
    """

    def __init__(
        self,
        ram_map: RamMap,
        rng: np.random.Generator | None = None,
        rules: Rules | None = None,
        timing: Timing | None = None,
    ) -> None:
        check_map(ram_map)
        self.ram: NDArray[Any] = np.zeros(ram_map.image_size, dtype=np.uint8)
        self.identity = f"simulated:{ram_map.name}"
        self.frame_rate = FRAME_RATE_NTSC
        self.rules = rules or rules_of_map(ram_map)
        self.timing = timing or timing_of(ram_map)
        self._registers = Registers(ram_map, self.rules)
        self._most_colors = min(_MOST_COLORS, self._registers.most_colors)
        self._has_items = {BIG, CARBUNCLE} <= self._registers.codes.kinds and self.rules.item_every > 0
        self._buttons = _buttons(ram_map)
        self.hovers = False
        self.console = Console(
            frame_counter=0 if rng is None else int(rng.integers(0x10000)),
            colors=min(self.rules.colors, self._most_colors),
            items=self._has_items,
        )
        self._wanted, self._drawn_in = GameState.TITLE, 0
        self._registers.write(self.ram, self.console)

    @property
    def game(self) -> Simulator | None:
        """The running or the last game; None before the first game and in menus."""
        return self.console.game

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

    @property
    def grain(self) -> int:
        """Nuisance comes in single puyos."""
        return 1

    def sent(self) -> Sequence[Clear]:
        """Returns the points of each chain of the first player since the last call."""
        if self.game is None:
            return []
        finished = self.game.players[0].finished
        chains = [Clear("chain", points) for points in finished]
        finished.clear()
        return chains

    def receive(self, units: int) -> None:
        """Let nuisance fall on the first player after the next chain, or if none comes, after the next lock."""
        if self.game is not None:
            self.game.players[0].pending += units

    def load(self, ram: bytes) -> None:
        """Continue from the RAM of a frame of a game, of another machine or of a cartridge.

        Raises MapError if the map lacks values that this needs, ValueError if the RAM cannot be that of a game.
        """
        self._registers.read(ram, self.console, self._new_game)
        self._registers.write(self.ram, self.console)

    def _show(self, screen: GameState) -> None:
        """Begin to draw another screen."""
        self._wanted, self._drawn_in = screen, _DRAWING
        self.console.screen = GameState.DRAWING
        if screen is GameState.MENU:
            self.console.game = None

    def _draw(self) -> None:
        self._drawn_in -= 1
        game = self.console.game
        if game is not None:
            game.held = [self._meant(pad) for pad in self.console.held]
        if self._drawn_in == 0:
            self.console.screen = self._wanted

    def _menu(self, new: int) -> None:
        console = self.console
        if new & Pad.START:
            console.game = self._new_game()
            self._show(GameState.PLAY)
        elif new & Pad.SELECT:
            console.mode = TWO_PLAYERS if console.mode == ENDLESS and self._registers.players > 1 else ENDLESS
        elif new & (Pad.UP | Pad.DOWN):
            wanted = console.colors + (1 if new & Pad.UP else -1)
            console.colors = max(min(_FEWEST_COLORS, self._most_colors), min(wanted, self._most_colors))
        elif new & (Pad.LEFT | Pad.RIGHT):
            wanted = console.start_level + (1 if new & Pad.RIGHT else -1)
            console.start_level = max(0, min(wanted, _HIGHEST_START))
        elif new & (Pad.A | Pad.B) and self._has_items:
            console.items = not console.items

    def _new_game(self) -> Simulator:
        console = self.console
        return Simulator(
            self.rules,
            self.timing,
            players=PLAYERS if console.mode == TWO_PLAYERS else 1,
            colors=console.colors,
            start_level=console.start_level,
            items=console.items,
            seed=console.frame_counter,
            held=[self._meant(pad) for pad in console.held],
        )

    def _meant(self, pad: int) -> int:
        """Returns the simulator's buttons that do in play what the pad's buttons do."""
        meant = 0
        for button, action in self._buttons:
            if pad & button == button:
                meant |= action
        return meant


def _buttons(ram_map: RamMap) -> tuple[tuple[int, int], ...]:
    """Returns, for each move, the cartridge's button and the simulator's button that does the same."""
    named = ram_map.buttons
    moves = (
        (named.left, Pad.LEFT),
        (named.right, Pad.RIGHT),
        (named.rotate_clockwise, Pad.A),
        (named.rotate_counterclockwise, Pad.B),
        (named.soft_drop, Pad.DOWN),
        (named.start, Pad.START),
    )
    return tuple((int(button), int(action)) for button, action in moves if button is not None)
