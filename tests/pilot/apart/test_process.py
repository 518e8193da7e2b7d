"""The planning process by itself: orders as lines, one answer each, and nothing before it was told for whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emubot import games
from emubot.bridges.image import image_reader
from emubot.bridges.protocol import BridgeFacts
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.strength import Strength
from emubot.pilot import Goal, Pilot
from emubot.pilot.apart import process
from emubot.pilot.apart.wire import Answer, Ask, Begin, Between, Order, Prepare, Ready, Refused, Reply, line_of
from emubot.rammap import load_map
from emubot.tempo import tempo_for_speed

pytestmark = pytest.mark.jit
RAM_MAP = load_map("demo_pairs")
QUICK = Strength(nodes=0)


@pytest.fixture
def bridge() -> SimulatedBridge:
    simulator = games.open_edition(RAM_MAP).simulator
    assert simulator is not None
    return SimulatedBridge(simulator.machine(np.random.default_rng(3)))


def begin(facts: BridgeFacts, **changes: Any) -> Begin:
    wanted = {
        "ram_map": RAM_MAP.text, "name": RAM_MAP.name, "sha1": None, "weights": None, "tempo": tempo_for_speed(10),
        "strength": QUICK, "wanted": QUICK, "variety": None, "facts": facts, "player": 0, "ahead": True,
    }  # fmt: skip
    return Begin(**wanted | changes)


def ask(ram: bytes, number: int = 1) -> Ask:
    return Ask(
        number=number, piece=0, ram=ram, pads=(0,), held=0, rest=0, turn_rest=0, diverted=None, shown=True, wait=0,
        preview=False,
    )  # fmt: skip


def replies(*orders: Order) -> list[Reply]:
    said: list[Reply] = []
    process.serve(map(line_of, orders), said.append)
    return said


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "leave_to_parent", lambda: None)


def memory(bridge: SimulatedBridge, in_the_air: bool) -> bytes:
    """The memory of the first frame with a piece in the air, or the one that the console starts with."""
    edition = games.open_edition(RAM_MAP)
    read, pilot = image_reader(bridge, RAM_MAP.spaces, RAM_MAP.used, RAM_MAP.clock), Pilot(bridge, Goal(), edition)
    while in_the_air and edition.decoder()(read()).current is None:
        pilot.step()
    return read()


def test_a_piece_gets_a_way_that_begins_where_it_is(bridge: SimulatedBridge) -> None:
    ready, answer = replies(begin(bridge.facts), ask(memory(bridge, True), 7), Prepare())
    assert isinstance(ready, Ready)
    assert isinstance(answer, Answer)
    assert answer.number == 7
    assert answer.way is not None
    assert answer.at is not None


def test_where_no_piece_is_there_is_no_way(bridge: SimulatedBridge) -> None:
    _, answer = replies(begin(bridge.facts), ask(memory(bridge, False)))
    assert isinstance(answer, Answer)
    assert (answer.way, answer.at, answer.milliseconds) == (None, None, 0.0)


def test_nothing_is_answered_before_it_is_known_for_whom(bridge: SimulatedBridge) -> None:
    ram = memory(bridge, True)
    assert replies(ask(ram), Prepare(), Between(ram=ram)) == []


def test_weights_that_are_not_there_are_refused_and_end_it(bridge: SimulatedBridge) -> None:
    (refused,) = replies(begin(bridge.facts, weights="nobody"), begin(bridge.facts))
    assert isinstance(refused, Refused)
    assert "nobody" in refused.sentence
