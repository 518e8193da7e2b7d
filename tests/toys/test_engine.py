"""The engine in real cores beside its twin: every byte that a map can name, in every frame, and no lag frame."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from emubot.bridges.libretro import LibretroBridge, connect
from emubot.pad import Pad
from tests.bridges.cores import CORES, require_core
from tests.demos.test_pairs_cores import overwrite
from tests.toys.addresses import (
    FRAMES,
    LAG_FRAMES,
    RAM_SIZE,
    SPRITES,
    STATE,
    STATE_BLOCK,
    WRAM_BASE,
    WRAM_SIZE,
    index_of,
)
from tests.toys.cartridge import build
from tests.toys.filler import Filler
from tests.toys.machine import ToyMachine
from tests.toys.shelf import TOYS
from tests.toys.toy import CLEARING, OVER, PICK, PLAYING, SECOND, TITLE, Toy

PADS = (*[Pad.NONE] * 3, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT)
ANY = (*PADS, Pad.DOWN | Pad.RIGHT, Pad.A | Pad.B, Pad.UP, Pad.SELECT, Pad.START)
BOOT = 20  # frames in which the console starts and the screen is drawn
Pads = tuple[Pad, Pad]


class Twins:
    """An image in a core and the machine of the same toy; `step` raises AssertionError with what differs."""

    def __init__(self, bridge: LibretroBridge, toy: Toy) -> None:
        self.bridge, self.machine, self.toy = bridge, ToyMachine(toy), toy
        for _ in range(BOOT):
            bridge.advance()
        while (self.machine.ram[FRAMES : FRAMES + 2] != self.memory()[FRAMES : FRAMES + 2]).any():
            self.machine.step((Pad.NONE, Pad.NONE))
        addresses = [toy.address(row, column) for row in range(-toy.hidden, toy.rows) for column in range(toy.columns)]
        self._cells = np.array([index_of(address) for address in addresses])
        self.frames = 0

    def memory(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """The console's RAM, and the cartridge's after it if the toy has some."""
        data = self.bridge.read("ram", 0, RAM_SIZE)
        if self.toy.needs_wram:
            data += self.bridge.read("wram", WRAM_BASE, WRAM_SIZE)
        return np.frombuffer(data, dtype=np.uint8)

    def step(self, *pads: Pad) -> None:
        """One frame of both."""
        for port, pad in enumerate(pads):
            self.bridge.press(port, pad)
        self.bridge.advance()
        self.machine.step(pads)
        self.frames += 1
        real, ours = self.memory(), self.machine.ram
        for what, where in (("state", STATE_BLOCK), ("sprites", SPRITES), ("cells", self._cells)):
            differing = np.flatnonzero(real[where] != ours[where])
            assert not len(differing), f"frame {self.frames}: {what} {differing}: {real[where]} is not {ours[where]}"


def mashed(seed: int) -> Iterator[Pads]:
    """Random pads without end: some held, some tapped."""
    rng = np.random.default_rng(seed)
    held, left = [Pad.NONE, Pad.NONE], [0, 0]
    while True:
        for port in (0, 1):
            left[port] -= 1
            if left[port] < 0:
                held[port], left[port] = ANY[rng.integers(len(ANY))], int(rng.integers(12 if rng.random() < 0.2 else 3))
        yield held[0], held[1]


def led_on(machine: ToyMachine) -> Pads:
    """The pads that lead to a game, a level higher each time."""
    wait = Pad.NONE, Pad.NONE
    if machine.ram[FRAMES] % 4:
        return wait
    higher = machine.start_level < 2
    taps = {TITLE: Pad.START, OVER: Pad.START, PICK: Pad.RIGHT if higher else Pad.START}
    return (Pad.NONE, Pad.A) if machine.state == SECOND else (taps.get(machine.state, Pad.NONE), Pad.NONE)


@pytest.mark.parametrize(
    ("core", "frames"),
    [
        pytest.param("fceumm", 1500, marks=pytest.mark.core("fceumm")),
        *(pytest.param(core, 12000, marks=[pytest.mark.core(core), pytest.mark.slow]) for core in CORES),
    ],
)
@pytest.mark.parametrize("name", TOYS)
def test_every_frame_is_the_twins(name: str, core: str, frames: int, tmp_path: Path) -> None:
    """Games that are mashed, and games that last and clear rows, in one go."""
    toy = TOYS[name]
    image = build(toy, tmp_path)
    with connect(rom=image, core=str(require_core(core)), emu_speed=None) as bridge:
        twins = Twins(bridge, toy)
        random, filler = mashed(seed=len(name)), Filler(twins.machine)
        lines = 0
        for frame in range(frames):
            before = twins.machine.lines
            if twins.machine.state not in (PLAYING, OVER) and frame % 2000 < 1000:
                twins.step(*led_on(twins.machine))
            elif frame % 2000 < 1600 and twins.machine.state != OVER:
                twins.step(filler.pad(), Pad.NONE)
            else:
                twins.step(*next(random))
            lines += twins.machine.lines > before
        assert lines or frames < 10000, "rows vanished too"
        assert int.from_bytes(bridge.read("ram", LAG_FRAMES, 2), "little") == 0


@pytest.mark.core("fceumm")
@pytest.mark.parametrize("gaps", [0, 1], ids=["all rows full", "a gap in each row"])
def test_no_lag_frame_on_the_fullest_board(gaps: int, tmp_path: Path) -> None:
    """The largest board, in the frames in which rows are looked for and vanish."""
    toy = max(TOYS.values(), key=lambda one: one.columns * (one.hidden + one.rows))
    with connect(rom=build(toy, tmp_path), core=str(require_core("fceumm")), emu_speed=None) as bridge:
        twins = Twins(bridge, toy)
        while twins.machine.state != PLAYING:
            twins.step(*led_on(twins.machine))
        for row in range(toy.rows):
            for column in range(toy.columns - gaps):
                overwrite(bridge, toy.address(row, column), bytes([toy.first_code]))
        overwrite(bridge, STATE, bytes([CLEARING]))
        for _ in range(3 * toy.rows):
            bridge.advance()
        left = bridge.read("ram", toy.address(toy.rows - 1, 0), 1)[0]
        assert left == (toy.first_code if gaps else toy.empty)
        assert int.from_bytes(bridge.read("ram", LAG_FRAMES, 2), "little") == 0
