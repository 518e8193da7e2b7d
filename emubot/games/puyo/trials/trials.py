"""Measured games and battles of pairs: options in, a row of figures per game out; knows no executor and no file.

The pairs of a seed are uint8 `integers(1, colors + 1)` of numpy's default generator with that seed, pivot first. The
columns in which single nuisance falls are the ranks of `random()` of the generator spawned from it. So a game with more
pairs begins like the same game with fewer pairs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from emubot.errors import UsageError
from emubot.games.options import Options
from emubot.games.puyo.evaluation.evaluation import Scales, scales_of
from emubot.games.puyo.evaluation.features import FEATURE_NAMES, FEATURE_VERSION, FEATURES
from emubot.games.puyo.reach.entry import limits_of
from emubot.games.puyo.rules import COLORS, COLUMNS, FAMICOM_1991, Rules, rules_of
from emubot.games.puyo.scoring import table_of
from emubot.games.puyo.search.two_plies import MOST_PLACEMENTS
from emubot.games.puyo.thinker import GAME
from emubot.games.puyo.trials import battle
from emubot.games.puyo.trials import untimed as solo
from emubot.games.puyo.trials.explore import explored
from emubot.games.trial import Settings, Trial
from emubot.tempo import MAX_REACTION, Tempo, parse_taps
from emubot.weights import Weights

PAIRS: Final = 1_000  # of a game at most
BATTLE_PAIRS: Final = 500  # of a battle at most: if no player has lost by then, it is a draw
MOST_PAIRS: Final = 1_000_000
SLOWEST: Final = 255  # frames per row


def trial(sides: int, profile: str | None, options: Settings) -> Trial:
    """Returns the trial for games of one player or battles of two, under a profile of rules.

    The options are `colors`, `pairs`, `gravity` in frames per row (0: no time limit), and with gravity also `taps` and
    `reaction`. Raises UsageError for an invalid number of players, profile, option or value.
    """
    rules = rules_of(profile or FAMICOM_1991.name)
    chosen = Options(options, f"the rules {rules.name}", ("colors", "pairs", "gravity", "taps", "reaction"))
    rules = rules_of(rules.name, {"colors": chosen.whole("colors", rules.colors, 1, COLORS)})
    pace = _pace(chosen, options)
    if sides == 1:
        return PuyoTrial(rules, chosen.whole("pairs", PAIRS, 1, MOST_PAIRS), pace)
    if sides == 2:
        return BattleTrial(rules, chosen.whole("pairs", BATTLE_PAIRS, 1, MOST_PAIRS), pace)
    raise UsageError(f"Pairs are played by one or two, not by {sides}.")


@dataclass(frozen=True, slots=True)
class Pace:
    """Gravity in frames per row, and the tempo of the inputs. A trial without a pace has no time limit."""

    gravity: int
    tempo: Tempo


def _pace(chosen: Options, options: Settings) -> Pace | None:
    gravity = chosen.whole("gravity", 0, 0, SLOWEST)
    if gravity:
        tempo = parse_taps(chosen.text("taps", "30hz"))
        return Pace(gravity, replace(tempo, reaction=chosen.whole("reaction", tempo.reaction, 0, MAX_REACTION)))
    idle = [name for name in ("taps", "reaction") if name in options]
    if idle:
        raise UsageError(
            f"--{idle[0]} counts only where pairs fall in time: add --gravity 1 to {SLOWEST}, or leave it out."
        )
    return None


class _Pairs(ABC):
    """The common part of games of one player and battles of two."""

    sides: int
    figures: tuple[str, ...]

    def __init__(self, rules: Rules, pairs: int, pace: Pace | None = None) -> None:
        self._rules, self._pairs, self._pace = rules, pairs, pace
        self._limits = limits_of(rules, pace.tempo, pace.gravity) if pace else limits_of(rules)
        self._table = table_of(rules)
        self._candidates = np.zeros((MOST_PLACEMENTS, 2), dtype=np.int8)
        self._values = np.zeros(MOST_PLACEMENTS)

    @property
    def settings(self) -> Settings:
        """The profile, the colours in play, the maximum number of pairs, and the pace (gravity 0 if there is none)."""
        told = {"rules": self._rules.name, "colors": self._rules.colors, "pairs": self._pairs}
        if self._pace is None:
            return told | {"gravity": 0}
        tempo = self._pace.tempo
        return told | {"gravity": self._pace.gravity, "taps": tempo.name, "reaction": tempo.reaction}

    def play(self, players: Sequence[Weights], seeds: Sequence[int]) -> NDArray[np.int64]:
        """Play one game for each seed; returns int64 (len(seeds), len(figures)).

        Raises UsageError for a wrong number of players, WeightsError for weights of another game or other features.
        """
        if len(players) != self.sides:
            raise UsageError(f"This is played by {self.sides}, not by {len(players)}: give the weights of each.")
        scales = [scales_of(player.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)) for player in players]
        found = np.zeros((len(seeds), len(self.figures)), dtype=np.int64)
        for seed, row in zip(seeds, found, strict=True):
            self._play_one(scales, seed, self._dealt(seed, self._pairs), row)
        return found

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        figures = np.zeros(len(self.figures), dtype=np.int64)
        self._play_one([scales_of(np.zeros(FEATURES))] * self.sides, 0, self._dealt(0, 1), figures)

    def _dealt(self, seed: int, pairs: int) -> solo.Pairs:
        """Returns the pairs to play, and one more that is only seen."""
        rng = np.random.default_rng(seed)
        return rng.integers(1, self._rules.colors + 1, size=(pairs + 1, 2), dtype=np.uint8)

    @abstractmethod
    def _play_one(self, scales: Sequence[Scales], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        """Fill the figures of one game."""


class PuyoTrial(_Pairs):
    """Games of one player; a game ends when it is lost or after a number of pairs."""

    sides = 1
    figures = solo.FIGURES

    def _play_one(self, scales: Sequence[Scales], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        solo.play_game(pairs, self._limits, self._table, scales[0], self._candidates, self._values, figures)

    def explore(
        self, player: Weights, seeds: Sequence[int], epsilon: float, pieces: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Implements training.dqn.Explorable; the cleared units are puyos."""
        inputs = [FEATURE_NAMES.index(name) for name in player.features.names]
        vector = player.vector(GAME, FEATURE_NAMES, FEATURE_VERSION)
        return explored(self._rules, self._limits, vector, inputs, seeds, epsilon, pieces)


class BattleTrial(_Pairs):
    """Battles of two players with the same pairs; swapping the players swaps wins and losses for every seed."""

    sides = 2
    figures = battle.FIGURES

    def __init__(self, rules: Rules, pairs: int, pace: Pace | None = None) -> None:
        super().__init__(rules, pairs, pace)
        self._exchange = battle.exchange_of(rules)

    def _play_one(self, scales: Sequence[Scales], seed: int, pairs: solo.Pairs, figures: NDArray[np.int64]) -> None:
        [columns] = np.random.SeedSequence(seed).spawn(1)
        order = np.random.default_rng(columns).random((len(pairs) - 1, COLUMNS)).argsort(axis=1)
        battle.play_battle(
            pairs,
            order,
            self._limits,
            self._table,
            self._exchange,
            scales[0],
            scales[1],
            self._candidates,
            self._values,
            figures,
        )
