"""Garbage between two sides of any families: what a clear sends, how it waits and when it falls; knows no family.

A unit is a cell of nuisance; six units are a row (machine.ROW). What a side clears first cancels the garbage that waits
for it, and only the rest is sent. Every four seconds the queue is released, and what is released falls after the next
lock: five rows or thirty nuisance at most, the remainder waits. From the 90th second attacks grow, so that each match
ends. All numbers of the tables are data: `benchmarks/arena.md` has the games that balanced them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from emubot.machine import ROW, Clear

# Units by the number of lines cleared at once: a single unit, one, two and four rows.
LINES: Final[Mapping[int, int]] = MappingProxyType({1: 1, 2: ROW, 3: 2 * ROW, 4: 4 * ROW})
# Units by the points of a chain: between two entries in proportion, after the last one no more.
CHAINS: Final = ((400, 6), (1_170, 24), (2_600, 84), (12_000, 87), (30_000, 89))
RELEASE_SECONDS: Final = 4
MOST_AT_ONCE: Final = 5 * ROW
GROWS_FROM: Final = 90  # seconds of a match
GROWS_EVERY: Final = 15
GROWTH: Final = Fraction(1, 4)


def units_of(clear: Clear, seconds: float = 0.0, share: Fraction = Fraction(1)) -> Fraction:
    """Returns what a clear is worth at this time of a match; `share` is the side's handicap, 1 for none.

    A clear by an unknown measure is worth nothing.
    """
    if clear.measure == "lines":
        units = Fraction(LINES[min(clear.amount, max(LINES))]) if clear.amount > 0 else Fraction(0)
    elif clear.measure == "chain":
        units = _chain(clear.amount)
    else:
        units = Fraction(0)
    return units * share * growth(seconds)


def _chain(points: int) -> Fraction:
    before, units = 0, 0
    for until, worth in CHAINS:
        if points <= until:
            return units + Fraction((max(points, 0) - before) * (worth - units), until - before)
        before, units = until, worth
    return Fraction(units)


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


@dataclass(slots=True)
class Exchange:
    """The garbage of a match of two sides; `shares` are their handicaps."""

    grains: tuple[int, int]
    frame_rate: float
    shares: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))
    queues: tuple[Queue, Queue] = field(init=False)
    frames: int = 0

    def __post_init__(self) -> None:
        self.queues = (Queue(self.grains[0]), Queue(self.grains[1]))

    def step(self, clears: Sequence[Sequence[Clear]]) -> tuple[int, int]:
        """Count one frame in which the sides made these clears; returns the units that each side has to receive."""
        seconds = self.frames / self.frame_rate
        for side, made in enumerate(clears):
            for clear in made:
                rest = self.queues[side].cancel(units_of(clear, seconds, self.shares[side]))
                self.queues[1 - side].waiting += rest
                self.queues[side].sent += int(rest)
        self.frames += 1
        if self.frames % round(RELEASE_SECONDS * self.frame_rate):
            return 0, 0
        return self.queues[0].release(), self.queues[1].release()
