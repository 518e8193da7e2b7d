"""The fitness of a vector, as data: which games, which figure of them, how many.

A unit of work is (players, seed range) -> (sum, sum of squares, count), so any process can play it. All candidates of a
generation play the same games (common random numbers). Training, choosing among the favourites and measuring the chosen
one use game numbers far apart. All of them lie beyond the game numbers of an evaluation with the same seed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.trial import SHARES, SUMMED, Trial
from emubot.text import did_you_mean
from emubot.training.optimiser import Vector, between, whole
from emubot.trials.evaluation.contest import Contest
from emubot.trials.statistics import Sums, win_rates
from emubot.trials.work import WorkUnit, seeds_of
from emubot.weight_parts import FeatureSet, Provenance, Result
from emubot.weights import Weights

TRAINING: Final = 1 << 40  # the first game number of generation 0
CHOOSING: Final = 1 << 41
MEASURING: Final = 1 << 42
SECOND_SEATS: Final = 1 << 39  # added to the game numbers if the second player of a couple begins
LARGEST: Final = 1e5  # largest weight of a vector as it plays; a linear evaluation plays the same at any scale

SHAPES: Final = ("mean", "log")
WIN_RATE: Final = "win_rate"  # of games of two sides: a draw is half a win
MOST_GAMES: Final = 10_000_000
_PARTS: Final = 4  # units of a candidate's games, so that there are more units than candidates
_LEAST: Final = 5  # games of each candidate before one can leave a race: with fewer, the spread is not known


@dataclass(frozen=True, slots=True)
class Race:
    """Games are played in rounds. A candidate that is surely not in the better half plays no further rounds.

    Surely means: for half the candidates, the mean minus z standard errors lies above this candidate's mean plus z
    standard errors. The bounds are of single sums, not of paired games, so they are wide. A z of 2 drops many
    candidates and is sometimes wrong, a z of 3 hardly ever. A candidate that left keeps the mean that it had.
    """

    rounds: int = 4
    z: float = 2.0

    def __post_init__(self) -> None:
        whole("number of rounds of a race", self.rounds, 2, 1000)
        between("z of a race", self.z, 0.1, 100)


@dataclass(frozen=True, slots=True)
class Fitness:
    """How vectors of the features `names` are measured. Raises UsageError if a value makes no sense.

    `figure` is one of the trial's (None: its first) or `win_rate`. `shape` is "mean", or "log" for the mean of
    log(1 + figure), which a few lucky games of a geometric figure do not dominate. `opponent`, called `against`, is
    the second player if candidates are measured alone in a contest of two. `normalise` gives each vector the length 1
    before it plays and is exported: a linear evaluation plays the same at any scale. `portion` is the number of games
    in a unit of work (0: a quarter of a candidate's); it changes no result but the last digits of "log".
    """

    contest: Contest
    names: tuple[str, ...]
    version: int
    seed: int
    games: int
    figure: str | None = None
    shape: str = "mean"
    normalise: bool = False
    opponent: Weights | None = None
    against: str | None = None
    race: Race | None = None
    portion: int = 0

    def __post_init__(self) -> None:
        whole("number of games of each candidate", self.games, 1, MOST_GAMES)
        whole("number of games of a portion", self.portion, 0, MOST_GAMES)
        if self.shape not in SHAPES:
            raise UsageError(f"The fitness is the mean or the log of a figure, not {self.shape!r}.")
        if self.opponent is not None and self.contest.sides != 2:
            raise UsageError("An opponent needs a contest of two sides.")
        if self.race is not None and self.games < self.race.rounds * _LEAST:
            least = self.race.rounds * _LEAST
            raise UsageError(f"A race of {self.race.rounds} rounds needs at least {least} games, not {self.games}.")

    def counted(self) -> str:
        """Returns the figure that counts. Raises UsageError if the trial does not have it."""
        return counted(self.contest.trial(), self.figure)

    def weights(self, vector: Vector, provenance: Provenance | None = None) -> Weights:
        """Returns the weights with which the vector plays."""
        length, largest = float(np.linalg.norm(vector)), float(np.abs(vector).max())
        values = vector / length if self.normalise and length else vector * min(1.0, LARGEST / max(largest, LARGEST))
        features = FeatureSet(version=self.version, names=self.names)
        numbers = tuple(float(value) for value in values)
        return Weights(game=self.contest.game, features=features, values=numbers, provenance=provenance or Provenance())

    def players(self, weights: Weights) -> tuple[Weights, ...]:
        """Returns who plays when these weights are measured alone."""
        return (weights,) if self.opponent is None else (weights, self.opponent)

    def rounds(self, generation: int) -> list[tuple[int, int]]:
        """Returns the game numbers of a generation, half-open: one range, or one for each round of a race."""
        first = TRAINING + generation * self.games
        rounds = self.race.rounds if self.race else 1
        ends = [first + self.games * index // rounds for index in range(rounds + 1)]
        return list(itertools.pairwise(ends))

    def units(self, players: tuple[Weights, ...], first: int, end: int) -> list[WorkUnit[Measurement]]:
        """Returns these games, cut into units of work; the cut depends only on their number."""
        size = self.portion or -(-(end - first) // _PARTS)
        work = Measurement(self.contest, self.figure, self.shape)
        return [
            WorkUnit(work, players, self.seed, begin, min(begin + size, end))
            for begin in range(first, end, max(size, 1))
        ]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Games whose figure is added up, from the first player's side."""

    contest: Contest
    figure: str | None
    shape: str

    def seeds(self, seed: int, numbers: Sequence[int]) -> list[int]:
        """Returns the seeds of games; a list of games is drawn from by them."""
        return seeds_of(seed, numbers)

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> Sums:
        """Play one game for each seed.

        Raises UsageError if the trial does not have the figure, or for the logarithm of a negative one.
        """
        trial = self.contest.trial()
        values = _column(trial.play(players, seeds), trial, self.figure)
        if self.shape == "log":
            if values.min() < 0:
                raise UsageError(f"{counted(trial, self.figure)} can be negative: train for its mean, not its log.")
            logs = [math.log1p(value) for value in values.tolist()]
            return Sums(math.fsum(logs), math.fsum(value * value for value in logs), len(logs))
        exact = values.tolist()
        return Sums(sum(exact), sum(value * value for value in exact), len(exact))


def counted(trial: Trial, figure: str | None) -> str:
    """Returns `figure`, or the trial's first one if it is None. Raises UsageError if the trial does not have it."""
    known = [name for name in trial.figures if name != SUMMED]
    if {"wins", "draws"} <= set(known):
        known.append(WIN_RATE)
    if figure is not None and figure not in known:
        near = did_you_mean(figure, known)
        raise UsageError(f"These games have no figure {figure!r}{near}: choose one of {', '.join(known)}.")
    return figure or known[0]


def described(fitness: Fitness, rival: str = "") -> str:
    """Returns what is played, in words for a provenance, and the other player if there is one."""
    settings = fitness.contest.trial().settings
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in settings.items())
    return f"{fitness.contest.game}, {words}{f', against {rival}' if rival else ''}"


