"""Nuisance that another game sends to a one-player game of pairs, and the chains that such a game tells of."""

from __future__ import annotations

import numpy as np
import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.rules import NUISANCE
from emubot.games.colours.simulator.machine import PuyoMachine
from emubot.machine import Versus
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.snapshot import Phase
from tests.arena.playing import enter_game

MAP = load_map("demo_pairs")
DECODE = games.open_edition(MAP).decoder()


def new_game() -> PuyoMachine:
    machine = PuyoMachine(MAP, np.random.default_rng(3))
    enter_game(machine, MAP, {"items": 0})
    return machine


def test_nuisance_falls_after_the_next_lock() -> None:
    machine = new_game()
    assert isinstance(machine, Versus)
    machine.receive(8)
    while DECODE(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
    while DECODE(machine.ram.tobytes()).phase is Phase.PLAYING:
        machine.step((Pad.DOWN, Pad.NONE))
        assert (DECODE(machine.ram.tobytes()).playfield != NUISANCE).all()
    while DECODE(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
    assert (DECODE(machine.ram.tobytes()).playfield == NUISANCE).sum() == 8


@pytest.mark.jit
def test_chains_are_told_once_with_their_points() -> None:
    machine = new_game()
    pilot = Pilot(SimulatedBridge(machine), Goal(pieces=60), leads=False, ram_map=MAP)
    told: list[int] = []
    while not pilot.finished:
        pilot.step()
        told += machine.sent()
    assert told
    assert sum(told) <= (pilot.tally.score or 0), "but for points of falling and all-clears"
    assert not machine.sent()
