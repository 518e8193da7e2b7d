"""A demo cartridge in a real core beside its simulator: the same pads, every named value compared in every frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emubot.bridges.libretro import LibretroBridge
from emubot.machine import Machine
from emubot.pad import Pad
from emubot.rammap import RamMap

LAG_COUNTER = 0x0012  # the cartridge counts its own lag frames here, two bytes
PAUSED, OVER = 3, 4  # values of game_state
BUTTONS = (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.DOWN, Pad.DOWN)
ANYTHING = (*BUTTONS, Pad.UP, Pad.SELECT, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT, Pad.A | Pad.B, Pad.DOWN | Pad.LEFT)


def lag_frames_of(bridge: LibretroBridge) -> int:
    return int.from_bytes(bridge.read("ram", LAG_COUNTER, 2), "little")


class CoreTwins:
    """A cartridge and the simulator of its map; `step` raises AssertionError with what differs after the frame."""

    def __init__(self, bridge: LibretroBridge, ram_map: RamMap, machine: Machine) -> None:
        self.bridge, self._simulated = bridge, machine
        self._readers = [ram_map.reader(player) for player in (0, 1)]
        self._select = [reader.select(sorted(reader.names)) for reader in self._readers]
        for _ in range(20):  # the console starts, the title is drawn
            bridge.advance()
        self.ram = bridge.read("ram", 0, 2048)
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
        self._simulated.step(both)
        self.ram = self.bridge.read("ram", 0, 2048)
        self.frames += 1
        simulated = self._simulated.ram.tobytes()
        for number, (reader, select) in enumerate(zip(self._readers, self._select, strict=True)):
            where = f"frame {self.frames}, player {number + 1}"
            real, ours = select(self.ram), select(simulated)
            differing = [pair for pair in zip(sorted(reader.names), real, ours, strict=True) if pair[1] != pair[2]]
            assert not differing, f"{where}: (name, cartridge, simulated) {differing}"
            for part in (reader.playfield, reader.hidden, reader.links):
                assert np.array_equal(part(self.ram), part(simulated)), f"{where}: {part.__name__}"

    def tap(self, pad: Pad) -> None:
        """Press for two frames, then wait until a screen that this may have asked for is drawn."""
        for held in (pad, pad, Pad.NONE, Pad.NONE):
            self.step(held)

    def choose(self, *wanted: tuple[str, int, Pad, Pad]) -> None:
        """From the title, or from a game that is over, into a game with these (name, value, pad up, pad down)."""
        self.tap(Pad.START)
        for name, value, up, down in wanted:
            while (now := self.value(name)) != value:
                self.tap(up if now < value else down)
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
