"""Random choice among placements of almost equal value, so that equal bots do not mirror each other; knows no game.

Only a match of equal bots uses it. Measurement and training always take the best placement.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from emubot.games.offers import MARGIN

LOST: Final = -5e8  # values below this lose the game, in every family

Place = Sequence[int]
Choose = Callable[[Sequence[Place], Sequence[float]], int]  # takes candidates and their values, returns an index


@dataclass(frozen=True, slots=True)
class Variety:
    """The random choices of one seat; they depend only on the seed, the seat, the piece's number and the placement.

    `margin` is the share of the way from the best value down to the median of those that do not lose the game, within
    which a placement is as good as the best.

    So a replan for the same piece takes the same placement if the same placements are near the best.
    """

    seed: int
    seat: int
    margin: float = MARGIN

    def for_piece(self, number: int) -> Choose:
        """Returns the function that chooses for the piece of this number."""

        def choose(places: Sequence[Place], values: Sequence[float]) -> int:
            return max(near_best(values, self.margin), key=lambda index: self._key(number, places[index]))

        return choose

    def _key(self, number: int, place: Place) -> bytes:
        text = repr((self.seed, self.seat, number, *map(int, place)))
        return hashlib.blake2b(text.encode(), digest_size=8).digest()


def near_best(values: Sequence[float], margin: float = MARGIN) -> list[int]:
    """Returns the indices of all values within the margin of the best; only the best if all lose."""
    best = max(values)
    alive = [value for value in values if value > LOST]
    if not alive:
        return [list(values).index(best)]
    least = best - margin * (best - statistics.median(alive))
    return [index for index, value in enumerate(values) if value >= least]
