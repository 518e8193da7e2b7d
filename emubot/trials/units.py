"""A run cut into units of fixed size, each with a seed of its own, so that no number of workers changes a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from emubot.errors import UsageError
from emubot.games.counts import Counts
from emubot.weights import Weights

UNIT: Final = 50_000  # pieces: some seconds of work, so little is lost with one and little is spent on handing it out
MOST_UNITS: Final = 1 << 20  # of one run: all of them are listed


@dataclass(frozen=True, slots=True)
class Job:
    """One unit: unit `index` of the run of `seed`, so many pieces of one game under one setting."""

    game: str
    seed: int
    index: int
    pieces: int
    weights: Weights
    rules: str | None = None
    colors: int | None = None


def seed_of(seed: int, index: int) -> int:
    """The seed of a unit, 0 to 2**64 - 1; units of one run, and of runs with other seeds, are independent."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])


def play_unit(job: Job) -> Counts:
    """Play one unit from an empty playfield on; runs in any process that can load the family."""
    from emubot.games import game

    unit_seed = seed_of(job.seed, job.index)
    return game(job.game).self_play(unit_seed, job.pieces, job.weights, job.rules, job.colors)


def sizes(pieces: int, unit: int) -> list[int]:
    """How many pieces each unit of a run has: all of them `unit`, the last one what is left. Raises UsageError."""
    whole, rest = divmod(pieces, unit)
    if whole >= MOST_UNITS:
        raise UsageError(f"{pieces:,} pieces are too many units of {unit:,}: choose a larger --unit.")
    return [unit] * whole + ([rest] if rest else [])


def ranges(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted half-open ranges that hold exactly these units."""
    found: list[tuple[int, int]] = []
    for index in sorted(indices):
        if found and found[-1][1] == index:
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return found


def parse_range(text: str) -> range:
    """`A:B` as the units A to B - 1. Raises UsageError for anything else."""
    first, colon, end = text.partition(":")
    if not (colon and first.isdecimal() and end.isdecimal() and int(first) < int(end) <= MOST_UNITS):
        raise UsageError(
            f"{text!r} is no range of units: give the first and the one after the last, such as 0:20, "
            f"at most {MOST_UNITS}."
        )
    return range(int(first), int(end))
