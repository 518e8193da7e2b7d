"""Both tiers decide alike at equal depth: a real process of uncompiled kernels against compiled ones here."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from emubot import games
from emubot.bridges.simulated import SimulatedBridge
from emubot.games.strength import Strength
from emubot.pilot import Goal, Pilot
from emubot.pilot.apart.link import ProcessLink
from emubot.pilot.apart.mind import ApartMind
from emubot.pilot.skill import Mind, Skill
from emubot.rammap import load_map
from emubot.snapshot import Placement, Step

pytestmark = pytest.mark.jit
TWO_PLIES = Strength(nodes=0)


def chosen(ram_map: str, pieces: int, mind: Mind | ApartMind | None) -> list[tuple[Placement, float, tuple[Step, ...]]]:
    """Returns the placement of each piece, with its value and its way."""
    edition = games.open_edition(load_map(ram_map))
    assert edition.simulator is not None
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(7)))
    pilot = Pilot(bridge, Goal(pieces), edition, Skill(strength=TWO_PLIES), mind)
    plans: list[Placement] = []
    pilot.on_plan.append(plans.append)
    pilot.run()
    assert pilot.tally.misplaced == 0
    return [(plan, plan.value, plan.timeline) for plan in plans]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("ram_map", "pieces"), [("nes_tetris_usa", 12), ("demo_pairs", 5), ("demo_capsules", 2), ("simulated_columns", 3)]
)
def test_uncompiled_kernels_find_what_compiled_ones_find(ram_map: str, pieces: int) -> None:
    mind = ApartMind(None, TWO_PLIES, paced=False, is_compiled=lambda: False, link=ProcessLink)
    with contextlib.closing(mind):
        assert chosen(ram_map, pieces, mind) == chosen(ram_map, pieces, None)
