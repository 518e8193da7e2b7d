"""The family of matching games keeps the promises of a family, and its thinker plans what it says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from emubot.errors import UsageError
from emubot.games import names
from emubot.games.check import check_game
from emubot.games.colours.decode.frame import MatchingSnapshot
from emubot.games.colours.matching import GAME
from emubot.games.strength import Strength
from emubot.pad import Pad
from emubot.rammap import load_map, parse_map
from emubot.snapshot import Phase, Piece, Placement
from emubot.tempo import InputState, parse_taps
from emubot.weights import load_weights
from tests.families import default_edition, whole_edition

MAP = load_map("demo_capsules")


def test_the_family_is_built_in() -> None:
    assert "matching" in names()


@pytest.mark.jit
def test_the_family_keeps_its_promises() -> None:
    check_game(GAME, pieces=9)


@pytest.fixture(scope="module")
def snapshot() -> MatchingSnapshot:
    """The first frame under control of a game on the simulator."""
    machine = whole_edition(MAP).simulator.machine(np.random.default_rng(5))
    decode = GAME.open(MAP).decoder()
    for frame in range(600):
        machine.step((Pad.START if frame in (4, 12) else Pad.NONE, Pad.NONE))
        found = decode(machine.ram.tobytes())
        if found.phase is Phase.PLAYING:
            assert isinstance(found, MatchingSnapshot)
            return found
    raise AssertionError("no piece came under control")


def test_a_decision_can_be_rerouted_previewed_and_prepared(snapshot: MatchingSnapshot) -> None:
    thinker = GAME.open(MAP).thinker(load_weights("capsules"), parse_taps("12hz"))
    decision = thinker.decide(snapshot, InputState())
    chosen = decision.placement
    assert chosen is not None
    last = chosen.timeline[-1]
    assert (last.orientation, last.column, last.row) == (chosen.orientation, chosen.column, chosen.row)
    again = thinker.reroute(snapshot, InputState(), chosen)
    assert again == chosen
    assert again is not None
    assert again.timeline == chosen.timeline
    assert thinker.reroute(snapshot, InputState(), Placement(0, 0, 0)) is None, "it does not lock in the air"
    planned = thinker.preview(snapshot, chosen)
    assert planned is not None
    assert 0 <= planned.column < 8
    thinker.prepare(snapshot, chosen)
    assert thinker.decide(snapshot, InputState()).placement == chosen


def test_without_timing_single_inputs_are_planned(snapshot: MatchingSnapshot) -> None:
    text = MAP.path.read_text(encoding="utf-8")
    untimed = parse_map(re.sub(r"(?s)timing:.*?spawn_delay: 20\n", "", text), "untimed")
    assert "gravity" not in untimed.timing
    thinker = GAME.open(untimed).thinker(load_weights("capsules"), parse_taps("12hz"))
    chosen = thinker.decide(snapshot, InputState()).placement
    assert chosen is not None
    assert not chosen.timeline
    assert GAME.open(untimed).predict(snapshot, [Pad.LEFT]) is snapshot


def test_no_piece_no_placement(snapshot: MatchingSnapshot) -> None:
    thinker = GAME.open(MAP).thinker(load_weights("capsules"), parse_taps("12hz"))
    assert thinker.decide(replace(snapshot, current=None), InputState()).placement is None
    with pytest.raises(UsageError, match="--nodes"):
        GAME.open(MAP).thinker(load_weights("capsules"), parse_taps("12hz"), Strength(10_000_000))


def test_a_piece_is_drawn_in_its_orientation(snapshot: MatchingSnapshot) -> None:
    kinds = snapshot.counters["kind_1"], snapshot.counters["kind_2"]
    drawn = default_edition(GAME.name).depiction.cells(snapshot, Piece(1, 3, 5))
    assert [(cell.column, cell.row, cell.kind) for cell in drawn] == [(3, 4, kinds[0]), (3, 5, kinds[1])]
    assert [cell.kind for cell in default_edition(GAME.name).depiction.next_cells(snapshot)] == list(snapshot.next)
    assert default_edition(GAME.name).summary(snapshot)["stages"] == 0
