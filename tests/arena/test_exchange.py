"""Garbage between two sides, counted a second time by plain sums."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.arena.exchange import CHAINS, MOST_AT_ONCE, Exchange, growth, units_of
from emubot.machine import ROW, Clear
from tests.paths import ROOT

RATE = 60.0
clears = st.one_of(
    st.builds(Clear, st.just("lines"), st.integers(1, 4)), st.builds(Clear, st.just("chain"), st.integers(0, 9000))
)


@pytest.mark.parametrize(
    ("clear", "units"),
    [
        (Clear("lines", 1), 1),
        (Clear("lines", 2), 6),
        (Clear("lines", 3), 12),
        (Clear("lines", 4), 24),
        (Clear("lines", 9), 24),
        (Clear("chain", 0), 0),
        *((Clear("chain", points), units) for points, units in CHAINS),
        (Clear("chain", CHAINS[0][0] // 2), Fraction(CHAINS[0][1], 2)),
        (Clear("chain", 10**6), CHAINS[-1][1]),
        (Clear("jokes", 3), 0),
    ],
)
def test_what_a_clear_is_worth(clear: Clear, units: int | Fraction) -> None:
    assert units_of(clear) == units
    assert units_of(clear, share=Fraction(1, 2)) == Fraction(units) / 2


def test_the_page_about_the_arena_has_the_table() -> None:
    text = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:a chain|\.\.\.) of ([\d,]+)\b.*?\| (\d+) nuisance", text, re.MULTILINE)
    assert tuple((int(points.replace(",", "")), int(units)) for points, units in rows) == CHAINS


@pytest.mark.parametrize(("seconds", "factor"), [(0, 1), (89.9, 1), (90, 1.25), (104.9, 1.25), (105, 1.5), (300, 4.75)])
def test_attacks_grow_from_ninety_seconds_on(seconds: float, factor: float) -> None:
    assert growth(seconds) == Fraction(factor)


def test_nothing_falls_before_four_full_seconds_and_then_in_whole_grains() -> None:
    exchange = Exchange((ROW, 1), RATE)
    falling = [exchange.step(([Clear("lines", 4)], [Clear("lines", 3)]) if frame == 0 else ((), ()))
               for frame in range(481)]  # fmt: skip
    assert [(frame, what) for frame, what in enumerate(falling) if any(what)] == [(239, (0, 12))]
    # The second side's clear came after the first one's: 24 units waited for it, it cancelled 12 of them.


def test_no_more_than_thirty_units_fall_at_once_and_the_rest_waits() -> None:
    exchange = Exchange((ROW, ROW), RATE)
    exchange.step(([Clear("lines", 4), Clear("lines", 4)], ()))
    falling = [exchange.step(((), ())) for _ in range(480)]
    assert [what for what in falling if any(what)] == [(0, MOST_AT_ONCE), (0, 2 * 24 - MOST_AT_ONCE)]


@given(
    st.lists(st.tuples(st.lists(clears, max_size=2), st.lists(clears, max_size=2)), max_size=30),
    st.sampled_from([(ROW, 1), (1, ROW), (ROW, ROW), (1, 1)]),
)
def test_nothing_is_lost_and_nothing_is_made(
    moves: list[tuple[list[Clear], list[Clear]]], grains: tuple[int, int]
) -> None:
    """What a side made is what it cancelled, what fell on the other side, and what still waits there."""
    exchange = Exchange(grains, RATE)
    made, fallen = [Fraction(0)] * 2, [0, 0]
    for move in moves:
        for side in (0, 1):
            made[side] += sum((units_of(clear, exchange.frames / RATE) for clear in move[side]), Fraction(0))
        for frame in range(60):
            falling = exchange.step(move if frame == 0 else ((), ()))
            for side in (0, 1):
                assert falling[side] % grains[side] == 0
                assert falling[side] <= MOST_AT_ONCE
                fallen[side] += falling[side]
    waiting = [queue.waiting for queue in exchange.queues]
    assert made[0] - made[1] == (fallen[1] + waiting[1]) - (fallen[0] + waiting[0])
    assert min(waiting) >= 0
    assert fallen[1] + waiting[1] <= made[0]
    assert fallen[0] + waiting[0] <= made[1]
