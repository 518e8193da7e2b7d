"""A client's allowance, by a clock that the test moves."""

from __future__ import annotations

from emubot.arena.limits import Allowance


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_of_two_seconds_and_then_so_many_a_second() -> None:
    clock = Clock()
    allowance = Allowance(10, clock)
    assert [allowance.take() for _ in range(21)] == [True] * 20 + [False]
    clock.now = 1.0
    assert [allowance.take() for _ in range(11)] == [True] * 10 + [False]


def test_a_person_who_presses_much_is_never_hopeless_and_a_flood_is() -> None:
    clock = Clock()
    person, flood = Allowance(10, clock), Allowance(10, clock)
    for _ in range(600):
        clock.now += 0.1
        assert person.take()
        for _ in range(20):
            flood.take()
    assert not person.hopeless
    assert flood.hopeless
