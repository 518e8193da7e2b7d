"""The throttle's rate and its policy when late, on a clock that only moves when told to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.bridges.protocol import Paced
from emubot.bridges.throttle import FORGIVEN_FRAMES, Throttle
from emubot.errors import UsageError
from emubot.machine import FRAME_RATE_NTSC


class Clock:
    """Time passes by sleeping (a little longer than asked, as on a real system) and by working."""

    def __init__(self, oversleep: float = 0.0) -> None:
        self.now = 100.0
        self.oversleep = oversleep
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds + self.oversleep


def throttle(clock: Clock, speed: float = 1.0) -> Throttle:
    return Throttle(FRAME_RATE_NTSC, speed, clock=lambda: clock.now, sleep=clock.sleep)


@pytest.mark.parametrize("speed", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("oversleep", [0.0, 0.004])
def test_the_mean_rate_is_exact_though_every_sleep_is_too_long(speed: float, oversleep: float) -> None:
    clock = Clock(oversleep)
    steady = throttle(clock, speed)
    steady.wait()
    started = clock.now
    for _ in range(601):
        steady.wait()
    assert clock.now - started - oversleep == pytest.approx(601 / (60.0988 * speed), rel=1e-5)


def test_the_first_frame_is_due_at_once() -> None:
    clock = Clock()
    throttle(clock).wait()
    assert clock.slept == []


def test_a_short_delay_is_caught_up() -> None:
    clock = Clock()
    steady = throttle(clock)
    steady.wait()
    clock.now += 3.5 * steady.period
    for _ in range(3):
        steady.wait()
    assert clock.slept == []
    steady.wait()
    assert clock.slept == [pytest.approx(steady.period / 2)]


def test_a_long_delay_is_forgotten() -> None:
    clock = Clock()
    steady = throttle(clock)
    steady.wait()
    clock.now += 1000 * steady.period
    steady.wait()
    assert clock.slept == []
    steady.wait()
    assert clock.slept == [pytest.approx(steady.period)]


@given(st.lists(st.floats(0, 0.2), max_size=50))
def test_no_wait_is_longer_than_a_frame_and_no_more_than_the_forgiven_frames_run_in_a_burst(work: list[float]) -> None:
    clock = Clock()
    steady = throttle(clock)
    burst = 0
    for seconds in work:
        before = len(clock.slept)
        steady.wait()
        burst = 0 if len(clock.slept) > before or seconds else burst + 1
        assert burst <= FORGIVEN_FRAMES + 1
        clock.now += seconds
    assert all(slept <= steady.period * 1.000001 for slept in clock.slept)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_speed_is_a_sentence(speed: float) -> None:
    with pytest.raises(UsageError, match="number above 0"):
        Throttle(FRAME_RATE_NTSC, speed)


def test_no_speed_is_no_throttle() -> None:
    bridge = Paced()
    bridge._keep_pace(FRAME_RATE_NTSC, None)
    assert bridge._pace is None
    bridge.emu_speed = 1.0
    assert bridge._pace is not None
