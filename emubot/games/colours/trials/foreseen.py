"""Games all of whose pairs one beam sees: what an evaluation builds, without luck; for training, it plays nothing.

Weights that build well when all is known also build well by samples, and such a game takes milliseconds. It cannot tell
when to fire, nor how well a field takes whatever comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.colours.bounds import CHAIN
from emubot.games.colours.evaluation.building import BUILDING, Weighing
from emubot.games.colours.options import AloneValues
from emubot.games.colours.reach.entry import limits_of
from emubot.games.colours.rules import COLUMNS, Rules
from emubot.games.colours.scoring import table_of
from emubot.games.colours.search.beam import Aim, Beam, Plan, grow, plant
from emubot.games.colours.search.beam_search import CLOSELY
from emubot.games.colours.search.engine import building_vector, builds, values_for
from emubot.games.colours.search.nodes import Scratch, scratch
from emubot.games.colours.search.search import placements
from emubot.games.colours.trials.pace import FallPace
from emubot.games.options import options_of
from emubot.games.trial import Settings
from emubot.weights import Weights

FIGURES: Final = ("worth", "pieces", "nodes")
PAIRS: Final = 44  # of a game: a chain that fills the field takes no more
_MOST_PAIRS: Final = 1_000
_READ: Final = {"colors", "pairs", "aim", "gravity", "taps", "reaction", "foreseen", "pair_price"}


def trial_of(chosen: AloneValues, rules: Rules, aim: str, pace: FallPace | None) -> ForeseenTrial:
    """Returns the trial that the options describe. Raises UsageError for others, or for too many pairs."""
    idle = [one.flag for one in options_of(AloneValues) if one.name in chosen.given - _READ]
    if idle:
        raise UsageError(f"--foreseen is one search of all pairs, for which {idle[0]} means nothing: leave it out.")
    pairs = chosen.pairs or PAIRS
    if pairs > _MOST_PAIRS:
        raise UsageError(f"--pairs with --foreseen is a whole number from 1 to {_MOST_PAIRS}, not {pairs}.")
    return ForeseenTrial(rules, pairs, chosen.foreseen, aim, chosen.pair_price, pace)


@dataclass(frozen=True, slots=True)
class ForeseenTrial:
    """One beam of `width` nodes over all `pairs` of a game; its figure is the worth of the best chain on any way.

    `aim` is score or chain, see engine.AIMS; a chain is worth its points less `price` for each pair before it.
    """

    rules: Rules
    pairs: int
    width: int
    aim: str
    price: int = 0
    pace: FallPace | None = None

    sides = 1
    figures = FIGURES

    @property
    def settings(self) -> Settings:
        """The profile, the colours in play, the number of pairs, the width, the aim, the price, and the pace."""
        told = {
            "rules": self.rules.name,
            "colors": self.rules.colors,
            "pairs": self.pairs,
            "foreseen": self.width,
            "aim": self.aim,
            "pair_price": self.price,
            "gravity": 0,
        }
        return told if self.pace is None else {**told, **self.pace.settings}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Search one game for each seed, of the pairs that trials.py deals; returns int64 (len(seeds), 3).

        Raises UsageError for more than one player or for weights that build no chains, WeightsError for weights of
        another game or other features.
        """
        if len(players) != 1:
            raise UsageError(f"This is played by 1, not by {len(players)}: give the weights of each.")
        chosen = values_for(players[0], self.rules, self.aim)
        if not builds(chosen):
            raise UsageError("Only weights of what chains are built on are tried on pairs that are seen: name others.")
        found, memory = np.zeros((len(seeds), len(FIGURES)), dtype=np.int64), scratch()
        for seed, row in zip(seeds, found, strict=True):
            row[:] = self._searched(building_vector(chosen), seed, self.pairs, memory)
        return found

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        self._searched(np.zeros(BUILDING), 0, 2, scratch())

    def _searched(self, weights: Weighing, seed: int, count: int, memory: Scratch) -> tuple[int, int, int]:
        rng = np.random.default_rng(seed)
        pairs = rng.integers(1, self.rules.colors + 1, size=(count, 2), dtype=np.uint8)
        limits = limits_of(self.rules) if self.pace is None else self.pace.limits(self.rules)
        cells = np.zeros((self.rules.stored_rows, COLUMNS), dtype=np.uint8)
        pivot, satellite = pairs[0].tolist()
        places = np.ascontiguousarray(placements(cells, (pivot, satellite), self.rules, limits), dtype=np.int8)
        worths, values = np.zeros(len(places)), np.zeros(len(places))
        aim = Aim(1e9, float(self.price), int(self.aim != CHAIN), 0.0)
        beam = Beam(table_of(self.rules), weights, aim, Plan(self.width, CLOSELY, limits), memory)
        planted = plant(cells, places, pivot, satellite, 0, beam, worths, values)
        _, made = grow(memory.first, planted, pairs[1:], 1, beam, worths)
        return max(int(worths.max()), 0), count, made + len(places)
