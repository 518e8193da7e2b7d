"""Garbage between two sides, counted a second time by plain sums."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.arena.catalogue import game_offer, offered
from emubot.arena.exchange import MOST_AT_ONCE, Exchange, Terms, growth
from emubot.games.offers import Worth, worth_of
from emubot.machine import ROW
from tests.paths import ROOT

RATE = 60.0
LINES, CHAINS = game_offer("blocks").game.worth, game_offer("pairs").game.worth
clears = st.integers(0, 9000)


@pytest.mark.parametrize(
    ("worth", "amount", "units"),
    [
        (LINES, 0, 0),
        (LINES, 1, 1),
        (LINES, 2, 6),
        (LINES, 3, 12),
        (LINES, 4, 24),
        (LINES, 9, 24),
        (CHAINS, 0, 0),
        *((CHAINS, points, units) for points, units in CHAINS),
        (CHAINS, CHAINS[0][0] // 2, Fraction(CHAINS[0][1], 2)),
        (CHAINS, 10**6, CHAINS[-1][1]),
        ((), 3, 0),
    ],
)
def test_what_a_clear_is_worth(worth: Worth, amount: int, units: int | Fraction) -> None:
    assert worth_of(worth, amount) == units


def test_every_game_offers_what_its_clears_are_worth() -> None:
    for one in offered().values():
        amounts, units = zip(*one.game.worth, strict=True)
        assert sorted({*amounts}) == [*amounts]
        assert sorted(units) == [*units]
        assert amounts[0] > 0


def test_a_handicap_takes_its_share_off() -> None:
    terms = Terms(1, LINES)
    exchange = Exchange((replace(terms, share=Fraction(1, 2)), terms), RATE)
    exchange.step(([2], []))
    assert exchange.queues[1].waiting == 3


@pytest.mark.parametrize("game", ["blocks", "pairs", "capsules", "columns"])
def test_the_page_about_the_arena_has_the_table(game: str) -> None:
    text = (ROOT / "docs" / "how-to" / "arena.md").read_text(encoding="utf-8")
    worth = ", ".join(f"{amount:,}: {units}" for amount, units in game_offer(game).game.worth)
    assert re.search(rf"^\| [a-z ]*{game}: [a-z ]+ \| {worth} \|$", text, re.MULTILINE)


@pytest.mark.parametrize(("seconds", "factor"), [(0, 1), (89.9, 1), (90, 1.25), (104.9, 1.25), (105, 1.5), (300, 4.75)])
def test_attacks_grow_from_ninety_seconds_on(seconds: float, factor: float) -> None:
    assert growth(seconds) == Fraction(factor)


def test_nothing_falls_before_four_full_seconds_and_then_in_whole_grains() -> None:
    exchange = Exchange((Terms(ROW, LINES), Terms(1, LINES)), RATE)
    falling = [exchange.step(([4], [3]) if frame == 0 else ((), ()))
               for frame in range(481)]  # fmt: skip
    assert [(frame, what) for frame, what in enumerate(falling) if any(what)] == [(239, (0, 12))]
    # The second side's clear came after the first one's: 24 units waited for it, it cancelled 12 of them.


def test_no_more_than_thirty_units_fall_at_once_and_the_rest_waits() -> None:
    exchange = Exchange((Terms(ROW, LINES),) * 2, RATE)
    exchange.step(([4, 4], ()))
    falling = [exchange.step(((), ())) for _ in range(480)]
    assert [what for what in falling if any(what)] == [(0, MOST_AT_ONCE), (0, 2 * 24 - MOST_AT_ONCE)]


@given(
    st.lists(st.tuples(st.lists(clears, max_size=2), st.lists(clears, max_size=2)), max_size=30),
    st.sampled_from([(ROW, 1), (1, ROW), (ROW, ROW), (1, 1)]),
)
def test_nothing_is_lost_and_nothing_is_made(moves: list[tuple[list[int], list[int]]], grains: tuple[int, int]) -> None:
    """What a side made is what it cancelled, what fell on the other side, and what still waits there."""
    worths = (LINES, CHAINS)
    exchange = Exchange((Terms(grains[0], LINES), Terms(grains[1], CHAINS)), RATE)
    made, fallen = [Fraction(0)] * 2, [0, 0]
    for move in moves:
        for side in (0, 1):
            made[side] += sum(
                (worth_of(worths[side], one) * growth(exchange.frames / RATE) for one in move[side]), Fraction(0)
            )
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
