"""Finds lines, level and score among the bytes of recorded pieces; runs no emulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.numbers import BASES, Number, are_units, units_of
from emubot.discovery.recording import Bits, Marks, Numbers

_FEWEST_CLEARS: Final = 4
_TEN: Final = 10  # lines of one game from which decimals and binary numbers differ
_LEVEL_LINES: Final = range(4, 31)  # lines from a level to the next
_FEWEST_STEPS: Final = 2  # of a level in one game
_MOST_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A number that was found: where it is, what it had at the start of a game, and half a sentence on how it is known.

    `down`: it counts down from `start`.
    """

    number: Number
    start: int
    evidence: str
    down: bool = False

    def value(self) -> Any:
        """Returns it as a map's `values` has it."""
        return self.number.value() | {"offset": -self.start, "scale": -1} if self.down else self.number.value()


def lines_of(marks: Marks, free: Bits) -> list[Found]:
    """Returns the numbers that count the rows that vanish, the likeliest first. `free` are bytes of no other meaning.

    All of them agree in what was seen. Empty too if no game had ten lines, for till then decimals look like binary
    numbers, or if no two rows ever vanished together, for a score may have a point for each of them.
    """
    clears = int((marks.rows > 0).sum())
    fresh = marks.fresh
    if clears < _FEWEST_CLEARS or not fresh.any() or marks.lines[_from_fresh(marks)].max(initial=0) < _TEN:
        return []
    if not several_at_once(marks):
        return []
    quiet = free & ~marks.moved.any(0)
    up = [number for low in _lows(marks, quiet) if (number := _whole(marks, quiet, low)) is not None]
    if up:
        evidence = f"grew by the rows that vanished in {clears} clears, up to {int(marks.lines.max())}"
        return [Found(number, 0, evidence) for number in sorted(up, key=_plain)]
    return list(_downwards(marks, quiet))


def several_at_once(marks: Marks) -> bool:
    """Returns whether one piece was seen to make two rows or more vanish."""
    return bool((marks.rows[1:][marks.inside[1:]] > 1).any())


def _plain(number: Number) -> tuple[int, int, int]:
    return number.zero != 0, number.bytes, number.index


def _from_fresh(marks: Marks) -> Bits:
    """Returns which marks belong to games that were seen from their beginning."""
    return np.asarray(np.isin(marks.games, marks.games[marks.fresh]), np.bool_)


def _steps(units: NDArray[np.int64], marks: Marks) -> NDArray[np.int64]:
    """Returns by how much each column grew from mark to mark inside the games."""
    return np.asarray((units[1:] - units[:-1])[marks.inside[1:]], np.int64)


def _lows(marks: Marks, quiet: Bits) -> Iterator[Number]:
    """Yields one-byte numbers that grow by the rows that vanish, modulo what a byte counts to, and begin at 0."""
    indices = np.flatnonzero(quiet)
    images = marks.images[:, indices]
    grown = marks.rows[1:][marks.inside[1:]][:, None]
    for form, base in BASES.items():
        zeros = images[marks.fresh][0] if form == "digits" else np.zeros(len(indices), np.uint8)
        units = units_of(images, form, 0) - (zeros if form == "digits" else 0)
        fits = ((_steps(units, marks) - grown) % base == 0).all(0) & (units[marks.fresh] == 0).all(0)
        fits &= ((units >= 0) & (units < base)).all(0) & (units.max(0) > 0)
        if form == "bcd":
            fits &= are_units(images, form).all(0)
        for place in np.flatnonzero(fits):
            zero = int(zeros[place]) if form == "digits" else 0
            yield Number(int(indices[place]), 1, form, False, zero)


def _whole(marks: Marks, quiet: Bits, low: Number) -> Number | None:
    """Returns the number with the further bytes that were seen to count; None for a digit that is never carried."""
    base, number = BASES[low.format], low
    seen = marks.lines[_from_fresh(marks)].max()
    while seen >= base**number.bytes and number.bytes < _MOST_BYTES:
        larger = [longer for longer in _longer(number) if _counts(marks, quiet, longer)]
        if not larger:
            return None if low.format == "digits" else number
        number = larger[0]
    return number


def _longer(number: Number) -> Iterator[Number]:
    """Yields the number with one byte more, in the order that it has."""
    if (number.big or number.bytes == 1) and number.index > 0:
        yield Number(number.index - 1, number.bytes + 1, number.format, True, number.zero)
    if not number.big:
        yield Number(number.index, number.bytes + 1, number.format, False, number.zero)


def _counts(marks: Marks, quiet: Bits, number: Number) -> bool:
    """Returns whether a number grows by just the rows that vanish, from 0 on."""
    places = list(number.places)
    if max(places) >= len(quiet) or not quiet[places].all() or not number.holds(marks.images).all():
        return False
    numbers = number.of(marks.images)
    steps, grown = _steps(numbers, marks), marks.rows[1:][marks.inside[1:]]
    return bool((numbers[marks.fresh] == 0).all() and (steps == grown).all())


def _downwards(marks: Marks, quiet: Bits) -> Iterator[Found]:
    """Yields bytes that lose the rows that vanish, from the same number on in each game."""
    images = marks.images.astype(np.int64)
    grown = marks.rows[1:][marks.inside[1:]][:, None]
    starts = images[marks.fresh]
    fits = quiet & (_steps(images, marks) == -grown).all(0) & (starts == starts[0]).all(0)
    for index in np.flatnonzero(fits):
        start = int(starts[0, index])
        evidence = f"lost the rows that vanished, from {start} on"
        yield Found(Number(int(index)), start, evidence, down=True)


def level_of(marks: Marks, free: Bits, near: int) -> list[Found]:
    """Returns the bytes that grow by one whenever so many lines more have vanished, those near byte `near` first."""
    quiet = free & ~marks.moved.any(0)
    indices = np.flatnonzero(quiet)
    whole = _from_fresh(marks)
    lines, clears = marks.lines, marks.rows[1:][marks.inside[1:]] > 0
    found: list[Found] = []
    for form in ("binary", "bcd"):
        steps = _steps(units_of(marks.images[:, indices], form), marks)
        rises = ((steps == 0) | ((steps == 1) & clears[:, None])).all(0) & (steps.sum(0) >= _FEWEST_STEPS)
        for place in np.flatnonzero(rises):
            number = Number(int(indices[place]), 1, form)
            numbers = number.of(marks.images)
            start = int(numbers[marks.fresh][0]) if marks.fresh.any() else 0
            if numbers[whole].max(initial=0) < start + _FEWEST_STEPS or not number.holds(marks.images).all():
                continue
            if any(other.number.index == number.index for other in found):
                continue
            if (each := _lines_each(lines[whole], numbers[whole] - start)) is not None:
                levels = f"{start} to {int(numbers.max())}"
                found.append(Found(number, start, f"grew by one for every {each} lines, {levels}"))
    return sorted(found, key=lambda each: abs(each.number.index - near))


def _lines_each(lines: Numbers, levels: Numbers) -> int | None:
    """Returns after how many lines a level follows the next one; None if no number explains all levels."""
    order = (10, 5, *_LEVEL_LINES)
    return next((each for each in order if (levels == lines // each).all()), None)


def numbers_at(found: Sequence[Found]) -> set[int]:
    """Returns the bytes of all these numbers."""
    return {index for each in found for index in each.number.places}
