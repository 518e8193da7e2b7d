"""Timelines in which no frame changes more than one button: the same inputs in the same order, never faster."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.simulated import SimulatedBridge
from emubot.games.strength import Strength
from emubot.games.thinking import Decision
from emubot.games.variety import LOST, Choose
from emubot.pad import HORIZONTAL, Pad
from emubot.pilot import Goal, Pilot, Skill
from emubot.pilot.single_button import best_carried, spread
from emubot.rammap import load_map
from emubot.snapshot import Phase, Piece, Placement, Snapshot, Step
from tests.families import whole_edition

L, R, A, B, DOWN, NONE = Pad.LEFT, Pad.RIGHT, Pad.A, Pad.B, Pad.DOWN, Pad.NONE
INPUTS = [L, R, A, B]


def in_the_air(frame: int, of: int) -> Snapshot:
    nothing = np.zeros((0, 0), dtype=np.uint8)
    phase = Phase.PLAYING if frame < of else Phase.LOCKED
    return Snapshot(phase, "", nothing, nothing, Piece(0, 0, 0), (), {"frame": frame, "of": of})


def a_frame(snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
    """A piece that never moves and locks after so many frames."""
    return in_the_air(snapshot.counters["frame"] + len(pads), snapshot.counters["of"])


def spread_pads(pads: list[Pad], held: Pad = NONE, period: int = 2, frames: int = 300) -> list[Pad]:
    plan = Placement(0, 0, 0, tuple(Step(pad, 0, 0, 0) for pad in pads))
    found = spread(plan, in_the_air(0, frames), held, period, a_frame)
    assert found is not None
    return [step.pad for step in found.timeline]


def edges(pads: list[Pad], held: Pad) -> list[tuple[int, Pad]]:
    """Every new press but DOWN: frame and button, directions first."""
    found = []
    for frame, (before, pad) in enumerate(pairwise([held, *pads])):
        found += [(frame, button) for button in (R, L, B, A) if button in pad & ~before]
    return found


@pytest.mark.parametrize(
    ("pads", "spread_out"),
    [
        ([L | A, NONE, L, DOWN], [L, NONE, A, NONE, L, NONE, DOWN]),
        ([DOWN, DOWN, L, DOWN], [DOWN, DOWN, NONE, L, NONE, DOWN]),
        ([L | A, L, L, NONE], [L, L, L | A, L, L, NONE]),
    ],
)
def test_what_comes_together_comes_one_after_the_other(pads: list[Pad], spread_out: list[Pad]) -> None:
    found = spread_pads(pads)
    assert found[: len(spread_out)] == spread_out
    assert set(found[len(spread_out) :]) <= {pads[-1]}, "what is held at the end is held until the lock"


def test_a_timeline_that_needs_nothing_stays_the_same() -> None:
    assert spread_pads([L, NONE, A, NONE, DOWN]) == [L, NONE, A, NONE, DOWN]


taps = st.sampled_from([L, R, A, B, L | A, R | B])


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Pad], Pad, int]:
    """Taps of a frame each, a tempo's period apart, with soft drop in between; the pad held before; the period."""
    period = draw(st.integers(2, 6))
    pads: list[Pad] = []
    for tap in draw(st.lists(taps, min_size=1, max_size=8)):
        pads += [tap, *draw(st.lists(st.sampled_from([NONE, DOWN]), min_size=period - 1, max_size=period + 2))]
    return pads, draw(st.sampled_from([NONE, DOWN])), period


@given(plans())
def test_the_same_inputs_in_the_same_order_and_never_faster(plan: tuple[list[Pad], Pad, int]) -> None:
    pads, held, period = plan
    found = spread_pads(pads, held, period)
    assert all((one ^ other).bit_count() <= 1 for one, other in pairwise([held, *found]))
    assert all(pad & HORIZONTAL != HORIZONTAL for pad in found)
    wanted, made = edges(pads, held), edges(found, held)
    assert [button for _, button in made] == [button for _, button in wanted]
    assert all(later - sooner >= period for (sooner, _), (later, _) in pairwise(made))


