"""Makes the memory of games that were never played: counters in any format among bytes that only look like some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from emubot.discovery.numbers import BASES, Number
from emubot.discovery.recording import Marks

SIZE = 96
PIECES = 40  # of each game
POINTS = (0, 7, 19, 43, 131)  # by rows that vanish at once
Games = Sequence[Sequence[int]]  # the rows that each piece made vanish, by game


@st.composite
def games(draw: st.DrawFn, least: int = 10) -> Games:
    """Games of which the first one has at least so many lines, with four clears."""
    rows = st.sampled_from((0, 0, 0, 0, 1, 1, 2, 3, 4))
    played = [draw(st.lists(rows, min_size=PIECES, max_size=PIECES)) for _ in range(draw(st.integers(1, 3)))]
    played[0][:4] = [1, 2, 1, 1]
    played[0][4 : 4 + max(least - 5, 0)] = [1] * max(least - 5, 0)
    return played


@st.composite
def numbers(draw: st.DrawFn, least: int = 1, most: int = 3) -> Number:
    """A number anywhere in the first half of memory; digits may be codes of tiles."""
    form = draw(st.sampled_from([*BASES]))
    length = draw(st.integers(max(least, 3 if form == "digits" else 1), max(most, 4 if form == "digits" else 1)))
    zero = draw(st.sampled_from((0, 0, 0x30, 0xD0))) if form == "digits" else 0
    return Number(draw(st.integers(1, SIZE // 2 - length)), length, form, draw(st.booleans()), zero)


def played(games: Games, seed: int, drop: int = 0) -> Marks:
    """Returns the moments of these games; memory has constants, noise, and counters of pieces, frames and clears.

    Pieces are dropped by random rows, up to `drop`.
    """
    rng = np.random.default_rng(seed)
    rows = np.array([rows for game in games for rows in (0, *game[:-1])], np.int64)
    number = np.repeat(np.arange(len(games)), [len(game) for game in games])
    count, fresh = len(rows), np.diff(number, prepend=-1) > 0
    images = np.tile(rng.integers(256, size=SIZE, dtype=np.uint8), (count, 1))
    images[:, 1::4] = rng.integers(256, size=(count, len(range(1, SIZE, 4))), dtype=np.uint8)
    images[:, SIZE - 1] = np.arange(count)
    images[:, SIZE - 2] = np.cumsum(rng.integers(20, 60, size=count)) % 256
    images[:, SIZE - 3] = np.cumsum(rows > 0) % 256
    moved = np.zeros(images.shape, np.bool_)
    moved[:, SIZE - 2] = True
    dropped = np.where(fresh, 0, rng.integers(0, drop + 1, size=count))
    ids = rng.integers(0, 7, size=count) * 4
    return Marks(images, number, fresh, rows, dropped, ids, moved, moved.copy())


def write(marks: Marks, number: Number, amounts: NDArray[np.int64]) -> None:
    """Writes a number into each image."""
    rest = amounts.copy()
    for place in number.places:
        rest, unit = np.divmod(rest, BASES[number.format])
        byte = 16 * (unit // 10) + unit % 10 if number.format == "bcd" else unit + number.zero
        marks.images[:, place] = byte % 256
