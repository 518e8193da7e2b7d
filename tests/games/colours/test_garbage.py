"""Garbage that another game sends to a one-player game of colours, and the chains and lines that such a game tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.matching_rules import COLORS
from emubot.games.colours.rules import NUISANCE
from emubot.machine import Versus
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase
from tests.arena.playing import enter_game
from tests.families import whole_edition

PAIRS, CAPSULES, COLUMNS = (load_map(name) for name in ("demo_pairs", "demo_capsules", "simulated_columns"))


def new_game(ram_map: RamMap) -> Any:
    machine = whole_edition(ram_map).simulator.machine(np.random.default_rng(3))
    assert isinstance(machine, Versus)
    enter_game(machine, ram_map, {"items": 0} if ram_map is PAIRS else {})
    return machine


def test_nuisance_falls_after_the_next_lock() -> None:
    machine, decode = new_game(PAIRS), games.open_edition(PAIRS).decoder()
    machine.receive(8)
    while decode(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
    while decode(machine.ram.tobytes()).phase is Phase.PLAYING:
        machine.step((Pad.DOWN, Pad.NONE))
        assert (decode(machine.ram.tobytes()).playfield != NUISANCE).all()
    while decode(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
    assert (decode(machine.ram.tobytes()).playfield == NUISANCE).sum() == 8


@pytest.mark.parametrize("ram_map", [CAPSULES, COLUMNS])
def test_halves_fall_after_the_next_lock_a_row_at_a_time(ram_map: RamMap) -> None:
    machine, decode = new_game(ram_map), games.open_edition(ram_map).decoder()

    def loose() -> int:
        cells = decode(machine.ram.tobytes()).playfield
        return int(((cells >= 1) & (cells <= COLORS)).sum())

    def step_while(playing: bool) -> None:
        while (decode(machine.ram.tobytes()).phase is Phase.PLAYING) is playing:
            machine.step((Pad.DOWN, Pad.NONE))

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


@pytest.mark.parametrize("ram_map", [CAPSULES, COLUMNS])
def test_no_more_halves_wait_than_the_field_has_cells(ram_map: RamMap) -> None:
    machine, decode = new_game(ram_map), games.open_edition(ram_map).decoder()
    for _ in range(9):
        machine.receive(30)
        machine.step((Pad.NONE, Pad.NONE))
    snapshot = decode(machine.ram.tobytes())
    assert snapshot.counters["pending"] == snapshot.playfield.size


@pytest.mark.parametrize("ram_map", [CAPSULES, COLUMNS])
def test_halves_that_come_while_others_fall_wait_for_the_next_lock(ram_map: RamMap) -> None:
    machine, decode = new_game(ram_map), games.open_edition(ram_map).decoder()
    machine.receive(1)
    while decode(machine.ram.tobytes()).counters["pieces"] < 1:
        machine.step((Pad.NONE, Pad.NONE))
    for frame in range(2_000):
        if decode(machine.ram.tobytes()).counters["pieces"] > 1:
            break
        machine.step((Pad.DOWN, Pad.NONE))
        machine.receive(frame % 20 == 0)
    else:
        pytest.fail("with a half every 20 frames no piece followed in 2,000: the other side would win at its leisure")


@pytest.mark.few(1)
@pytest.mark.jit
@pytest.mark.parametrize("ram_map", [PAIRS, CAPSULES])
def test_chains_and_moves_are_told_once_with_their_points_or_lines(ram_map: RamMap) -> None:
    machine = new_game(ram_map)
    pilot = Pilot(SimulatedBridge(machine), Goal(pieces=60), leads=False, ram_map=ram_map)
    told: list[int] = []
    while not pilot.finished:
        pilot.step()
        told += machine.sent()
    assert told
    assert min(told) > 0
    if ram_map is PAIRS:
        assert sum(told) <= (pilot.tally.score or 0), "but for points of falling and all-clears"
    assert not machine.sent()