def test_a_way_that_ends_elsewhere_is_not_taken() -> None:
    def moving(snapshot: Snapshot, pads: Sequence[Pad]) -> Snapshot:
        after = a_frame(snapshot, pads)
        return dataclasses.replace(after, current=Piece(0, 1 if L in pads else 0, 0))

    plan = Placement(0, 1, 0, (Step(L | A, 0, 1, 0), Step(L, 0, 1, 0)))
    found = spread(plan, in_the_air(0, 2), NONE, 2, moving)
    assert found is not None
    assert found.timeline[-1].column == 1
    plan = Placement(0, 1, 0, (Step(A | DOWN, 0, 0, 0), Step(L, 0, 1, 0)))
    assert spread(plan, in_the_air(0, 2), NONE, 2, moving) is None


class OneChange(SimulatedBridge):
    """A simulated bridge whose port takes one button's change a frame, releases first, as RetroArch does."""

    together = 0  # pads that pressed a button and wanted more than that

    def press(self, port: int, pad: Pad) -> None:
        changed = [button for button in Pad if button and button in pad ^ self._held[port]]
        self.together += len(changed) > 1 and any(button in pad for button in changed)
        first = next((button for button in changed if button in self._held[port]), changed[0] if changed else NONE)
        super().press(port, self._held[port] ^ first)


@pytest.mark.few(2)
@pytest.mark.jit
@pytest.mark.parametrize(("family", "level"), [("tetris", 5), ("tetris", 18), ("puyo", 0), ("puyo", 9)])
def test_pieces_are_placed_by_one_change_a_frame(family: str, level: int) -> None:
    ram_map = load_map({"tetris": "nes_tetris_usa", "puyo": "demo_pairs"}[family])
    bridge = OneChange(whole_edition(ram_map).simulator.machine(np.random.default_rng(3)), latency=1)
    bridge._facts = dataclasses.replace(bridge.facts, one_change=True)
    pilot = Pilot(
        bridge,
        Goal(pieces=40, games=None, menu_choices={"level": level}),
        edition=whole_edition(ram_map),
        skill=Skill(strength=Strength(500 if family == "tetris" else None)),
    )
    tally = pilot.run()
    assert (tally.pieces, tally.misplaced, tally.replans) == (40, 0, 0)
    assert bridge.together == 0


def best_of(values: list[float], carriable: set[int], choose: Choose | None = None) -> tuple[int | None, list[int]]:
    """Which candidate `best_carried` takes, each a column, and those whose way was tried, in order."""
    tried: list[int] = []

    def decide_by(pick: Choose | None) -> Decision:
        assert pick is not None
        index = pick([(0, column, 0) for column in range(len(values))], values) if values else -1
        return Decision(Placement(0, index, 0) if values else None, values[index] if values else 0.0, 1)

    def carried(placement: Placement) -> Placement | None:
        tried.append(placement.column)
        return placement if placement.column in carriable else None

    found = best_carried(decide_by, choose, carried)
    return None if found.placement is None else found.placement.column, tried


def test_the_best_that_can_be_carried_is_taken_and_nothing_is_tried_twice() -> None:
    assert best_of([1.0, 5.0, 3.0], {0, 1, 2}) == (1, [1])
    assert best_of([1.0, 5.0, 3.0], {0, 2}) == (2, [1, 2])
    assert best_of([1.0, 5.0, 3.0], {0}) == (0, [1, 2, 0])
    assert best_of([1.0, 5.0], set()) == (1, [1, 0]), "the best as it was"
    assert best_of([1.0, 5.0, 3.0], {1}, choose=lambda places, values: 2) == (1, [2, 1])
    assert best_of([], {0}) == (None, [])


def test_the_first_is_tried_even_if_it_loses_and_others_only_if_they_do_not() -> None:
    assert best_of([2 * LOST], {0}) == (0, [0])
    assert best_of([3 * LOST, 2 * LOST], {0}) == (1, [1])


def test_no_more_than_twelve_are_tried() -> None:
    found, tried = best_of([float(-number) for number in range(40)], {30})
    assert (found, tried) == (0, [*range(12)])
