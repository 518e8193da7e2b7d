"""The next piece shown late: pieces set out without it, may change course once, and lock where they were sent last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from emubot.games.strength import Strength
from emubot.games.tetris.rules import SPAWN_ORIENTATION
from emubot.pilot import Pilot
from emubot.snapshot import Placement
from emubot.tempo import parse_taps, tempo_for_speed
from tests.pilot.recount import recount
from tests.pilot.test_pilot import GAME, MAP, Spy, pilot_on, recorded

pytestmark = pytest.mark.jit
LATE = 18


def late(bridge: Spy, taps: str, pieces: int, frames: int = LATE, level: int = 18) -> Pilot:
    return pilot_on(bridge, parse_taps(taps), level=level, pieces=pieces, strength=Strength(800, see_next=frames))


@pytest.mark.parametrize(("taps", "latency"), [("30hz", 0), ("12hz", 2), ("das", 0)])
def test_the_trace_has_every_adjustment_and_nothing_goes_astray(taps: str, latency: int, tmp_path: Path) -> None:
    bridge = Spy(seed=3, latency=latency)
    pilot = late(bridge, taps, 30)
    counts = [recount(trace, LATE) for trace in recorded(bridge, pilot, tmp_path)]
    tally = pilot.tally
    assert (tally.pieces, tally.misplaced, tally.replans) == (30, 0, 0)
    assert sum(count.pieces for count in counts) == 30
    assert sum(count.misplaced + count.replans + count.forbidden_pads for count in counts) == 0
    assert tally.adjustments == sum(count.adjustments for count in counts)
    assert 0 < tally.adjustments < 30


def test_hands_move_before_the_next_piece_is_shown() -> None:
    """Unlike with a reaction of as many frames, in which nothing is pressed."""
    bridge = Spy(seed=3)
    pilot = late(bridge, "30hz", 12)
    planned: list[int] = []
    pilot.on_plan.append(lambda placement: planned.append(bridge.frame))
    pilot.run()
    early = [sum(bool(bridge.at.get(frame + after)) for after in range(1, LATE)) for frame in planned]
    assert sum(pressed > 0 for pressed in early) > len(planned) // 2


def test_what_is_not_shown_changes_no_first_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same board and piece, beside each next piece in turn."""

    def first_plan(shown: int, frames: int) -> Placement:
        plans: list[Placement] = []
        pilot = late(Spy(seed=3), "30hz", 1, frames)
        decode = GAME.open(MAP).decoder()
        monkeypatch.setattr(pilot, "_decode", lambda ram: replace(decode(ram), next=(shown,)))
        pilot.on_plan.append(plans.append)
        while not plans:
            pilot.step()
        return plans[0]

    pieces = list(map(int, SPAWN_ORIENTATION))
    assert len({first_plan(shown, LATE) for shown in pieces}) == 1
    assert len({first_plan(shown, 0) for shown in pieces}) > 1


def test_shown_at_once_is_the_play_without_it() -> None:
    def points(frames: int | None) -> tuple[int | None, int, int]:
        strength = Strength(800) if frames is None else Strength(800, see_next=frames)
        tally = pilot_on(Spy(seed=3), tempo_for_speed(10), pieces=30, strength=strength).run()
        return tally.score, tally.nodes, tally.adjustments

    assert points(0) == points(None)
    assert points(None)[2] == 0


def test_a_lost_press_before_it_is_shown_is_a_replan_as_ever(tmp_path: Path) -> None:
    bridge = Spy(seed=1, drop_rate=0.05)
    pilot = late(bridge, "12hz", 60)
    counts = [recount(trace, LATE) for trace in recorded(bridge, pilot, tmp_path)]
    assert pilot.tally.replans > 0
    assert pilot.tally.replans == sum(count.replans for count in counts)
