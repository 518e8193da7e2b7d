"""Games of a moment for the trainer's tests: fitness as noisy as a real one, and a contest that needs no family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emubot.games.trial import Settings
from emubot.training.optimiser import Vector
from emubot.trials.evaluation.contest import Contest
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights

NAMES = ("height", "holes", "lines")
TARGET = np.array([-1.0, -3.0, 2.0])  # the direction that plays best


def skill(vector: Vector) -> float:
    """The cosine of the angle to the best direction, 0 for no direction at all: scale-free, as an evaluation is."""
    length = float(np.linalg.norm(vector)) * float(np.linalg.norm(TARGET))
    return float(vector @ TARGET) / length if length else 0.0


class ToyTrial:
    """Lines cleared are geometric with a mean that grows with skill; of two, the luckier and better one wins."""

    def __init__(self, sides: int, settings: Settings) -> None:
        self.sides = sides
        self.settings = settings
        self.figures = ("lines", "pieces") if sides == 1 else ("wins", "draws", "rounds")

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        assert len(players) == self.sides
        vectors = [player.vector("toy", NAMES, 2) for player in players]
        return np.array([self._game([skill(vector) for vector in vectors], seed) for seed in seeds], dtype=np.int64)

    def warm_up(self) -> None:
        """Nothing is compiled."""

    def _game(self, skills: Sequence[float], seed: int) -> tuple[int, ...]:
        rng = np.random.default_rng(seed)
        if self.sides == 1:
            lines = int(rng.exponential(10 * np.exp(4 * skills[0])))
            return lines, 3 * lines + 1
        luck = rng.normal(0, 0.2, 2)
        first, second = skills[0] + luck[0], skills[1] + luck[1]
        return int(first > second + 0.05), int(abs(first - second) <= 0.05), int(20 * (2 + min(first, second)))


class ToyContest(Contest):
    """A contest that any process that imports this module can play."""

    __slots__ = ()

    def trial(self) -> ToyTrial:
        rules = self.rules or "textbook"
        return ToyTrial(self.sides, {"rules": rules, **self.options})


def toy_weights(values: Sequence[float]) -> Weights:
    return Weights(game="toy", features=FeatureSet(version=2, names=NAMES), values=tuple(values))
