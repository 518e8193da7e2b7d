"""Whole games through the scripted server, on the families' simulators: every piece where it was meant to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emubot.bridges.nintaco import connect
from emubot.bridges.nintaco.route import RouteName
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import load_map
from emubot.tempo import tempo_for_speed
from tests.bridges.nintaco.fake_server import FakeNintaco
from tests.bridges.nintaco.fake_wire import Fault
from tests.families import whole_edition, whole_game

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("ports")]


def game(family: str, seed: int = 1) -> tuple[Any, Any]:
    """A family's simulator and its map."""
    ram_map = load_map(whole_game(family).facts.default_map)
    return whole_edition(ram_map).simulator.machine(np.random.default_rng(seed)), ram_map


@pytest.mark.few(2)
@pytest.mark.parametrize("pieces", [4, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("route", ["access", "frame"])
@pytest.mark.parametrize(("family", "asked"), [("tetris", {"level": 18}), ("puyo", {})])
def test_every_piece_locks_where_it_was_meant_to(
    family: str, asked: dict[str, int], route: RouteName, pieces: int
) -> None:
    machine, ram_map = game(family)
    with FakeNintaco(machine=machine, polls=1) as server, connect(port=server.port, route=route) as bridge:
        pilot = Pilot(
            bridge,
            Goal(pieces, games=None, menu_choices=asked),
            edition=whole_edition(ram_map),
            skill=Skill(tempo=tempo_for_speed(10)),
        )
        tally = pilot.run()
        assert (tally.pieces, tally.misplaced, tally.replans) == (pieces, 0, 0)
        assert not tally.lag_frames
        assert (bridge.skipped, bridge.epoch, bridge.facts.latency) == (0, 0, int(route == "frame"))
        assert server.written <= {0}, "the other port is never written"


def test_a_game_goes_on_after_the_connection_was_lost() -> None:
    machine, ram_map = game("tetris")
    with FakeNintaco(machine=machine, polls=1) as server, connect(port=server.port, route="frame") as bridge:
        pilot = Pilot(bridge, Goal(8, games=None, menu_choices={"level": 9}), edition=whole_edition(ram_map))
        while not pilot.finished:
            if pilot.frames in (250, 350):
                server.fault = Fault("cut", sent=server.sent + 20)
            pilot.step()
        assert bridge.epoch == 2
        assert pilot.tally.pieces == 8
        assert pilot.tally.misplaced == 0


@pytest.mark.parametrize("probe_first", [False, True])
def test_the_route_is_chosen_by_what_is_seen(probe_first: bool) -> None:
    """Whatever is chosen, what the pilot plans with is right; where the game reads no pads this way it is the frame."""
    machine, ram_map = game("tetris")
    with FakeNintaco(machine=machine, polls=1, probe_first=probe_first) as server:
        with connect(port=server.port, route="frame") as bridge:
            assert bridge.facts.latency == int(not probe_first)
        with connect(port=server.port) as bridge:
            tally = Pilot(bridge, Goal(2, games=None, menu_choices={"level": 9}), edition=whole_edition(ram_map)).run()
            assert (tally.misplaced, tally.replans) == (0, 0)
    with FakeNintaco(polls=0) as server, connect(port=server.port) as bridge:
        assert bridge.facts.latency == 1
