"""Rows of garbage that an opponent sends: where they come, what they push up, and when; and what a clear tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot import games
from emubot.games.tetris.simulator.garbage import raise_rows
from emubot.games.tetris.simulator.machine import TetrisMachine
from emubot.machine import ROW, Versus
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot
from emubot.rammap import load_map
from emubot.snapshot import Phase
from tests.arena.playing import enter_game

MAP = load_map("nes_tetris_usa")
DECODE = games.open_edition(MAP).decoder()
GARBAGE = MAP.reader().kinds.index("garbage")


def field(machine: TetrisMachine) -> NDArray[Any]:
    return np.array(DECODE(machine.ram.tobytes()).playfield)


def new_game() -> TetrisMachine:
    machine = TetrisMachine(MAP, np.random.default_rng(3))
    enter_game(machine, MAP)
    return machine


def test_rows_push_the_field_up_and_what_leaves_the_top_is_lost() -> None:
    page = np.arange(256, dtype=np.int64)
    page[200:] = 7
    raise_rows(page, 2, 3)
    assert page[:180].tolist() == list(range(20, 200)), "the field, two rows higher"
    assert page[180:200].tolist() == [0x78, 0x78, 0x78, 0xEF, *[0x78] * 6] * 2, "two rows with a hole at column 3"
    assert page[200:].tolist() == [7] * 56, "nothing else"


def test_more_rows_than_the_field_has_fill_it() -> None:
    page = np.zeros(256, dtype=np.uint8)
    raise_rows(page, 99, 0)
    assert set(page[:200].tolist()) == {0x78, 0xEF}
    assert not page[200:].any()


def test_garbage_comes_before_the_next_piece() -> None:
    machine = new_game()
    assert isinstance(machine, Versus)
    machine.receive(2 * ROW)
    while DECODE(machine.ram.tobytes()).phase is Phase.PLAYING:
        machine.step((Pad.DOWN, Pad.NONE))
        assert (field(machine) != GARBAGE).all(), "never while a piece is in the air"
    while DECODE(machine.ram.tobytes()).phase is not Phase.PLAYING:
        machine.step((Pad.NONE, Pad.NONE))
    after = field(machine)
    assert (after == GARBAGE).sum(axis=1).tolist() == [0] * 18 + [9, 9]
    assert (after[18] == 0).argmax() == (after[19] == 0).argmax(), "the holes are below each other"
    assert np.count_nonzero(after[:18]) == 4, "the piece that locked, two rows higher"


@pytest.mark.jit
def test_what_is_cleared_is_told_once() -> None:
    """The sum of what is told is the game's own count of lines."""
    from emubot.bridges.simulated import SimulatedBridge

    machine = new_game()
    pilot = Pilot(SimulatedBridge(machine), Goal(pieces=60), leads=False, ram_map=MAP)
    told: list[int] = []
    while not pilot.finished:
        pilot.step()
        told += machine.sent()
    assert sum(told) == pilot.tally.lines
    assert pilot.tally.lines
