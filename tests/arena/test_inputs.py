"""A person's presses: each is seen, none waits longer than it must, and the pad is one that a console can have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from emubot.arena.inputs import InputQueue
from emubot.arena.wire import Input
from emubot.pad import Pad, legal


def filled(*pads: Pad) -> InputQueue:
    queue = InputQueue()
    for number, pad in enumerate(pads, start=1):
        queue.put(Input(0, number, pad))
    return queue


def test_a_tap_within_one_frame_is_seen_for_one_frame() -> None:
    queue = filled(Pad.A, Pad.NONE)
    assert [queue.next_pad() for _ in range(3)] == [Pad.A, Pad.NONE, Pad.NONE]
    assert queue.echo == 2


def test_presses_of_one_frame_come_together() -> None:
    queue = filled(Pad.LEFT, Pad.LEFT | Pad.A)
    assert queue.next_pad() == Pad.LEFT | Pad.A
    assert queue.echo == 2


def test_what_is_held_stays_held() -> None:
    queue = filled(Pad.DOWN)
    assert [queue.next_pad() for _ in range(3)] == [Pad.DOWN] * 3


def test_start_and_select_and_opposite_directions_mean_nothing() -> None:
    assert filled(Pad.START | Pad.SELECT | Pad.B).next_pad() == Pad.B
    assert filled(Pad.LEFT | Pad.RIGHT | Pad.DOWN).next_pad() == Pad.DOWN


def test_clear_releases_everything() -> None:
    queue = filled(Pad.DOWN)
    queue.next_pad()
    queue.put(Input(0, 2, Pad.A))
    queue.clear()
    assert queue.next_pad() == Pad.NONE


@given(st.lists(st.integers(0, 255), max_size=40))
def test_each_press_is_seen_and_the_last_input_is_what_stays(pads: list[int]) -> None:
    queue = filled(*map(Pad, pads))
    seen = [queue.next_pad() for _ in range(len(pads) + 1)]
    assert all(map(legal, seen))
    assert queue.echo == len(pads)
    played = [filled(Pad(pad)).next_pad() for pad in pads]
    edges = [now & ~before for before, now in zip([Pad.NONE, *played], played, strict=False)]
    shown = [now & ~before for before, now in zip([Pad.NONE, *seen], seen, strict=False)]
    for button in (Pad.A, Pad.B, Pad.LEFT, Pad.RIGHT, Pad.DOWN):
        assert sum(bool(edge & button) for edge in shown) == sum(bool(edge & button) for edge in edges)
    assert seen[-1] == (played[-1] if played else Pad.NONE)
