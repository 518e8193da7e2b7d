"""Halves that another game sends to a one-player game of capsules, and the lines that such a game tells of."""

from __future__ import annotations

import numpy as np
import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.matching_rules import COLORS
from emubot.games.colours.simulator.machine import MatchingMachine
from emubot.machine import Versus
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase
from tests.arena.playing import enter_game

CAPSULES, COLUMNS = load_map("demo_capsules"), load_map("simulated_columns")


def new_game(ram_map: RamMap) -> MatchingMachine:
    machine = MatchingMachine(ram_map, np.random.default_rng(3))
    enter_game(machine, ram_map)
    return machine


@pytest.mark.parametrize("ram_map", [CAPSULES, COLUMNS])
def test_halves_fall_after_the_next_lock_a_row_at_a_time(ram_map: RamMap) -> None:
    machine, decode = new_game(ram_map), games.open_edition(ram_map).decoder()

    def loose() -> int:
        cells = decode(machine.ram.tobytes()).playfield
        return int(((cells >= 1) & (cells <= COLORS)).sum())

    def step_while(playing: bool) -> None:
        while (decode(machine.ram.tobytes()).phase is Phase.PLAYING) is playing:
            machine.step((Pad.DOWN, Pad.NONE))

    assert isinstance(machine, Versus)
    step_while(playing=False)
    columns = machine.rules.columns
    machine.receive(columns + 1)
    step_while(playing=True)
    locked = loose()
    most = 0
    while decode(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
        most = max(most, int((decode(machine.ram.tobytes()).playfield[0] != 0).sum()))
    assert most == columns
    assert loose() == locked + columns + 1, "none of these colours makes a line"


@pytest.mark.jit
def test_lines_are_told_once_move_by_move() -> None:
    machine = new_game(CAPSULES)
    pilot = Pilot(SimulatedBridge(machine), Goal(pieces=60), leads=False, ram_map=CAPSULES)
    told: list[int] = []
    while not pilot.finished:
        pilot.step()
        told += machine.sent()
    assert told
    assert min(told) > 0
    assert not machine.sent()
