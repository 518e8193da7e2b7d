"""Cuts a run of self-play into units of fixed size, so that no number of workers changes a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from emubot.errors import UsageError
from emubot.games.counts import Counts, Watch
from emubot.games.trial import Settings
from emubot.text import printable, whole_number
from emubot.trials.work import seeds_of
from emubot.weights import Weights

UNIT: Final = 50_000  # pieces: a few seconds of work, so a lost unit costs little, and so does submitting one
MOST_UNITS: Final = 1 << 20  # per run: all of them are listed


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """A number of pieces of one game under one setting, from an empty playfield on."""

    game: str
    pieces: int
    rules: str | None = None
    options: Settings = field(default_factory=dict)

    def seeds(self, seed: int, numbers: Sequence[int]) -> list[int]:
        """Returns the seeds of the run's units."""
        return seeds_of(seed, numbers)

    def play(self, players: Sequence[Weights], seeds: Sequence[int], watch: Watch | None = None) -> Counts:
        """Returns the counts of one player, summed over the seeds; `watch` watches each of them."""
        from emubot.games import game
        from emubot.games.protocol import Measurable, require_part

        (weights,) = players
        family = require_part(game(self.game), Measurable, "self-play")
        counts = (family.self_play(seed, self.pieces, weights, self.rules, self.options, watch) for seed in seeds)
        return sum(counts, Counts())


def sizes(pieces: int, unit: int) -> list[int]:
    """Returns the number of pieces of each unit: `unit`, and for the last one the rest. Raises UsageError."""
    whole, rest = divmod(pieces, unit)
    if whole >= MOST_UNITS:
        raise UsageError(f"{pieces:,} pieces are too many units of {unit:,}: choose a larger --unit.")
    return [unit] * whole + ([rest] if rest else [])


def ranges(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Returns sorted half-open ranges that hold exactly these units."""
    spans: list[tuple[int, int]] = []
    for index in sorted(indices):
        if spans and spans[-1][1] == index:
            spans[-1] = (spans[-1][0], index + 1)
        else:
            spans.append((index, index + 1))
    return spans


def parse_range(text: str) -> range:
    """Returns the units A to B - 1 of the text `A:B`. Raises UsageError for any other text."""
    first, end = (whole_number(part) for part in text.partition(":")[::2])
    if first is None or end is None or not first < end <= MOST_UNITS:
        raise UsageError(
            f"{printable(text)!r} is not a range of units: give the first and the one after the last, such as 0:20, "
            f"at most {MOST_UNITS}."
        )
    return range(first, end)
