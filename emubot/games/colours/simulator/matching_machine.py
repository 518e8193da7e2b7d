"""A whole simulated cartridge: menus around the frame simulator, its state in 2 KiB of RAM by the address map.

Knows the map's value names, never an address. In the menu SELECT changes between one and two players, UP and
DOWN change the stage, LEFT and RIGHT the pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from emubot.games.colours.decode.matching_checks import check_map
from emubot.games.colours.matching_rules import ENDLESS, VERSUS, Rules
from emubot.games.colours.matching_timing import Timing, timing_of
from emubot.games.colours.simulator.matching_ram_writer import MatchingConsole, Registers
from emubot.games.colours.simulator.matching_simulator import Simulator
from emubot.games.meant import Meant
from emubot.games.screens import PLAYERS, Screens
from emubot.machine import FRAME_RATE_NTSC
from emubot.pad import Pad
from emubot.rammap import RamMap

_RAM_SIZE: Final = 2048


class MatchingMachine(Screens[MatchingConsole, Simulator]):
    """A matching cartridge with the Machine protocol.

    `rng` draws the frame counter at power-on, or None for 0; the generator gets its seed from that counter when a game
    begins. Rules and timing are the map's unless given. Raises MapError for a map that the family cannot read.
    """

    def __init__(
        self,
        ram_map: RamMap,
        rng: np.random.Generator | None = None,
        rules: Rules | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.rules = check_map(ram_map) if rules is None else rules
        self.identity = f"simulated:{ram_map.name}"
        self.frame_rate = FRAME_RATE_NTSC
        self.timing = timing or timing_of(ram_map)
        registers = Registers(ram_map, self.rules)
        self._most_players = registers.players
        self._top_stage = max(len(self.rules.targets) - 1, 0)
        console = MatchingConsole(frame_counter=0 if rng is None else int(rng.integers(0x10000)))
        super().__init__(console, registers, np.zeros(_RAM_SIZE, dtype=np.uint8), Meant(ram_map))

    @property
    def grain(self) -> int:
        """Garbage comes in single halves."""
        return 1

    def sent(self) -> Sequence[int]:
        """Returns the lines of each move of the first player that cleared some, since the last call."""
        if self.game is None:
            return []
        moves = [*self.game.players[0].finished]
        self.game.players[0].finished.clear()
        return moves

    def receive(self, units: int) -> None:
        """Let single halves fall on the first player after the next move."""
        if self.game is not None:
            self.game.receive(0, units)

    def _choose(self, new: int) -> None:
        console = self.console
        if new & Pad.SELECT:
            console.mode = VERSUS if console.mode == ENDLESS and self._most_players > 1 else ENDLESS
        elif new & (Pad.UP | Pad.DOWN):
            wanted = console.start_stage + (1 if new & Pad.UP else -1)
            console.start_stage = max(0, min(wanted, self._top_stage))
        elif new & (Pad.LEFT | Pad.RIGHT):
            wanted = console.pace + (1 if new & Pad.RIGHT else -1)
            console.pace = max(0, min(wanted, len(self.timing.paces) - 1))

    def _new_game(self) -> Simulator:
        console = self.console
        return Simulator(
            self.rules,
            self.timing,
            players=PLAYERS if console.mode == VERSUS else 1,
            stage=console.start_stage,
            pace=console.pace,
            seed=console.frame_counter,
            held=[self._meant(pad) for pad in console.held],
        )
