"""Tempo: the table of speeds, tap rates, patterns, and what is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.errors import UsageError
from emubot.tempo import SPEEDS, Tempo, parse_taps, tempo_for_speed


def test_speed_10_is_the_pads_limit_and_0_is_slow() -> None:
    assert tempo_for_speed(10) == Tempo(0, 2, das=False, name="speed 10")
    assert tempo_for_speed(0).reaction >= 45
    assert tempo_for_speed(0).period >= 30


def test_speeds_only_get_faster() -> None:
    tempos = [tempo_for_speed(speed) for speed in range(len(SPEEDS))]
    assert len(tempos) == 11
    for slower, faster in pairwise(tempos):
        assert slower.reaction > faster.reaction
        assert slower.period > faster.period


@pytest.mark.parametrize("speed", [-1, 11])
def test_other_speeds_are_refused(speed: int) -> None:
    with pytest.raises(UsageError, match="The speed is 0 to 10"):
        tempo_for_speed(speed)


@pytest.mark.parametrize(("text", "period"), [("10hz", 6), ("12hz", 5), ("15HZ", 4), ("20Hz", 3), (" 30hz ", 2)])
def test_tap_rates(text: str, period: int) -> None:
    assert parse_taps(text) == Tempo(0, period, das=False, name=text.strip().lower())


def test_das() -> None:
    assert parse_taps("DAS") == Tempo(0, 6, das=True, name="das")


@given(reaction=st.integers(0, 240), rest=st.integers(1, 59))
def test_patterns(reaction: int, rest: int) -> None:
    text = "." * reaction + "X" + "." * rest
    assert parse_taps(text) == Tempo(reaction, rest + 1, das=False, name=text)


@pytest.mark.parametrize("text", ["", "X", "..X", "60hz", "12", "X.X.", ".....", "fast", "x." * 3, "X" + "." * 60])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"frames|10hz, 12hz, 15hz, 20hz, 30hz, das"):
        parse_taps(text)


@pytest.mark.parametrize(("reaction", "period", "das"), [(-1, 2, False), (0, 1, False), (0, 2, True), (0, 61, False)])
def test_hands_that_no_pad_has_are_refused(reaction: int, period: int, das: bool) -> None:
    with pytest.raises(UsageError):
        Tempo(reaction, period, das, "odd")
