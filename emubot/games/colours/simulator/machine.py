"""A whole simulated cartridge: menus around the frame simulator, its state in 2 KiB of RAM by the address map.

Knows the map's value names, never an address. In the menu SELECT changes between endless and two players, UP
and DOWN change the number of colours, LEFT and RIGHT the start level, A or B the items.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from emubot.games.colours.decode.map_checks import check_map
from emubot.games.colours.map_rules import rules_of_map
from emubot.games.colours.rules import BIG, CARBUNCLE, Rules
from emubot.games.colours.simulator.ram_writer import ENDLESS, TWO_PLAYERS, PairsConsole, Registers
from emubot.games.colours.simulator.simulator import Simulator
from emubot.games.colours.timing import Timing, timing_of
from emubot.games.meant import Meant
from emubot.games.screens import PLAYERS, Screens
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap

_FEWEST_COLORS, _MOST_COLORS = 4, 6  # facts: Famicom Puyo 3
_HIGHEST_START: Final = 15


class PuyoMachine(Screens[PairsConsole, Simulator]):
    """A pairs cartridge with the Machine protocol.

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
        self.identity = f"simulated:{ram_map.name}"
        self.frame_rate = FRAME_RATE_NTSC
        self.rules = rules or rules_of_map(ram_map)
        self.timing = timing or timing_of(ram_map)
        registers = Registers(ram_map, self.rules)
        self._most_players = registers.players
        self._most_colors = min(_MOST_COLORS, registers.most_colors)
        self._has_items = {BIG, CARBUNCLE} <= registers.codes.kinds and self.rules.item_every > 0
        console = PairsConsole(
            frame_counter=0 if rng is None else int(rng.integers(0x10000)),
            colors=min(self.rules.colors, self._most_colors),
            items=self._has_items,
        )
        super().__init__(console, registers, np.zeros(ram_map.image_size, dtype=np.uint8), Meant(ram_map))

    @property
    def grain(self) -> int:
        """Nuisance comes in single puyos."""
        return 1

    def sent(self) -> Sequence[int]:
        """Returns the points of each chain of the first player since the last call."""
        if self.game is None:
            return []
        chains = [*self.game.players[0].finished]
        self.game.players[0].finished.clear()
        return chains

    def receive(self, units: int) -> None:
        """Let nuisance fall on the first player after the next chain, or if none comes, after the next lock."""
        if self.game is not None:
            self.game.players[0].pending += units

    def _choose(self, new: int) -> None:
        console = self.console
        if new & Pad.SELECT:
            console.mode = TWO_PLAYERS if console.mode == ENDLESS and self._most_players > 1 else ENDLESS
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
