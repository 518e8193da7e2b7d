"""Driving a simulated pairs cartridge in tests: through the menus into a game, random pads, what is seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emubot.games.colours.decode.decode import Decoder
from emubot.games.colours.rules import VERSUS
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.games.colours.simulator.simulator import Simulator
from emubot.games.screens import GameState
from emubot.pad import Pad
from emubot.rammap import RamMap
from emubot.snapshot import Snapshot

PADS = (Pad.NONE, Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.DOWN, Pad.A | Pad.LEFT, Pad.B | Pad.RIGHT)


def tap(machine: PuyoMachine, *buttons: Pad) -> None:
    """Each button for one frame, then the frames a screen may take to draw."""
    for button in buttons:
        machine.step((button, Pad.NONE))
        for _ in range(3):
            machine.step((Pad.NONE, Pad.NONE))


def started(ram_map: RamMap, seed: int | None = None, players: int = 1) -> PuyoMachine:
    """A machine on the frame in which the first pair comes under control."""
    machine = PuyoMachine(ram_map, None if seed is None else np.random.default_rng(seed))
    tap(machine, Pad.START)
    if players == 2:
        tap(machine, Pad.SELECT)
        assert machine.console.mode == VERSUS
    machine.step((Pad.START, Pad.NONE))
    while not (machine.game and machine.game.players[0].spawned):
        machine.step((Pad.NONE, Pad.NONE))
    return machine


def running(machine: PuyoMachine) -> Simulator:
    assert machine.game is not None
    return machine.game


def mash(machine: PuyoMachine, frames: int, seed: int = 0) -> Iterator[tuple[Pad, Pad]]:
    """Random pads on both ports until the frames are over or the game is; each is yielded after its frame."""
    rng = np.random.default_rng(seed)
    for _ in range(frames):
        pads = (PADS[rng.integers(len(PADS))], PADS[rng.integers(len(PADS))])
        machine.step(pads)
        yield pads
        if machine.console.screen is GameState.OVER:
            return


def seen(machine: PuyoMachine, decode: Decoder) -> Snapshot:
    return decode(machine.ram.tobytes())
