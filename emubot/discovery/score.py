"""Finds the score in the bytes of recorded pieces: it grows where rows vanish or pieces drop; runs no emulator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.discovery.counters import Found
from emubot.discovery.numbers import BASES, Number, are_units, units_of
from emubot.discovery.recording import Bits, Marks, Numbers
from emubot.text import counted

_FEWEST_CLEARS: Final = 4
_LENGTHS: Final = {"binary": range(2, 5), "bcd": range(2, 5), "digits": range(2, 9)}  # bytes of a score
_PER_ROW: Final = (0, 1, 2)  # points for a row that a piece was dropped
_NEAR: Final = 2  # rows that a drop may be misjudged by
_MOSTLY: Final = 0.9  # of the pieces that must agree


def score_of(marks: Marks, free: Bits) -> list[Found]:
    """Returns the numbers that may be the score, the likeliest first. `free` are bytes of no other meaning.

    A score begins at 0, never falls within a game, and grows where rows vanish, by as much for as many rows, or more at
    higher levels; what grows just by the rows may be the lines. It grows elsewhere only while a piece is dropped, by as
    much for each row. Its highest byte was seen to be carried into, so that a longer counter is not cut.
    """
    clears = int((marks.rows > 0).sum())
    if clears < _FEWEST_CLEARS or not marks.fresh.any():
        return []
    numbers = [
        number
        for form, lengths in _LENGTHS.items()
        for number in _candidates(marks, free & ~marks.stirred.any(0), form, lengths)
    ]
    lines = {place for number in numbers if _counts_rows(number.of(marks.images), marks) for place in number.places}
    found: list[tuple[tuple[float, ...], Found]] = []
    for number in numbers:
        judged = _spread(number.of(marks.images), marks) if lines.isdisjoint(number.places) else None
        if judged is not None:
            spread, per_row = judged
            drops = f", and by {counted(per_row, 'point')} for each row dropped" if per_row else ""
            evidence = f"grew where rows vanished, {clears} times{drops}"
            rank = (spread, BASES[number.format], number.bytes, number.index)
            found.append((rank, Found(number, 0, evidence)))
    return [each for _, each in sorted(found, key=lambda entry: entry[0])]


def _counts_rows(numbers: Numbers, marks: Marks) -> bool:
    """Returns whether a number grows by just the rows that vanish."""
    inside = marks.inside[1:]
    return bool(((numbers[1:] - numbers[:-1])[inside] == marks.rows[1:][inside]).all())


def _candidates(marks: Marks, quiet: Bits, form: str, lengths: range) -> Iterator[Number]:
    """Yields the numbers of which every byte counts, and is carried into from the one below.

    What counts beside the lowest byte may be one more of the number, which was never seen to carry.
    """
    images = marks.images
    varied = quiet & (images != images[0]).any(0)
    zeros = set(images[marks.fresh][0][varied]) if form == "digits" else {0}
    for zero in sorted(map(int, zeros)):
        usable = varied & are_units(images, form, zero).all(0)
        units = units_of(images, form, zero)
        usable &= (units[marks.fresh] == 0).all(0)
        steps = (units[1:] - units[:-1])[marks.inside[1:]]
        rises, falls = steps > 0, steps < 0
        for low in np.flatnonzero(usable):
            for way in (-1, 1):
                lower = int(low) - way
                if 0 <= lower < len(usable) and usable[lower] and rises[:, lower].any():
                    continue  # it may not be the lowest byte
                places = [int(low)]
                while len(places) < max(lengths):
                    following = places[-1] + way
                    if not 0 <= following < len(usable) or not usable[following]:
                        break
                    if not (rises[:, following] & falls[:, places[-1]]).any():
                        break
                    places.append(following)
                for length in lengths:
                    if length <= len(places):
                        yield Number(min(places[:length]), length, form, way < 0, zero)


def _spread(numbers: Numbers, marks: Marks) -> tuple[float, int] | None:
    """Returns how much the points for as many rows differ, and those for each row dropped; None if it is no score."""
    inside = marks.inside[1:]
    gained = (numbers[1:] - numbers[:-1])[inside]
    rows, dropped = marks.rows[1:][inside], marks.dropped[1:][inside]
    if (gained < 0).any() or (gained[rows > 0] <= 0).any():
        return None
    for per_row in _PER_ROW:
        rest = gained - per_row * dropped
        usual = np.abs(rest[rows == 0]) <= (_NEAR * per_row)
        if usual.mean() < _MOSTLY:
            continue
        points = [np.median(rest[rows == count]) for count in np.unique(rows[rows > 0])]
        if min(points) <= 0 or sorted(points) != points:
            return None
        kinds = sum(len(_kinds(rest[rows == count], _NEAR * per_row)) for count in np.unique(rows[rows > 0]))
        return kinds / len(points), per_row
    return None


def _kinds(points: NDArray[np.int64], near: int) -> list[int]:
    """Returns the different points, those that are nearly the same once."""
    kinds: list[int] = []
    for number in sorted(map(int, points)):
        if not kinds or number - kinds[-1] > near:
            kinds.append(number)
    return kinds
