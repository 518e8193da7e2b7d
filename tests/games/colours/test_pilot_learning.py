"""The pilot with the shipped map of the original, on a simulated cartridge that keeps its memory as the demo does."""

from __future__ import annotations

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.colours.timing import PAIRS
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, load_map
from emubot.snapshot import Phase, Placement
from emubot.weights import load_weights
from tests.families import whole_edition, whole_game

pytestmark = pytest.mark.jit
GAME = whole_game("puyo")
TRUTH, SHIPPED = load_map("demo_pairs"), load_map("famicom_puyo")


def learning(seed: int, pieces: int | None = None, games_wanted: int | None = None) -> tuple[SimulatedBridge, Pilot]:
    bridge = SimulatedBridge(whole_edition(TRUTH).simulator.machine(np.random.default_rng(seed)))
    return bridge, Pilot(bridge, Goal(pieces, games_wanted), GAME.open(SHIPPED), Skill(load_weights("reference")))


def paused(bridge: SimulatedBridge, pilot: Pilot, frames: int) -> set[Phase]:
    """Somebody pauses the game and goes on after so many frames; the phases that the pilot saw."""
    seen = set()
    for frame in range(frames + 8):
        if frame in (0, frames):
            bridge.press(0, Pad.START)
        elif frame in (1, frames + 1):
            bridge.press(0, Pad.NONE)
        pilot.step()
        seen.add(pilot._last)
    return seen


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_it_plans_to_the_frame_once_the_clock_is_measured(seed: int) -> None:
    _, pilot = learning(seed, pieces=60)
    placements: list[Placement] = []
    pilot.on_plan.append(placements.append)
    maps: list[RamMap] = []
    pilot.on_map.append(maps.append)
    tally = pilot.run()
    timed = [dict(ram_map.timing) for ram_map in maps if "gravity" in ram_map.timing]
    assert timed, "the fall was measured"
    for timing in timed:
        assert timing["gravity"] == PAIRS.gravity[: len(timing["gravity"])]
        assert timing["soft_drop"] == PAIRS.soft_drop
    assert not placements[0].timeline
    assert sum(bool(placement.timeline) for placement in placements) >= 20
    assert (tally.pieces, tally.misplaced) == (60, 0)


@pytest.mark.few(1)
@pytest.mark.parametrize("length", [4, 150])
def test_after_a_pause_nothing_is_planned_that_cannot_be_read(length: int) -> None:
    bridge, pilot = learning(5)
    unread: list[Placement] = []
    pilot.on_plan.append(lambda placement: unread.append(placement) if pilot.learner.blind else None)  # type: ignore[union-attr]
    seen: set[Phase] = set()
    while pilot.tally.pieces < 30:
        before = pilot.tally.pieces
        while pilot.tally.pieces == before or pilot._control.piece is None:
            pilot.step()
        if before < 12:
            seen |= paused(bridge, pilot, length)
    assert unread == []
    assert pilot.tally.misplaced == 0
    assert (Phase.PAUSED in seen) == (length > 90), "a long pause is noticed although the map cannot tell it"


def test_going_back_in_time_forgets_the_field_and_not_the_codes() -> None:
    bridge, pilot = learning(7)
    while pilot.tally.pieces < 25:
        pilot.step()
    known = pilot.edition.ram_map.codes
    bridge.epoch += 1
    while pilot.tally.pieces < 40:
        pilot.step()
    assert not pilot.learner.blind  # type: ignore[union-attr]
    assert known.items() <= pilot.edition.ram_map.codes.items()
    assert pilot.tally.misplaced == 0


def test_a_game_that_ends_is_counted_though_the_map_has_no_end() -> None:
    bridge, pilot = learning(3, games_wanted=1)
    while pilot.tally.pieces < 20:
        pilot.step()
    real = bridge.press
    bridge.press = lambda port, pad: real(port, Pad.DOWN)  # type: ignore[method-assign]
    for _ in range(6000):
        if pilot.finished:
            break
        pilot.step()
    assert (pilot.result, pilot.tally.games) == ("game over", 1)
