"""The pairs demo in a real core beside the simulator, and pads that fill the lowest column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emubot.bridges.libretro import LibretroBridge
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.pad import Pad
from emubot.rammap import RamMap
from tests.demos.twins import CoreTwins


class Twins(CoreTwins):
    """A cartridge and the simulator of its map."""

    def __init__(self, bridge: LibretroBridge, ram_map: RamMap) -> None:
        self.machine = PuyoMachine(ram_map)
        super().__init__(bridge, ram_map, self.machine)
        self.machine.console.frame_counter = self.value("frame_counter")
        self.machine.console.game_counter = self.value("game_counter")

    def begin(self, *, versus: bool = False, level: int = 0, colors: int = 5) -> None:
        """From the title, or from a game that is over, into a game."""
        self.choose(
            ("mode", 2 * versus, Pad.SELECT, Pad.SELECT),
            ("start_level", level, Pad.RIGHT, Pad.LEFT),
            ("colors", colors, Pad.UP, Pad.DOWN),
        )

    def lowest_column(self, player: int) -> int:
        """The column with the fewest puyos, the leftmost of several."""
        return int((self._readers[player].playfield(self.ram) != 0).sum(axis=0).argmin())


def steady(twins: Twins, seed: int) -> Iterator[tuple[Pad, Pad]]:
    """Pads of two players who turn at random and fill the lowest column, so that games last."""
    rng = np.random.default_rng(seed)
    turns = [0, 0]
    column = [0, 0]
    while True:
        pads = [Pad.NONE, Pad.NONE]
        for player in (0, 1):
            if twins.value("spawned", player):
                column[player], turns[player] = twins.lowest_column(player), int(rng.integers(4))
            if twins.value("play_state", player) != 1:
                continue
            away = column[player] - twins.value("x", player)
            if twins.frames % 2 and (away or turns[player]):
                pads[player] = Pad.RIGHT if away > 0 else Pad.LEFT if away < 0 else Pad.NONE
                if turns[player]:
                    pads[player] |= Pad.A if rng.random() < 0.8 else Pad.B
                    turns[player] -= 1
            elif not away:
                pads[player] = Pad.DOWN
        yield pads[0], pads[1]