def measured(fitness: Fitness, sums: Sums, rival: str = "") -> Result:
    """Returns the result of games that chose nothing, as weights files hold it."""
    figure = fitness.counted()
    low, high = sums.interval(figure in SHARES)
    settings = f"{described(fitness, rival)}; {sums.count:,} games on seeds that chose nothing"
    return Result(figure=figure, mean=sums.mean, low95=low, high95=high, settings=settings)


def going_on(sums: Sequence[Sums], racing: Sequence[int], race: Race) -> list[int]:
    """Returns which of `racing` play the next round; `sums` has all candidates, those that left included."""
    half = (len(sums) + 1) // 2
    lows = [total.mean - race.z * total.error for total in sums]
    highs = [total.mean + race.z * total.error for total in sums]
    return [index for index in racing if sum(low > highs[index] for low in lows) < half]


def _column(games: NDArray[np.int64], trial: Trial, figure: str | None) -> NDArray[np.int64] | NDArray[np.float64]:
    """Returns each game's figure, (games,): whole numbers, or halves for the win rate, both exact."""
    name = counted(trial, figure)
    columns = {known: games[:, index] for index, known in enumerate(trial.figures)}
    if name == WIN_RATE:
        return win_rates(columns["wins"], columns["draws"])
    return columns[name]
