"""Pieces of two with two orientations: their halves keep their places, or change them by two turns."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from emubot.bridges.simulated import SimulatedBridge
from emubot.errors import MapError
from emubot.games.colours.board.turning import piece_turning
from emubot.games.colours.decode.map_checks import check_matching
from emubot.pad import Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.rammap import RamMap, parse_map
from emubot.snapshot import Phase, Placement
from emubot.tempo import parse_taps
from emubot.weights import load_weights
from tests.families import whole_edition
from tests.games.colours.matching_playing import DEMO, started

FLAT, UPRIGHT, OVER = "[[0, 0], [1, 0]]", "[[0, -1], [0, 0]]", "[[0, 0], [0, -1]]"


def map_of(*pieces: tuple[str, str, str]) -> RamMap:
    """The demo's map with these pieces: cells, the turn clockwise and the one back."""
    rows = [
        f"  - {{ id: {number}, piece: pair, cells: {cells}, clockwise: {turn}, counterclockwise: {back} }}"
        for number, (cells, turn, back) in enumerate(pieces)
    ]
    text = re.sub(r"(?m)^  - \{ id: 0, .*\n(  - .*\n)+", "\n".join(rows) + "\n", DEMO)
    return parse_map(text, "two_turns")


KEEPING = map_of((FLAT, "1", "1"), (UPRIGHT, "0", "0"))
LEANING = map_of((FLAT, "1", "1"), (OVER, "0", "0"))
SWAPPING = map_of((FLAT, "1", "{ to: 1, cycle: 1 }"), (UPRIGHT, "{ to: 0, cycle: 1 }", "0"))
SWAPPED = map_of((FLAT, "{ to: 1, cycle: 1 }", "1"), (OVER, "0", "{ to: 0, cycle: 1 }"))


@pytest.mark.parametrize(
    ("ram_map", "turns", "swaps"),
    [
        (KEEPING, (0, 1), False),
        (LEANING, (3, 0), False),
        (SWAPPING, (0, 1, 2, 3), True),
        (SWAPPED, (3, 0, 1, 2), True),
    ],
    ids=["keeping", "leaning", "swapping", "swapped"],
)
def test_the_turns_are_those_of_the_map(ram_map: RamMap, turns: Sequence[int], swaps: bool) -> None:
    rules = check_matching(ram_map)
    assert (rules.orientations, rules.swaps, rules.exchanges) == (turns, swaps, swaps)
    assert rules.spawn.orientation == 0
    assert piece_turning(rules, (2, 1)).shown == turns
    assert piece_turning(rules, (1, 1)).shown == turns[:2]


@pytest.mark.parametrize(
    "pieces",
    [
        ((FLAT, "1", "1"), ("[[1, 0], [0, 0]]", "0", "0")),
        ((FLAT, "1", "1"), (UPRIGHT, "{ to: 0, cycle: 1 }", "0")),
        ((FLAT, "{ to: 1, cycle: 1 }", "1"), (UPRIGHT, "0", "{ to: 0, cycle: 1 }")),
    ],
    ids=["both flat", "back by one turn", "the other way round"],
)
def test_other_turns_are_refused(pieces: Sequence[tuple[str, str, str]]) -> None:
    with pytest.raises(MapError, match="two orientations whose turns are none of a piece of two"):
        check_matching(map_of(*pieces))


@pytest.mark.parametrize("ram_map", [KEEPING, LEANING, SWAPPING, SWAPPED])
def test_each_frame_is_as_predicted(ram_map: RamMap) -> None:
    machine, edition, rng = started(ram_map), whole_edition(ram_map), np.random.default_rng(4)
    decode = edition.decoder()
    seen = set()
    for _ in range(1200):
        before = decode(machine.ram.tobytes())
        pad = (Pad.NONE, Pad.A, Pad.B, Pad.LEFT, Pad.RIGHT)[rng.integers(5)]
        machine.step((pad, Pad.NONE))
        after = decode(machine.ram.tobytes())
        if before.phase is Phase.PLAYING and after.phase is Phase.PLAYING and after.counters["kind_1"]:
            ahead = edition.predict(before, [pad])
            assert (ahead.current, ahead.next) == (after.current, before.next)
            assert after.current is not None
            seen.add(after.current.orientation)
    assert seen == {*check_matching(ram_map).orientations}


@pytest.mark.jit
@pytest.mark.parametrize("ram_map", [KEEPING, LEANING, SWAPPING, SWAPPED])
def test_a_game_is_played(ram_map: RamMap) -> None:
    placements: list[Placement] = []
    edition = whole_edition(ram_map)
    bridge = SimulatedBridge(edition.simulator.machine(np.random.default_rng(3)))
    pilot = Pilot(bridge, Goal(25, games=None), edition, Skill(load_weights("capsules"), parse_taps("15hz")))
    pilot.on_plan.append(placements.append)
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (25, 0, 0)
    assert {placement.orientation for placement in placements} == {*check_matching(ram_map).orientations}
