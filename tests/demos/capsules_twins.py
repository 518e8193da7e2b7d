"""The capsules demo in a real core beside the simulator: the same pads, every named value compared in every frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emubot.bridges.libretro import LibretroBridge
from emubot.games.matching.board.board import Cells, fits, put_piece
from emubot.games.matching.rules import TARGET, Rules, color_of
from emubot.games.matching.simulator import field as happens
from emubot.games.matching.simulator.machine import MatchingMachine
from emubot.pad import Pad
from emubot.rammap import RamMap

LAG_COUNTER = 0x0012  # the cartridge counts its own lag frames here, two bytes
MENU, PLAY, PAUSED, OVER, WON = 1, 2, 3, 4, 6  # values of game_state
BUTTONS = (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.DOWN, Pad.DOWN)
ANYTHING = (*BUTTONS, Pad.UP, Pad.SELECT, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT, Pad.A | Pad.B, Pad.DOWN | Pad.LEFT)


def lag_frames_of(bridge: LibretroBridge) -> int:
    return int.from_bytes(bridge.read("ram", LAG_COUNTER, 2), "little")


class Twins:
    """A cartridge and the simulator of its map; `step` raises AssertionError with what differs after the frame."""

    def __init__(self, bridge: LibretroBridge, ram_map: RamMap) -> None:
        self.bridge, self.machine = bridge, MatchingMachine(ram_map)
        self._readers = [ram_map.reader(player) for player in (0, 1)]
        self._select = [reader.select(sorted(reader.names)) for reader in self._readers]
        for _ in range(20):  # the console starts, the title is drawn
            bridge.advance()
        self.ram = bridge.read("ram", 0, 2048)
        self.machine.console.frame_counter = self.value("frame_counter")
        self.machine.console.game_counter = self.value("game_counter")
        self.frames = 0

    def value(self, name: str, player: int = 0) -> int:
        """A named value of the cartridge."""
        return self._readers[player].value(self.ram, name)

    def step(self, *pads: Pad) -> None:
        """One frame of both with these pads; a missing one is not pressed."""
        both = (*pads, Pad.NONE, Pad.NONE)[:2]
        for port, pad in enumerate(both):
            self.bridge.press(port, pad)
        self.bridge.advance()
        self.machine.step(both)
        self.ram = self.bridge.read("ram", 0, 2048)
        self.frames += 1
        simulated = self.machine.ram.tobytes()
        for number, (reader, select) in enumerate(zip(self._readers, self._select, strict=True)):
            where = f"frame {self.frames}, player {number + 1}"
            real, ours = select(self.ram), select(simulated)
            differing = [pair for pair in zip(sorted(reader.names), real, ours, strict=True) if pair[1] != pair[2]]
            assert not differing, f"{where}: (name, cartridge, simulated) {differing}"
            for part in (reader.playfield, reader.links):
                assert np.array_equal(part(self.ram), part(simulated)), f"{where}: {part.__name__}"

    def tap(self, pad: Pad) -> None:
        """Press for two frames, then wait until a screen that this may have asked for is drawn."""
        for held in (pad, pad, Pad.NONE, Pad.NONE):
            self.step(held)

    def begin(self, *, versus: bool = False, stage: int = 0, pace: int = 0) -> None:
        """From the title, or from a game that is over, into a game."""
        self.tap(Pad.START)
        wanted = {"mode": 2 * versus, "start_stage": stage, "pace": pace}
        for name, up, down in (
            ("mode", Pad.SELECT, Pad.SELECT),
            ("start_stage", Pad.UP, Pad.DOWN),
            ("pace", Pad.RIGHT, Pad.LEFT),
        ):
            while (now := self.value(name)) != wanted[name]:
                self.tap(up if now < wanted[name] else down)
        self.tap(Pad.START)

    def play(self, pads: Iterator[tuple[Pad, Pad]], frames: int) -> None:
        """So many frames with these pads, or until the game is over."""
        for _ in range(frames):
            if self.value("game_state") == OVER:
                return
            self.step(*next(pads))

    def give_up(self) -> None:
        """Let everything drop until the game is over; goes on from a pause first."""
        while (state := self.value("game_state")) != OVER:
            self.step(Pad.DOWN if state != PAUSED else Pad.START if self.frames % 2 else Pad.NONE, Pad.DOWN)

    def best_place(self, player: int) -> tuple[int, int]:
        """Orientation and column of a straight drop that clears most, or puts colours on their own."""
        game, rules = self.machine.game, self.machine.rules
        assert game is not None
        best = (-1000.0, 0, 0)
        for orientation in range(4):
            for column in range(8):
                cells, links = game.players[player].cells.copy(), game.players[player].links.copy()
                row = -1
                while fits(cells, rules, (orientation, column, row + 1)):
                    row += 1
                if row >= 0:
                    put_piece(cells, links, rules, (orientation, column, row), game.players[player].current)
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


def mashed(seed: int) -> Iterator[tuple[Pad, Pad]]:
    """Random pads without end: some held, some tapped, now and then START."""
    rng = np.random.default_rng(seed)
    held, left = [Pad.NONE, Pad.NONE], [0, 0]
    while True:
        for port in (0, 1):
            left[port] -= 1
            if left[port] < 0:
                held[port] = ANYTHING[rng.integers(len(ANYTHING))]
                left[port] = int(rng.integers(30 if rng.random() < 0.2 else 4))
                if rng.random() < 0.01:
                    held[port], left[port] = Pad.START, 1
        yield held[0], held[1]


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
