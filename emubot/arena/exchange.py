"""Garbage between two sides of any families: what a clear sends, how it waits and when it falls; knows no family.

A unit is a cell of nuisance; six units are a row (machine.ROW). What a side clears first cancels the garbage that waits
for it, and only the rest is sent. Every four seconds the queue is released, and what is released falls after the next
lock: five rows or thirty nuisance at most, the remainder waits. From the 90th second attacks grow, so that each match
ends. What a clear is worth is data of its game (games/offers.py): `docs/measurements/arena.md`
has the games that balanced it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from emubot.games.offers import Worth, worth_of
from emubot.machine import ROW

RELEASE_SECONDS: Final = 4
MOST_AT_ONCE: Final = 5 * ROW
GROWS_FROM: Final = 90  # seconds of a match
GROWS_EVERY: Final = 15
GROWTH: Final = Fraction(1, 4)


def growth(seconds: float) -> Fraction:
    """Returns the factor of all attacks at this time of a match: 1, and from the 90th second more."""
    steps = int((seconds - GROWS_FROM) // GROWS_EVERY) + 1 if seconds >= GROWS_FROM else 0
    return 1 + steps * GROWTH


@dataclass(slots=True)
class Queue:
    """The garbage on its way to one side: `waiting` for its release, and `due` after the side's next lock."""

    grain: int
    waiting: Fraction = Fraction(0)
    sent: int = 0  # whole units that this side has sent in all

    @property
    def units(self) -> int:
        """The whole units that wait."""
        return int(self.waiting)

    def cancel(self, units: Fraction) -> Fraction:
        """Take this much off what waits; returns what is left of it to be sent."""
        taken = min(units, self.waiting)
        self.waiting -= taken
        return units - taken

    def release(self) -> int:
        """Returns the units that fall now, in whole grains and no more than MOST_AT_ONCE; the rest goes on waiting."""
        units = min(int(self.waiting), MOST_AT_ONCE) // self.grain * self.grain
        self.waiting -= units
        return units


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a side exchanges garbage: its smallest garbage, what its clears are worth, and its handicap."""

    grain: int
    worth: Worth
    share: Fraction = Fraction(1)


@dataclass(slots=True)
class Exchange:
    """The garbage of a match of two sides."""

    terms: tuple[Terms, Terms]
    frame_rate: float
    queues: tuple[Queue, Queue] = field(init=False)
    frames: int = 0

    def __post_init__(self) -> None:
        self.queues = (Queue(self.terms[0].grain), Queue(self.terms[1].grain))

    def step(self, clears: Sequence[Sequence[int]]) -> tuple[int, int]:
        """Count one frame in which the sides made these clears; returns the units that each side has to receive."""
        factor = growth(self.frames / self.frame_rate)
        for side, made in enumerate(clears):
            terms = self.terms[side]
            for amount in made:
                rest = self.queues[side].cancel(worth_of(terms.worth, amount) * terms.share * factor)
                self.queues[1 - side].waiting += rest
                self.queues[side].sent += int(rest)
        self.frames += 1
        if self.frames % round(RELEASE_SECONDS * self.frame_rate):
            return 0, 0
        return self.queues[0].release(), self.queues[1].release()
