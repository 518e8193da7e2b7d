"""The capsules demo in a real core beside the simulator, and pads that clear what they can."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emubot.bridges.libretro import LibretroBridge
from emubot.games.colours.board.control import fits
from emubot.games.colours.board.groups import Cells
from emubot.games.colours.board.matching_cells import put_piece
from emubot.games.colours.matching_rules import TARGET, Rules, color_of
from emubot.games.colours.simulator import matching_field as happens
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.pad import Pad
from emubot.rammap import RamMap
from tests.demos.twins import CoreTwins

PLAY, WON = 2, 6  # values of game_state


class Twins(CoreTwins):
    """A cartridge and the simulator of its map."""

    def __init__(self, bridge: LibretroBridge, ram_map: RamMap) -> None:
        self.machine = MatchingMachine(ram_map)
        super().__init__(bridge, ram_map, self.machine)
        self.machine.console.frame_counter = self.value("frame_counter")
        self.machine.console.game_counter = self.value("game_counter")

    def begin(self, *, versus: bool = False, stage: int = 0, pace: int = 0) -> None:
        """From the title, or from a game that is over, into a game."""
        self.choose(
            ("mode", 2 * versus, Pad.SELECT, Pad.SELECT),
            ("start_stage", stage, Pad.UP, Pad.DOWN),
            ("pace", pace, Pad.RIGHT, Pad.LEFT),
        )

    def best_place(self, player: int) -> tuple[int, int]:
        """Orientation and column of a straight drop that clears most, or puts colours on their own."""
        game, rules = self.machine.game, self.machine.rules
        assert game is not None
        best = (-1000.0, 0, 0)
        for orientation in range(4):
            for column in range(8):
                cells, links = game.players[player].cells.copy(), game.players[player].links.copy()
                row = -1
                while fits(cells, rules.hidden_rows, rules.shapes[orientation], column, row + 1):
                    row += 1
                if row >= 0:
                    put_piece(cells, links, rules, (orientation, column, row), game.players[player].piece.kinds)
                    best = max(best, (_worth(cells, rules) + row, orientation, column))
        return best[1:]


def _worth(cells: Cells, rules: Rules) -> float:
    """What a field is worth to a simple player: lines, targets in them, colours that lie on their own."""
    lines = happens.lines(cells, rules)
    targets = sum(cells[cell] > TARGET for line in lines for cell in line)
    colors, aims = np.vectorize(color_of)(cells), cells > TARGET
    filled = (colors[1:] > 0) & (colors[:-1] > 0)
    alike = filled & (colors[1:] == colors[:-1])
    below = np.cumsum(aims[::-1], axis=0)[::-1][1:].clip(0, 1)  # a target is here or further down
    unlike = filled & (colors[1:] != colors[:-1])
    return float(40 * len(lines) + 60 * targets + (alike * (2 + 3 * below)).sum() - (unlike * (1 + 4 * below)).sum())


def steady(twins: Twins, seed: int) -> Iterator[tuple[Pad, Pad]]:
    """Pads of two players that clear what they can, so that games last."""
    rng = np.random.default_rng(seed)
    turns, column = [0, 0], [0, 0]
    while True:
        pads = [Pad.NONE, Pad.NONE]
        for player in (0, 1):
            if twins.value("spawned", player):
                turns[player], column[player] = twins.best_place(player)
            if twins.value("play_state", player) != 1:
                continue
            away = column[player] - twins.value("x", player)
            if twins.frames % 2 and (away or turns[player]):
                pads[player] = Pad.RIGHT if away > 0 else Pad.LEFT if away < 0 else Pad.NONE
                if turns[player]:
                    back = turns[player] == 3 or rng.random() < 0.1
                    pads[player] |= Pad.B if back else Pad.A
                    turns[player] = (turns[player] + (1 if back else -1)) % 4
            elif not away:
                pads[player] = Pad.DOWN
        yield pads[0], pads[1]
