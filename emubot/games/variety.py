"""Chance between placements of almost the same value, so that two equal bots do not play a mirror game; knows no game.

Only a match of equal bots is played by it: whatever is measured or trained takes the best placement.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

MARGIN: Final = 0.02  # of the way from the best value down to the median of those that do not lose the game
LOST: Final = -1e11  # values below this lose the game, in every family

Place = Sequence[int]
Choose = Callable[[Sequence[Place], Sequence[float]], int]  # of candidates and their values: the index of one


@dataclass(frozen=True, slots=True)
class Variety:
    """One seat's chance. What is drawn depends on seed, seat, the piece's number and the placement, on nothing else.

    So a plan that is made anew for the same piece takes the same placement as long as it is among the near ones.
    """

    seed: int
    seat: int

    def for_piece(self, number: int) -> Choose:
        """What chooses for the piece of that number."""

        def choose(places: Sequence[Place], values: Sequence[float]) -> int:
            return max(near_best(values), key=lambda index: self._key(number, places[index]))

        return choose

    def _key(self, number: int, place: Place) -> bytes:
        text = repr((self.seed, self.seat, number, *map(int, place)))
        return hashlib.blake2b(text.encode(), digest_size=8).digest()


def near_best(values: Sequence[float]) -> list[int]:
    """The indices of all values within MARGIN of the best; the best alone where all lose."""
    best = max(values)
    alive = [value for value in values if value > LOST]
    if not alive:
        return [list(values).index(best)]
    least = best - MARGIN * (best - statistics.median(alive))
    return [index for index, value in enumerate(values) if value >= least]
